/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernels, in one place. Included ahead of every file of
 * the modules by the build (drivers/compat/compat.mk), which also looks into
 * the kernel's headers and defines KLAT_HAVE_* for what it finds there: headers
 * are asked, not versions, because distributions backport.
 */
#ifndef KLAT_COMPAT_H
#define KLAT_COMPAT_H

#include <linux/version.h>
#include <linux/kconfig.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "klat needs Linux 6.1 or newer"
#endif
#if !defined(CONFIG_X86_64) && !defined(CONFIG_ARM64)
#error "klat knows how to read the clock of x86-64 and arm64 only"
#endif
#ifndef CONFIG_PCI_MSI
#error "klat needs a kernel with CONFIG_PCI_MSI"
#endif
#ifndef CONFIG_HIGH_RES_TIMERS
#error "klat needs a kernel with CONFIG_HIGH_RES_TIMERS"
#endif

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
