/* SPDX-License-Identifier: GPL-2.0 */
/* What the table needs of many values, without keeping them */
#ifndef KLAT_CATERPILLAR_SUMS_H
#define KLAT_CATERPILLAR_SUMS_H

#include <linux/limits.h>
#include <linux/types.h>

#include "../core/series.h"

/* Exact while the sum of the squares is below 2^126 */
struct caterpillar_sums {
	u64 count;
	u64 min;
	u64 max;
	klat_u128 sum;
	klat_u128 squares;
};

static inline void caterpillar_sums_init(struct caterpillar_sums *sums)
{
	*sums = (struct caterpillar_sums){ .min = U64_MAX };
}

static __always_inline void caterpillar_sums_add(struct caterpillar_sums *sums, u64 value)
{
	sums->count++;
	sums->sum += value;
	sums->squares += (klat_u128)value * value;
	if (value < sums->min)
		sums->min = value;
	if (value > sums->max)
		sums->max = value;
}

void caterpillar_sums_merge(struct caterpillar_sums *into, const struct caterpillar_sums *from);

/*
 * Standard deviation, of all the values there are (divided by their number), to the
 * nearest; not of none
 */
u64 caterpillar_sums_deviation(const struct caterpillar_sums *sums);

#endif /* KLAT_CATERPILLAR_SUMS_H */
