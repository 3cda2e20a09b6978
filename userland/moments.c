// SPDX-License-Identifier: GPL-2.0
/* Mean and standard deviation from sums that are exact integers. */
#include <math.h>

#include "series.h"

#define TWO_64	18446744073709551616.0L

static unsigned __int128 sum_of(const struct klat_stats *st)
{
	return (unsigned __int128)st->sum_hi << 64 | st->sum_lo;
}

/* @words (192 bits, lowest first) less @a times @b, as a real number */
static long double less_product(const __u64 words[3], unsigned __int128 a, uint64_t b)
{
	unsigned __int128 low = (unsigned __int128)(uint64_t)a * b;
	unsigned __int128 high = (a >> 64) * b + (low >> 64);
	unsigned __int128 have, take;
	uint64_t w2;

	take = (high << 64) | (uint64_t)low;
	have = (unsigned __int128)words[1] << 64 | words[0];
	w2 = words[2] - (uint64_t)(high >> 64) - (have < take);
	have -= take;
	return ((long double)w2 * TWO_64 + (long double)(uint64_t)(have >> 64)) * TWO_64 +
	       (long double)(uint64_t)have;
}

long double series_mean(const struct series *s)
{
	unsigned __int128 sum = sum_of(&s->stats);
	uint64_t n = s->stats.count;

	if (!n)
		return 0;
	return (long double)(uint64_t)(sum / n) + (long double)(uint64_t)(sum % n) / n;
}

/*
 * Of the values measured (the divisor is their number). The squares are moved
 * from 0 to the whole part M of the mean while everything is still an integer:
 *	sum((x - M)^2) = squares - M * (2 * sum - n * M) = squares - M * (sum + r)
 * with r = sum - n * M < n. What is left for real numbers is r/n < 1, so a
 * small deviation of large values does not drown in rounding.
 */
long double series_stddev(const struct series *s)
{
	unsigned __int128 sum = sum_of(&s->stats);
	uint64_t n = s->stats.count;
	long double moved, rest;
	uint64_t mean, r;

	if (!n)
		return 0;
	mean = (uint64_t)(sum / n);
	r = (uint64_t)(sum % n);
	moved = less_product(s->stats.squares, sum + r, mean) / n;
	rest = (long double)r / n;
	moved -= rest * rest;
	return moved > 0 ? sqrtl(moved) : 0;
}
