// SPDX-License-Identifier: GPL-2.0
#include <linux/irqflags.h>
#include <linux/kernel_stat.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "clock.h"
#include "disturb.h"

#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/msr.h>

#include "../compat/irq_stat.h"
#endif

#define COST_ROUNDS	64

#ifdef CONFIG_X86
static bool has_msr(u32 msr)
{
	u64 value;

	return klat_rdmsr_safe(msr, &value) == 0;
}

/*
 * SMI and the frequency counters are asked by trying: the processor answers a
 * register it does not have with a fault, which the kernel turns into an error.
 */
static u32 known_on_this_cpu(void)
{
	u32 known = KLAT_KNOWN_NMI | KLAT_KNOWN_IRQ;

	if (has_msr(MSR_SMI_COUNT))
		known |= KLAT_KNOWN_SMI;
	if (boot_cpu_has(X86_FEATURE_APERFMPERF) && has_msr(MSR_IA32_APERF) &&
	    has_msr(MSR_IA32_MPERF))
		known |= KLAT_KNOWN_APERF;
	return known;
}

/* Registers that were found to be there are read without the detour of asking */
static __always_inline void read_counters(u32 known, struct klat_disturb_reading *now)
{
	const irq_cpustat_t *stat = this_cpu_ptr(&irq_stat);

	now->nmi = klat_irq_stat_nmi(stat);
	now->irq = kstat_this_cpu->irqs_sum + klat_irq_stat_vectors(stat);
	now->smi = known & KLAT_KNOWN_SMI ? __rdmsr(MSR_SMI_COUNT) : 0;
	now->aperf = 0;
	now->mperf = 0;
	if (known & KLAT_KNOWN_APERF) {
		now->aperf = __rdmsr(MSR_IA32_APERF);
		now->mperf = __rdmsr(MSR_IA32_MPERF);
	}
}
#else
static u32 known_on_this_cpu(void)
{
	return KLAT_KNOWN_IRQ;
}

static __always_inline void read_counters(u32 known, struct klat_disturb_reading *now)
{
	*now = (struct klat_disturb_reading){ .irq = kstat_this_cpu->irqs_sum };
}
#endif

static void start_here(void *arg)
{
	struct klat_disturb_meter *meter = arg;

	meter->known = known_on_this_cpu();
	meter->cpu = smp_processor_id();
	read_counters(meter->known, &meter->last);
}

void klat_disturb_start(struct klat_disturb_meter *meter, unsigned int cpu)
{
	memset(meter, 0, sizeof(*meter));
	if (smp_call_function_single(cpu, start_here, meter, true))
		meter->cpu = cpu;	/* gone: the run is about to hear of it */
	meter->own = 1;
	meter->sum.known = meter->known;
}

void klat_disturb_sample(struct klat_disturb_meter *meter, struct klat_disturb *delta)
{
	struct klat_disturb_reading *last = &meter->last;
	struct klat_disturb_reading now;
	u32 irq;

	read_counters(meter->known, &now);
	if (unlikely(meter->cpu != smp_processor_id())) {
		meter->cpu = smp_processor_id();
		meter->last = now;
		delta->known = 0;
		return;
	}
	irq = now.irq - last->irq;
	delta->known = meter->known;
	delta->smi = (u32)(now.smi - last->smi);
	delta->nmi = (u32)(now.nmi - last->nmi);
	delta->irq = irq - min(irq, meter->own);
	delta->aperf = now.aperf - last->aperf;
	delta->mperf = now.mperf - last->mperf;
	meter->sum.smi += delta->smi;
	meter->sum.nmi += delta->nmi;
	meter->sum.irq += delta->irq;
	meter->sum.aperf += delta->aperf;
	meter->sum.mperf += delta->mperf;
	*last = now;
}

void klat_disturb_skip(struct klat_disturb_meter *meter)
{
	meter->cpu = nr_cpu_ids;
}

void klat_disturb_add(struct klat_disturb *into, const struct klat_disturb *from)
{
	into->known &= from->known;
	into->smi += from->smi;
	into->nmi += from->nmi;
	into->irq += from->irq;
	into->aperf += from->aperf;
	into->mperf += from->mperf;
	into->steal += from->steal;
}

bool klat_disturb_steal(unsigned int cpu, u64 *ns)
{
	unsigned int any;

	*ns = kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL];
	for_each_possible_cpu(any)
		if (kcpustat_cpu(any).cpustat[CPUTIME_STEAL])
			return true;
	return false;
}

u64 klat_disturb_cost(void)
{
	struct klat_disturb_meter meter = {};
	struct klat_disturb delta = {};
	u64 least = U64_MAX;
	unsigned long flags;
	int i;

	local_irq_save(flags);
	start_here(&meter);
	for (i = 0; i < COST_ROUNDS; i++) {
		u64 start = klat_clock();

		klat_disturb_sample(&meter, &delta);
		least = min(least, klat_clock() - start);
	}
	local_irq_restore(flags);
	return least;
}
