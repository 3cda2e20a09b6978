/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86: what the kernel counts of interrupts that have vectors of their own and
 * are not in kstat. Members with names until 7.0, an array since.
 */
#ifndef KLAT_COMPAT_IRQ_STAT_H
#define KLAT_COMPAT_IRQ_STAT_H

#include <linux/percpu.h>
#include <asm/hardirq.h>

#ifdef KLAT_HAVE_IRQ_STAT_COUNTS

static __always_inline u32 klat_irq_stat_nmi(const irq_cpustat_t *stat)
{
	return stat->counts[IRQ_COUNT_NMI];
}

static __always_inline u32 klat_irq_stat_vectors(const irq_cpustat_t *stat)
{
	u32 sum = 0;

#ifdef CONFIG_X86_LOCAL_APIC
	sum += stat->counts[IRQ_COUNT_APIC_TIMER] + stat->counts[IRQ_COUNT_SPURIOUS] +
	       stat->counts[IRQ_COUNT_APIC_PERF] + stat->counts[IRQ_COUNT_IRQ_WORK] +
	       stat->counts[IRQ_COUNT_X86_PLATFORM_IPI];
#endif
#ifdef CONFIG_SMP
	sum += stat->counts[IRQ_COUNT_RESCHEDULE] + stat->counts[IRQ_COUNT_CALL_FUNCTION];
#endif
#ifdef CONFIG_X86_THERMAL_VECTOR
	sum += stat->counts[IRQ_COUNT_THERMAL_APIC];
#endif
#ifdef CONFIG_X86_MCE_THRESHOLD
	sum += stat->counts[IRQ_COUNT_THRESHOLD_APIC];
#endif
	return sum;
}

#else

static __always_inline u32 klat_irq_stat_nmi(const irq_cpustat_t *stat)
{
	return stat->__nmi_count;
}

static __always_inline u32 klat_irq_stat_vectors(const irq_cpustat_t *stat)
{
	u32 sum = stat->x86_platform_ipis + stat->apic_perf_irqs + stat->apic_irq_work_irqs;

#ifdef CONFIG_X86_LOCAL_APIC
	sum += stat->apic_timer_irqs + stat->irq_spurious_count;
#endif
#ifdef CONFIG_SMP
	sum += stat->irq_resched_count + stat->irq_call_count;
#endif
#ifdef CONFIG_X86_THERMAL_VECTOR
	sum += stat->irq_thermal_count;
#endif
#ifdef CONFIG_X86_MCE_THRESHOLD
	sum += stat->irq_threshold_count;
#endif
	return sum;
}

#endif /* KLAT_HAVE_IRQ_STAT_COUNTS */
#endif /* KLAT_COMPAT_IRQ_STAT_H */
