/* SPDX-License-Identifier: GPL-2.0 */
/* The modules' clock, read in user space in program order. */
#ifndef KLAT_STAMP_H
#define KLAT_STAMP_H

#include <stdint.h>

#if defined(__x86_64__)
#define HAVE_STAMP	1

static inline uint64_t stamp(void)
{
	uint32_t low, high;

	asm volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
#define HAVE_STAMP	1

static inline uint64_t stamp(void)
{
	uint64_t value;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(value) : : "memory");
	return value;
}
#else
#define HAVE_STAMP	0

static inline uint64_t stamp(void)
{
	return 0;
}
#endif

#endif
