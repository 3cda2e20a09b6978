/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of what comes behind the kernel's back, read in a few instructions:
 * for loops that have no time for klat_disturb_sample(). In line; @known has been
 * found out by klat_disturb_start(). They wrap, which differences survive.
 */
#ifndef KLAT_CORE_DISTURB_NOW_H
#define KLAT_CORE_DISTURB_NOW_H

#include <linux/types.h>
#include <klat/klat.h>

#ifdef CONFIG_X86
#include <asm/msr.h>

#include "../compat/irq_stat.h"
#endif

/* On the CPU, interrupts off; what is not known is left as it is */
static __always_inline void klat_disturb_now(u32 known, u32 *smi, u32 *nmi)
{
#ifdef CONFIG_X86
	if (known & KLAT_KNOWN_NMI)
		*nmi = klat_irq_stat_nmi(this_cpu_ptr(&irq_stat));
	if (known & KLAT_KNOWN_SMI)
		*smi = __rdmsr(MSR_SMI_COUNT);
#endif
}

#endif /* KLAT_CORE_DISTURB_NOW_H */
