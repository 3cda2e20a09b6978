/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of every read, in line; the bench measures this code. With
 * interrupts off, on the CPU that reads.
 */
#ifndef KLAT_MMIO_LATENCY_COUNT_H
#define KLAT_MMIO_LATENCY_COUNT_H

#include <linux/minmax.h>

#include "../core/worst.h"
#include "mmio_latency.h"

static noinline void mmio_count_notable(struct mmio_values *values, u64 seq, u64 ticks,
				   const struct klat_disturb *disturb)
{
	struct klat_series *series = values->series;

	if (ticks > values->outlier)
		values->outliers++;
	if (ticks > series->worst_floor)
		klat_worst_record(series, seq, ticks, disturb);
	values->notable = min(values->outlier, series->worst_floor);
}

/* One comparison for all that is rare */
static __always_inline void mmio_count(struct mmio_values *values, u64 seq, u64 ticks,
				  const struct klat_disturb *disturb)
{
	klat_series_add(values->series, ticks);
	if (unlikely(ticks > values->notable))
		mmio_count_notable(values, seq, ticks, disturb);
}

static __always_inline void mmio_count_read(struct mmio_reader *reader, u64 seq, u64 end,
				       u64 took, unsigned int cpu,
				       const struct klat_disturb *disturb)
{
	mmio_count(&reader->read, seq, took, disturb);
	klat_ring_push(reader->ring, KLAT_MMIO_LATENCY_READ, seq, end, took, cpu);
}

#endif /* KLAT_MMIO_LATENCY_COUNT_H */
