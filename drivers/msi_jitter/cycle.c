// SPDX-License-Identifier: GPL-2.0
/*
 * Who keeps the cycle: a hard timer of the kernel that asks for the interrupts,
 * or a timer of the device; then the kernel's only watches.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/smp.h>

#include "../compat/hrtimer.h"
#include "../core/run.h"
#include "msi_jitter.h"

/* an interrupt that has not come by then never will */
#define UNANSWERED_NS		NSEC_PER_SEC

static bool outstanding(struct msi_jitter *jitter)
{
	/* pairs with the release in the handler */
	return smp_load_acquire(&jitter->exchange.pending);
}

/*
 * The stamp that belongs to @due, which has just passed. The clock that the
 * timer runs on and that of the stamps may run at slightly different rates: over
 * the short time in between that is nothing.
 */
static u64 stamp_of(struct msi_jitter *jitter, ktime_t due)
{
	s64 behind = ktime_sub(ktime_get(), due);
	u64 now = klat_clock();

	return now - klat_ns_to_ticks(&jitter->bench.clock, max_t(s64, behind, 0));
}

static void fire(struct msi_jitter *jitter, ktime_t due)
{
	struct msi_jitter_exchange *exchange = &jitter->exchange;

	exchange->seq = jitter->cycle;
	jitter->fired_at = ktime_get();
	exchange->due = stamp_of(jitter, due);
	/* pairs with the acquire in the handler */
	smp_store_release(&exchange->pending, true);
	if (klat_source_fire(&jitter->source, &exchange->shot)) {
		exchange->pending = false;
		jitter->missed++;
		return;		/* a lost device has said so itself */
	}
	jitter->fired++;
}

static void give_up(struct msi_jitter *jitter)
{
	jitter->unanswered++;
	if (!jitter->source.ops->present(&jitter->source))
		klat_run_end(&jitter->bench, KLAT_FAILED, ENODEV, 0,
			     "device lost: it does not answer");
	else
		klat_run_end(&jitter->bench, KLAT_FAILED, ETIMEDOUT, 0,
			     "the interrupt of cycle %llu did not come within 1 s",
			     jitter->exchange.seq);
}

static void one_cycle(struct msi_jitter *jitter, ktime_t due)
{
	if (!outstanding(jitter)) {
		fire(jitter, due);
		return;
	}
	jitter->missed++;
	if (ktime_sub(ktime_get(), jitter->fired_at) > UNANSWERED_NS)
		give_up(jitter);
}

/* All were asked for: waits for the last one */
static void after_last(struct msi_jitter *jitter)
{
	if (!outstanding(jitter))
		klat_run_end(&jitter->bench, KLAT_DONE, 0, 0, "all cycles are over");
	else if (ktime_sub(ktime_get(), jitter->fired_at) > UNANSWERED_NS)
		give_up(jitter);
}

/* Of the @cycles that follow this one: those that were asked for */
static u64 within_run(struct msi_jitter *jitter, u64 cycles)
{
	if (jitter->config.count < 0)
		return cycles;
	return min_t(u64, cycles, jitter->config.count - jitter->cycle - 1);
}

static enum hrtimer_restart request(struct hrtimer *timer)
{
	struct msi_jitter *jitter = container_of(timer, struct msi_jitter, timer);
	ktime_t due = hrtimer_get_expires(timer);
	u64 passed;

	if (klat_run_must_stop(&jitter->bench) ||
	    klat_watch_clock_bad(&jitter->bench, &jitter->watch))
		return HRTIMER_NORESTART;
	if (msi_jitter_beyond(jitter, jitter->cycle))
		after_last(jitter);
	else
		one_cycle(jitter, due);
	/* cycles that have passed meanwhile are not made up for */
	passed = hrtimer_forward_now(timer, jitter->config.period_ns);
	if (!msi_jitter_beyond(jitter, jitter->cycle)) {
		jitter->late += within_run(jitter, passed - 1);
		jitter->cycle += passed;
	}
	return HRTIMER_RESTART;
}

/* A timer of the device that fell silent cannot say so */
static enum hrtimer_restart watch(struct hrtimer *timer)
{
	struct msi_jitter *jitter = container_of(timer, struct msi_jitter, timer);
	u64 seen = READ_ONCE(jitter->hot.cycle);

	if (klat_run_must_stop(&jitter->bench) ||
	    klat_watch_clock_bad(&jitter->bench, &jitter->watch))
		return HRTIMER_NORESTART;
	if (seen == jitter->seen_before) {
		jitter->exchange.seq = seen;
		give_up(jitter);
		return HRTIMER_NORESTART;
	}
	jitter->seen_before = seen;
	hrtimer_forward_now(timer, UNANSWERED_NS + jitter->config.period_ns);
	return HRTIMER_RESTART;
}

static void start_here(void *arg)
{
	struct msi_jitter *jitter = arg;
	u64 first = jitter->config.period_ns;

	if (msi_jitter_by_device(jitter))
		first += UNANSWERED_NS;
	hrtimer_start(&jitter->timer, ktime_add_ns(ktime_get(), first),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

int msi_jitter_cycle_start(struct msi_jitter *jitter, struct klat_refusal *refusal)
{
	const struct klat_msi_jitter_config *config = &jitter->config;
	bool by_device = msi_jitter_by_device(jitter);
	unsigned int cpu = by_device ? config->irq_cpu : config->timer_cpu;
	int ret;

	klat_hrtimer_setup(&jitter->timer, by_device ? watch : request, CLOCK_MONOTONIC,
			   HRTIMER_MODE_ABS_PINNED_HARD);
	if (by_device) {
		ret = klat_source_timer_start(&jitter->source,
					      config->timer == KLAT_MSI_JITTER_TIMER_TCPTIMER ?
					      KLAT_SOURCE_TCPTIMER : KLAT_SOURCE_TARGETTIME,
					      config->period_ns, refusal);
		if (ret)
			return ret;
	}
	ret = smp_call_function_single(cpu, start_here, jitter, true);
	if (ret)
		return klat_refuse(refusal, ret, "no timer on CPU %u (%d)", cpu, ret);
	return 0;
}

void msi_jitter_cycle_stop(struct msi_jitter *jitter)
{
	hrtimer_cancel(&jitter->timer);
}
