// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that asks for the interrupts, once a period.
 */
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "../core/pin.h"
#include "../core/run.h"
#include "../core/worst.h"
#include "msi_lat.h"

/* an interrupt that has not come by then never will */
#define UNANSWERED_NS		NSEC_PER_SEC
/* so many in a row, and nothing can be expected any more */
#define UNANSWERED_MAX		3
/* how often the wait for the last interrupt looks */
#define LAST_LOOK_NS		(100 * NSEC_PER_USEC)

static bool must_stop(struct msi_lat *msi)
{
	return klat_run_must_stop(&msi->bench) || kthread_should_stop();
}

/* Until @when or the end of the run */
static void sleep_until(struct msi_lat *msi, ktime_t when)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (must_stop(msi) || !schedule_hrtimeout(&when, HRTIMER_MODE_ABS))
			break;
	}
	__set_current_state(TASK_RUNNING);
}

static bool outstanding(struct msi_lat *msi)
{
	/* pairs with the release in the handler */
	return smp_load_acquire(&msi->exchange.pending);
}

/* What disturbs this CPU is not counted: the counters belong to the interrupt's */
static void count(struct msi_lat *msi, struct klat_series *series, u64 value)
{
	if (klat_series_add(series, value))
		klat_worst_record(series, msi->exchange.seq, value, NULL);
}

static void count_request(struct msi_lat *msi)
{
	const struct klat_shot *shot = &msi->exchange.shot;

	/* the series' writers may not be interrupted */
	local_irq_disable();
	if (shot->written)
		count(msi, msi->write, shot->written - shot->start);
	if (shot->flushed)
		count(msi, msi->flush, shot->flushed - shot->start);
	local_irq_enable();
}

static void fire(struct msi_lat *msi)
{
	struct klat_shot *shot = &msi->exchange.shot;
	int ret;

	shot->written = 0;
	shot->flushed = 0;
	msi->exchange.seq = msi->fired;
	msi->fired++;
	msi->fired_at = ktime_get();
	/* pairs with the acquire in the handler */
	smp_store_release(&msi->exchange.pending, true);
	ret = klat_source_fire(&msi->source, shot);
	if (ret) {
		msi->exchange.pending = false;
		msi->fired--;
		msi->missed++;
		return;		/* a lost device has said so itself */
	}
	count_request(msi);
}

static void give_up_shot(struct msi_lat *msi)
{
	struct klat_source *source = &msi->source;

	source->ops->pause(source);
	if (!outstanding(msi)) {
		source->ops->resume(source);
		return;		/* it came after all */
	}
	msi->exchange.pending = false;
	msi->unanswered++;
	msi->unanswered_in_a_row++;
	if (!source->ops->present(source))
		klat_run_end(&msi->bench, KLAT_FAILED, ENODEV, 0,
			     "device lost: it does not answer");
	else if (msi->unanswered_in_a_row == UNANSWERED_MAX)
		klat_run_end(&msi->bench, KLAT_FAILED, ETIMEDOUT, 0,
			     "%u interrupts in a row did not come within 1 s",
			     UNANSWERED_MAX);
	else
		source->ops->resume(source);
}

/* Is the shot before out of the way? Gives it up if it has had its time. */
static bool ready(struct msi_lat *msi)
{
	if (!outstanding(msi)) {
		msi->unanswered_in_a_row = 0;
		return true;
	}
	if (ktime_sub(ktime_get(), msi->fired_at) < UNANSWERED_NS)
		return false;
	give_up_shot(msi);
	return !outstanding(msi) && !must_stop(msi);
}

/* With verbosity 3, one that was counted; not the one that was given up */
static void tell_sample(struct msi_lat *msi)
{
	if (msi->bench.report.verbosity == KLAT_SAY_SAMPLES && msi->fired &&
	    msi->hot.told.seq == msi->exchange.seq)
		klat_report_sample(&msi->bench, msi->hot.told.seq, msi->hot.told.ticks);
}

static void one_period(struct msi_lat *msi)
{
	if (klat_watch_clock_bad(&msi->bench, &msi->watch))
		return;
	if (!ready(msi)) {
		msi->missed++;
		return;
	}
	tell_sample(msi);
	fire(msi);
}

static bool finished(struct msi_lat *msi)
{
	return msi->config.count > 0 && msi->fired >= msi->config.count;
}

/* The start of the next period that has not begun; the others are too late */
static ktime_t next_period(struct msi_lat *msi, ktime_t last)
{
	u64 period = msi->config.period_ns;
	s64 behind = ktime_sub(ktime_get(), last);
	u64 skipped = 0;

	if (behind > (s64)period) {
		skipped = behind / period;
		msi->late += skipped;
	}
	return ktime_add_ns(last, (skipped + 1) * period);
}

static void wait_for_last(struct msi_lat *msi)
{
	while (!must_stop(msi) && !ready(msi))
		sleep_until(msi, ktime_add_ns(ktime_get(), LAST_LOOK_NS));
}

int msi_lat_trigger(void *arg)
{
	struct msi_lat *msi = arg;
	ktime_t next = ktime_add_ns(ktime_get(), msi->config.period_ns);

	while (!finished(msi)) {
		sleep_until(msi, next);
		if (must_stop(msi))
			return 0;
		klat_pin_again(msi->config.trigger_cpu);
		one_period(msi);
		next = next_period(msi, next);
	}
	wait_for_last(msi);
	if (!must_stop(msi))
		klat_run_end(&msi->bench, KLAT_DONE, 0, 0, "all requests were made");
	return 0;
}
