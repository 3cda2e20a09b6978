// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>

#include "sums.h"

void caterpillar_sums_merge(struct caterpillar_sums *into, const struct caterpillar_sums *from)
{
	into->count += from->count;
	into->min = min(into->min, from->min);
	into->max = max(into->max, from->max);
	into->sum += from->sum;
	into->squares += from->squares;
}

/* By long division: the kernel has none of 128 bits */
static klat_u128 divide(klat_u128 value, u64 by)
{
	klat_u128 rest = 0, result = 0;
	int bit;

	for (bit = 127; bit >= 0; bit--) {
		rest = rest << 1 | (u64)(value >> bit & 1);
		result <<= 1;
		if (rest >= by) {
			rest -= by;
			result |= 1;
		}
	}
	return result;
}

/* Rounded down */
static u64 root(klat_u128 value)
{
	klat_u128 bit = (klat_u128)1 << 126, result = 0;

	for (; bit; bit >>= 2) {
		if (value >= result + bit) {
			value -= result + bit;
			result = (result >> 1) + bit;
		} else {
			result >>= 1;
		}
	}
	return result;
}

/*
 * With the mean rounded down, q, and what that leaves of the sum, r, the squares of
 * the deviations from q add up to squares - n q^2 - 2 q r; those from the true mean
 * to r^2 / n less. Four times the variance has a root of twice the deviation, by
 * which it is rounded to the nearest.
 */
u64 caterpillar_sums_deviation(const struct caterpillar_sums *sums)
{
	u64 n = sums->count, q = divide(sums->sum, n);
	klat_u128 r = sums->sum - (klat_u128)q * n;
	klat_u128 around_q = sums->squares - (klat_u128)q * q * n - 2 * q * r;

	return (root(divide(4 * around_q - divide(4 * r * r + n - 1, n), n)) + 1) / 2;
}
