/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of every interrupt, in line; the bench measures this code.
 */
#ifndef KLAT_MSI_JITTER_COUNT_H
#define KLAT_MSI_JITTER_COUNT_H

#include "msi_jitter.h"

/* An interrupt's values, ticks */
struct msi_jitter_value {
	struct klat_series *series;	/* early or late */
	u64 stray;			/* how much */
	u64 delta;
	bool worst_stray;
	bool worst_delta;
};

static __always_inline u64 msi_jitter_abs(s64 value)
{
	return value < 0 ? -(u64)value : value;
}

/*
 * The interval between two interrupts strays from the cycle, or from as many
 * cycles as lie between, by the difference of their deviations.
 */
static __always_inline void msi_jitter_add(struct msi_jitter_hot *hot,
					   const struct msi_jitter_event *event,
					   struct msi_jitter_value *value)
{
	s64 deviation = event->after_due - hot->phase;

	value->series = deviation < 0 ? hot->early : hot->late;
	value->stray = msi_jitter_abs(deviation);
	value->worst_stray = klat_series_add(value->series, value->stray);
	value->delta = 0;
	value->worst_delta = false;
	if (likely(hot->seen)) {
		value->delta = msi_jitter_abs(event->after_due - hot->last_after_due);
		value->worst_delta = klat_series_add(hot->delta, value->delta);
	}
	hot->last_after_due = event->after_due;
	hot->seen++;
	klat_ring_push(hot->ring, value->series->id, event->seq, event->stamp, value->stray,
		       event->cpu);
	klat_bench_sample_ready();
	if (unlikely(event->cpu != hot->cpu))
		hot->elsewhere++;
}

#endif /* KLAT_MSI_JITTER_COUNT_H */
