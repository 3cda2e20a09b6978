// SPDX-License-Identifier: GPL-2.0
#include <linux/irqflags.h>
#include <linux/minmax.h>

#include "clock.h"

#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#else
#include <asm/arch_timer.h>
#endif

/* enough pairs for the least of them to be free of interruptions */
#define COST_PAIRS	256

bool klat_clock_stable(void)
{
#ifdef CONFIG_X86
	return !check_tsc_unstable();
#else
	return true;	/* the architecture's only clock; nothing watches it */
#endif
}

static u64 clock_cost(void)
{
	u64 least = U64_MAX;
	unsigned long flags;
	int i;

	local_irq_save(flags);
	for (i = 0; i < COST_PAIRS; i++) {
		u64 start = klat_clock();
		u64 end = klat_clock();

		least = min(least, end - start);
	}
	local_irq_restore(flags);
	return least;
}

void klat_clock_measure(struct klat_clock_info *info)
{
#ifdef CONFIG_X86
	info->hz = (u64)tsc_khz * 1000;
	info->invariant = boot_cpu_has(X86_FEATURE_NONSTOP_TSC) &&
			  boot_cpu_has(X86_FEATURE_CONSTANT_TSC);
#else
	info->hz = arch_timer_get_cntfrq();
	info->invariant = true;
#endif
	info->cost = clock_cost();
}
