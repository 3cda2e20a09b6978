/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernels, in one place. Included ahead of every file of
 * the modules by the build (drivers/compat/compat.mk), which also looks into
 * the kernel's headers and defines KLAT_HAVE_* for what it finds there: headers
 * are asked, not versions, because distributions backport.
 */
#ifndef KLAT_COMPAT_H
#define KLAT_COMPAT_H

/* Where rdtsc_ordered() is: it moved in 6.16 */
#ifdef KLAT_HAVE_ASM_TSC_ORDERED
#define KLAT_TSC_HEADER	<asm/tsc.h>
#else
#define KLAT_TSC_HEADER	<asm/msr.h>
#endif

/* rdmsrl_safe() and wrmsrl_safe() were renamed in 6.16 */
#ifdef KLAT_HAVE_RDMSRQ
#define klat_rdmsr_safe(msr, value)	rdmsrq_safe(msr, value)
#define klat_wrmsr_safe(msr, value)	wrmsrq_safe(msr, value)
#else
#define klat_rdmsr_safe(msr, value)	rdmsrl_safe(msr, value)
#define klat_wrmsr_safe(msr, value)	wrmsrl_safe(msr, value)
#endif

#endif /* KLAT_COMPAT_H */
