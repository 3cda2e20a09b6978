// SPDX-License-Identifier: GPL-2.0
/*
 * Counting an interrupt whose place on the grid is known. On the interrupt's CPU
 * with interrupts off, after the measured moment.
 */
#include "../core/run.h"
#include "count.h"
#include "msi_jitter.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

static noinline void over_limit(struct msi_jitter *jitter, u64 seq, u64 stray)
{
	klat_run_over_limit(&jitter->bench, seq, stray, jitter->config.limit_ns,
			    jitter->config.flags & KLAT_MSI_JITTER_FLAG_FREEZE_TRACE);
}

/* extras_above is the limit, or less if each interrupt has extras */
static __always_inline bool wants_extras(struct msi_jitter *jitter, u64 stray)
{
	return (s64)stray > jitter->hot.extras_above || klat_bench_polled(&jitter->bench) ||
	       trace_msi_jitter_sample_enabled();
}

static void record_worst(struct msi_jitter_hot *hot, const struct msi_jitter_event *event,
			 const struct msi_jitter_value *value,
			 const struct klat_moment *moment)
{
	if (value->worst_stray)
		klat_worst_record_at(value->series, event->seq, value->stray, &hot->disturb,
				     moment);
	if (value->worst_delta)
		klat_worst_record_at(hot->delta, event->seq, value->delta, &hot->disturb,
				     moment);
}

static noinline void extras(struct msi_jitter *jitter, const struct msi_jitter_event *event,
			    const struct msi_jitter_value *value,
			    const struct klat_moment *moment)
{
	struct msi_jitter_hot *hot = &jitter->hot;
	struct klat_moment now;

	if (!moment) {
		klat_moment_take(&now);
		moment = &now;
	}
	record_worst(hot, event, value, moment);
	trace_msi_jitter_sample(event->seq, event->stamp, event->after_due - hot->phase);
	if (value->stray > hot->limit)
		over_limit(jitter, event->seq, value->stray);
	if (jitter->bench.report.verbosity == KLAT_SAY_SAMPLES)
		klat_report_sample(&jitter->bench, event->seq, value->stray);
	klat_bench_wake_pollers(&jitter->bench);
}

static void read_disturb(struct msi_jitter *jitter)
{
	if (jitter->watch.disturb)
		klat_disturb_sample(&jitter->watch.meter, &jitter->hot.disturb);
}

/* @moment: when it was measured; NULL: just now */
static void count(struct msi_jitter *jitter, const struct msi_jitter_event *event,
		  const struct klat_moment *moment)
{
	struct msi_jitter_value value;

	msi_jitter_add(&jitter->hot, event, &value);
	if (value.worst_stray || value.worst_delta || wants_extras(jitter, value.stray))
		extras(jitter, event, &value, moment);
}

/* The median of what the first ones needed; their number is odd when it is full */
static s64 median(const struct msi_jitter_hot *hot)
{
	s64 sorted[KLAT_MSI_JITTER_PHASE];
	unsigned int i, place;

	for (i = 0; i < hot->nr_first; i++) {
		s64 value = hot->first[i].event.after_due;

		for (place = i; place > 0 && sorted[place - 1] > value; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = value;
	}
	return sorted[hot->nr_first / 2];
}

void msi_jitter_settle(struct msi_jitter *jitter)
{
	struct msi_jitter_hot *hot = &jitter->hot;
	unsigned int i;

	if (hot->phase_known || !hot->nr_first)
		return;
	hot->phase = median(hot);
	hot->phase_known = true;
	for (i = 0; i < hot->nr_first; i++) {
		hot->disturb = hot->first[i].disturb;
		count(jitter, &hot->first[i].event, &hot->first[i].moment);
	}
}

static noinline void keep(struct msi_jitter *jitter, const struct msi_jitter_event *event)
{
	struct msi_jitter_hot *hot = &jitter->hot;
	struct msi_jitter_first *first = &hot->first[hot->nr_first];

	first->event = *event;
	first->disturb = hot->disturb;
	klat_moment_take(&first->moment);
	hot->nr_first++;
	if (hot->nr_first == KLAT_MSI_JITTER_PHASE)
		msi_jitter_settle(jitter);
}

void msi_jitter_count(struct msi_jitter *jitter, const struct msi_jitter_event *event)
{
	read_disturb(jitter);
	if (likely(jitter->hot.phase_known))
		count(jitter, event, NULL);
	else
		keep(jitter, event);
}
