/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A series: one kind of value, counted by one writer.
 *
 * Keeps count, least, largest, sum, sum of squares, histogram and the worst
 * values, without ever rounding or overflowing: 2^64 values of 2^64 - 1 fit.
 * One writer at a time, with interrupts off; readers never hold it up. The file
 * compiles in user space too, where the unit tests run this very code.
 */
#ifndef KLAT_CORE_SERIES_H
#define KLAT_CORE_SERIES_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <klat/hist.h>
#include <klat/klat.h>

typedef unsigned __int128 klat_u128;

struct klat_series {
	/* odd while the writer is at work */
	u32 generation;
	u32 cpu;		/* whose values: the writer's CPU */
	u64 count;
	u64 min;
	u64 max;
	/* values up to this are no news to the worst list */
	u64 worst_floor;
	u64 squares_hi;
	klat_u128 sum;
	klat_u128 squares;
	u64 bucket[KLAT_HIST_BUCKETS];
	struct klat_worst worst[KLAT_MAX_WORST];	/* in no order */
	u32 nr_worst;
	u32 id;			/* number of the series in its benchmark */
	struct klat_series *next;
} ____cacheline_aligned;

void klat_series_init(struct klat_series *series, u32 id, u32 cpu);

/* Puts @worst in place of the least of the worst list, if that is less */
void klat_series_worst(struct klat_series *series, const struct klat_worst *worst);

/*
 * Counts @value @nr times, as klat_series_add() does; the writer's, with
 * interrupts off.
 */
bool klat_series_add_many(struct klat_series *series, u64 value, u64 nr);

/* Adds all of @from to @into; neither may have a writer at work */
void klat_series_merge(struct klat_series *into, const struct klat_series *from);

/*
 * Copies @from, which may have a writer at work, into @into, which must have
 * been zeroed or have held an earlier copy of the same series. False if the
 * writer was met: the copy is useless, try again.
 */
bool klat_series_try_copy(struct klat_series *into, const struct klat_series *from);

/* The numbers as the ABI has them; @series without a writer */
void klat_series_stats(const struct klat_series *series, struct klat_stats *stats);

/* Sum over count, rounded down; 0 for a series without values */
u64 klat_series_mean(const struct klat_series *series);
/* What the rounding took away, in billionths */
u64 klat_series_mean_billionths(const struct klat_series *series);

/* Plain increments: with barriers on both sides they are one instruction each */
static __always_inline void klat_series_write_begin(struct klat_series *series)
{
	series->generation++;
	smp_wmb();	/* a reader that sees new values sees the odd generation */
}

static __always_inline void klat_series_write_end(struct klat_series *series)
{
	smp_wmb();	/* a reader that sees the even generation sees all values */
	series->generation++;
}

/*
 * Counts @value. True if it belongs on the worst list: the caller then collects
 * what is known about it and calls klat_series_worst().
 */
static __always_inline bool klat_series_add(struct klat_series *series, u64 value)
{
	klat_u128 square = (klat_u128)value * value;

	klat_series_write_begin(series);
	series->count++;
	series->bucket[klat_hist_index(value)]++;
	series->sum += value;
	series->squares += square;
	series->squares_hi += series->squares < square;
	if (value < series->min)
		series->min = value;
	if (value > series->max)
		series->max = value;
	klat_series_write_end(series);
	return value > series->worst_floor;
}

#endif /* KLAT_CORE_SERIES_H */
