/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_MATH64_H
#define KLAT_UNIT_LINUX_MATH64_H

#include <linux/types.h>

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 divisor)
{
	return (__uint128_t)a * b / divisor;
}

#endif
