// SPDX-License-Identifier: GPL-2.0
/*
 * The local APIC: an SMI or an NMI for a CPU, as its registers raise it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/printk.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/apicdef.h>
#include <asm/fixmap.h>
#include <asm/msr-index.h>

#include "inject.h"

/* Read once: a CPU that has its interrupts off cannot be asked */
static DEFINE_PER_CPU(u32, apic_id);
static DEFINE_PER_CPU(bool, has_id);

u32 inject_apic_read(u32 reg)
{
	return readl((void __iomem *)(APIC_BASE + reg));
}

void inject_apic_write(u32 reg, u32 value)
{
	writel(value, (void __iomem *)(APIC_BASE + reg));
}

static void read_id(void *unused)
{
	this_cpu_write(apic_id, inject_apic_read(APIC_ID));
	this_cpu_write(has_id, true);
}

int inject_apic_init(void)
{
	u64 base;

	if (klat_rdmsr_safe(MSR_IA32_APICBASE, &base) || !(base & MSR_IA32_APICBASE_ENABLE) ||
	    base & X2APIC_ENABLE) {
		pr_err("the local APIC must be on, and not in x2APIC mode: boot with nox2apic\n");
		return -EOPNOTSUPP;
	}
	on_each_cpu(read_id, NULL, true);
	return 0;
}

u32 inject_apic_mode(enum inject_kind kind)
{
	return kind == INJECT_SMI ? APIC_DM_SMI : APIC_DM_NMI;
}

bool inject_apic_reaches(unsigned int cpu)
{
	if (cpu < nr_cpu_ids && cpu_online(cpu) && per_cpu(has_id, cpu))
		return true;
	pr_err("CPU %u: must be online, and have been when this module was loaded\n", cpu);
	return false;
}

void inject_apic_send(enum inject_kind kind, unsigned int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	while (inject_apic_read(APIC_ICR) & APIC_ICR_BUSY)
		cpu_relax();
	/* the ID is where the destination belongs: the upper byte of each */
	inject_apic_write(APIC_ICR2, per_cpu(apic_id, cpu));
	inject_apic_write(APIC_ICR, inject_apic_mode(kind) | APIC_INT_ASSERT);
	local_irq_restore(flags);
}
