/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of all stamps: the TSC on x86-64, the system counter on arm64.
 * Stamps are raw ticks; conversion happens where people read.
 */
#ifndef KLAT_CORE_CLOCK_H
#define KLAT_CORE_CLOCK_H

#include <linux/time64.h>
#include <linux/types.h>

#ifdef CONFIG_X86
#include KLAT_TSC_HEADER
#else
#include <asm/barrier.h>
#include <asm/sysreg.h>
#endif

struct klat_clock_info {
	u64 hz;
	u64 cost;	/* ticks between two adjacent stamps, at the least */
	bool invariant;	/* same rate in every power state */
};

/*
 * A stamp that earlier instructions cannot slip behind. Later ones may start
 * before it has retired; the device write that follows a stamp is itself
 * ordered, being uncached.
 */
static __always_inline u64 klat_clock(void)
{
#ifdef CONFIG_X86
	return rdtsc_ordered();
#else
	isb();
	return read_sysreg(cntvct_el0);
#endif
}

/* Does the kernel trust the clock at this moment? */
bool klat_clock_stable(void);

/* Finds rate and cost; takes some microseconds with interrupts off */
void klat_clock_measure(struct klat_clock_info *info);

/*
 * All to the nearest. Whole seconds apart, so that no product overflows below 18
 * GHz; the result must fit: 584 years of nanoseconds, 97 years of ticks at 6 GHz.
 * @billionths of a tick, less than one, come on top of @ticks.
 */
static inline u64 klat_parts_to_ns(const struct klat_clock_info *info, u64 ticks,
				   u64 billionths)
{
	return ticks / info->hz * NSEC_PER_SEC +
	       (ticks % info->hz * NSEC_PER_SEC + billionths + info->hz / 2) / info->hz;
}

static inline u64 klat_ticks_to_ns(const struct klat_clock_info *info, u64 ticks)
{
	return klat_parts_to_ns(info, ticks, 0);
}

static inline u64 klat_ns_to_ticks(const struct klat_clock_info *info, u64 ns)
{
	return ns / NSEC_PER_SEC * info->hz +
	       (ns % NSEC_PER_SEC * info->hz + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
}

#endif /* KLAT_CORE_CLOCK_H */
