// SPDX-License-Identifier: GPL-2.0
/*
 * The interrupt. Its first statement is the stamp; all that follows is after the
 * measured moment.
 */
#include <linux/kernel.h>

#include "../core/run.h"
#include "msi_jitter.h"

/* The timer may fire again, and the reader shall have the sample */
static void release(struct msi_jitter *jitter)
{
	struct task_struct *reader;

	/* pairs with the acquire in the timer */
	smp_store_release(&jitter->exchange.pending, false);
	reader = klat_bench_reader(&jitter->bench);
	if (reader)
		wake_up_process(reader);
}

/* A short run's interrupts are counted first: one may be above the limit */
static noinline void end(struct msi_jitter *jitter)
{
	msi_jitter_settle(jitter);
	klat_run_end(&jitter->bench, KLAT_DONE, 0, 0, "all cycles are over");
}

static void end_if_last(struct msi_jitter *jitter, u64 seq)
{
	if (unlikely(msi_jitter_beyond(jitter, seq + 1)))
		end(jitter);
}

/* One that the timer hrtimer asked for */
static noinline irqreturn_t arrived(u64 now, struct msi_jitter *jitter)
{
	struct msi_jitter_event event;

	/* pairs with the release in the timer */
	if (unlikely(!smp_load_acquire(&jitter->exchange.pending))) {
		jitter->hot.unexpected++;
		return IRQ_HANDLED;
	}
	event.seq = jitter->exchange.seq;
	event.stamp = now;
	event.after_due = now - jitter->exchange.due;
	event.cpu = raw_smp_processor_id();
	msi_jitter_count(jitter, &event);
	release(jitter);
	end_if_last(jitter, event.seq);
	return IRQ_HANDLED;
}

static s64 signed_ticks(const struct msi_jitter *jitter, s64 ns)
{
	const struct klat_clock_info *clock = &jitter->bench.clock;

	return ns < 0 ? -(s64)klat_ns_to_ticks(clock, -ns) : klat_ns_to_ticks(clock, ns);
}

/* One that a timer of the device raised; it knows the place */
static noinline irqreturn_t arrived_by_itself(u64 now, struct msi_jitter *jitter)
{
	struct msi_jitter_hot *hot = &jitter->hot;
	struct msi_jitter_event event;
	struct klat_source_tick tick;

	if (!jitter->source.ops->timer_served(&jitter->source, now, &tick)) {
		hot->unexpected++;
		return IRQ_HANDLED;
	}
	event.seq = hot->cycle + tick.skipped;
	if (msi_jitter_beyond(jitter, event.seq)) {
		/* of the run's last cycles, those that were skipped */
		if (!msi_jitter_beyond(jitter, hot->cycle))
			hot->skipped += jitter->config.count - hot->cycle;
		hot->cycle = event.seq + 1;
		end(jitter);
		return IRQ_HANDLED;
	}
	hot->skipped += tick.skipped;
	hot->served++;
	WRITE_ONCE(hot->cycle, event.seq + 1);
	event.cpu = raw_smp_processor_id();
	event.stamp = now;
	event.after_due = signed_ticks(jitter, tick.after_due_ns);
	msi_jitter_count(jitter, &event);
	release(jitter);
	end_if_last(jitter, event.seq);
	return IRQ_HANDLED;
}

irqreturn_t msi_jitter_irq(int irq, void *context)
{
	u64 now = klat_clock();
	struct msi_jitter *jitter = context;

	return msi_jitter_by_device(jitter) ? arrived_by_itself(now, jitter) :
					      arrived(now, jitter);
}
