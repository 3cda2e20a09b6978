// SPDX-License-Identifier: GPL-2.0
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "series.h"

void klat_series_init(struct klat_series *series, u32 id, u32 cpu)
{
	memset(series, 0, sizeof(*series));
	series->id = id;
	series->cpu = cpu;
	series->min = U64_MAX;
}

bool klat_series_add_many(struct klat_series *series, u64 value, u64 nr)
{
	klat_u128 square = (klat_u128)value * value;
	/* the two halves of square * nr, which has 192 bits */
	klat_u128 low = (klat_u128)(u64)square * nr;
	klat_u128 high = (square >> 64) * nr + (low >> 64);
	klat_u128 squares = high << 64 | (u64)low;

	if (!nr)
		return false;
	klat_series_write_begin(series);
	series->count += nr;
	series->bucket[klat_hist_index(value)] += nr;
	series->sum += (klat_u128)value * nr;
	series->squares += squares;
	series->squares_hi += (u64)(high >> 64) + (series->squares < squares);
	series->min = min(series->min, value);
	series->max = max(series->max, value);
	klat_series_write_end(series);
	return value > series->worst_floor;
}

static struct klat_worst *least_worst(struct klat_series *series)
{
	struct klat_worst *least = &series->worst[0];
	u32 i;

	for (i = 1; i < KLAT_MAX_WORST; i++)
		if (series->worst[i].value < least->value)
			least = &series->worst[i];
	return least;
}

void klat_series_worst(struct klat_series *series, const struct klat_worst *worst)
{
	if (worst->value <= series->worst_floor)
		return;
	klat_series_write_begin(series);
	if (series->nr_worst < KLAT_MAX_WORST)
		series->worst[series->nr_worst++] = *worst;
	else
		*least_worst(series) = *worst;
	if (series->nr_worst == KLAT_MAX_WORST)
		series->worst_floor = least_worst(series)->value;
	klat_series_write_end(series);
}

void klat_series_merge(struct klat_series *into, const struct klat_series *from)
{
	u32 i;

	into->count += from->count;
	into->min = min(into->min, from->min);
	into->max = max(into->max, from->max);
	into->sum += from->sum;
	into->squares += from->squares;
	into->squares_hi += from->squares_hi + (into->squares < from->squares);
	for (i = 0; i < KLAT_HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
	for (i = 0; i < from->nr_worst; i++)
		klat_series_worst(into, &from->worst[i]);
}

bool klat_series_try_copy(struct klat_series *into, const struct klat_series *from)
{
	u32 generation = READ_ONCE(from->generation);
	u32 first, last;

	if (generation & 1)
		return false;
	smp_rmb();	/* pairs with klat_series_write_begin() */
	memcpy(into, from, offsetof(struct klat_series, bucket));
	memcpy(into->worst, from->worst, sizeof(into->worst));
	into->nr_worst = from->nr_worst;
	/*
	 * All values lie between min and max: copying just their buckets keeps
	 * the copy short enough to fall between two values.
	 */
	if (into->count) {
		first = klat_hist_index(into->min);
		last = klat_hist_index(into->max);
		if (first <= last)
			memcpy(&into->bucket[first], &from->bucket[first],
			       (last - first + 1) * sizeof(into->bucket[0]));
	}
	smp_rmb();	/* pairs with klat_series_write_end() */
	return READ_ONCE(from->generation) == generation;
}

static int by_value_descending(const void *left, const void *right)
{
	const struct klat_worst *a = left, *b = right;

	return a->value < b->value ? 1 : a->value > b->value ? -1 : 0;
}

void klat_series_stats(const struct klat_series *series, struct klat_stats *stats)
{
	stats->count = series->count;
	if (!series->count)
		return;
	stats->min = series->min;
	stats->max = series->max;
	stats->sum_lo = (u64)series->sum;
	stats->sum_hi = (u64)(series->sum >> 64);
	stats->squares[0] = (u64)series->squares;
	stats->squares[1] = (u64)(series->squares >> 64);
	stats->squares[2] = series->squares_hi;
	stats->nr_worst = series->nr_worst;
	memcpy(stats->worst, series->worst, sizeof(stats->worst));
	sort(stats->worst, stats->nr_worst, sizeof(stats->worst[0]),
	     by_value_descending, NULL);
}

/* By long division: the kernel has no division of 128 bits */
u64 klat_series_mean(const struct klat_series *series)
{
	klat_u128 rest = 0;
	u64 mean = 0;
	int bit;

	if (!series->count)
		return 0;
	for (bit = 127; bit >= 0; bit--) {
		rest = rest << 1 | (u64)(series->sum >> bit & 1);
		mean <<= 1;
		if (rest >= series->count) {
			rest -= series->count;
			mean |= 1;
		}
	}
	return mean;
}

u64 klat_series_mean_billionths(const struct klat_series *series)
{
	/* modulo 2^64: it is less than the count */
	u64 rest = (u64)series->sum - klat_series_mean(series) * series->count;

	return series->count ? mul_u64_u64_div_u64(rest, 1000000000, series->count) : 0;
}
