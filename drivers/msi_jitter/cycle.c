// SPDX-License-Identifier: GPL-2.0
/*
 * Who keeps the cycle: a hard timer of the kernel that asks for the interrupts,
 * or a timer of the device; then the kernel's only watches.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/smp.h>

#include "../compat/hrtimer.h"
#include "../core/run.h"
#include "msi_jitter.h"

/* an interrupt that has not come by then never will, unless all stood still */
#define UNANSWERED_NS		NSEC_PER_SEC
#define READ_TRIES		4
/* for the last one to come, at the end of a run */
#define LAST_LOOKS		100
#define LAST_LOOK_US		100

static bool outstanding(struct msi_jitter *jitter)
{
	/* pairs with the release in the handler */
	return smp_load_acquire(&jitter->exchange.pending);
}

/*
 * Both clocks at one moment: what comes in between (an SMI) would be taken for a
 * deviation, and is kept out by trying again.
 */
static u64 read_clocks(struct msi_jitter *jitter, ktime_t *time)
{
	u64 before, after, took;
	int tries = 0;

	do {
		before = klat_clock();
		*time = ktime_get();
		after = klat_clock();
		took = after - before;
		jitter->reading = min(jitter->reading, took);
	} while (took > 2 * jitter->reading && ++tries < READ_TRIES);
	return after;
}

/*
 * The stamp that belongs to @due, which has just passed. The clock that the
 * timer runs on and that of the stamps may run at slightly different rates: over
 * the short time in between that is nothing.
 */
static u64 stamp_of(struct msi_jitter *jitter, ktime_t due)
{
	ktime_t time;
	u64 now = read_clocks(jitter, &time);
	s64 behind = ktime_sub(time, due);

	return now - klat_ns_to_ticks(&jitter->bench.clock, max_t(s64, behind, 0));
}

static void fire(struct msi_jitter *jitter, ktime_t due)
{
	struct msi_jitter_exchange *exchange = &jitter->exchange;

	exchange->seq = jitter->cycle;
	jitter->fired_at = ktime_get();
	jitter->overdue = 0;
	exchange->due = stamp_of(jitter, due);
	/* pairs with the acquire in the handler */
	smp_store_release(&exchange->pending, true);
	jitter->fired++;
	if (klat_source_fire(&jitter->source, &exchange->shot)) {
		exchange->pending = false;
		jitter->fired--;
		jitter->missed++;	/* a lost device has said so itself */
	}
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

/*
 * After a machine has stood still (a guest without its host) both interrupts are
 * pending, and the timer's goes first. So it takes two looks: between them the
 * other one has its turn.
 */
static void give_up_if_overdue(struct msi_jitter *jitter)
{
	if (ktime_sub(ktime_get(), jitter->fired_at) > UNANSWERED_NS && jitter->overdue++)
		give_up(jitter);
}

static void one_cycle(struct msi_jitter *jitter, ktime_t due)
{
	if (!outstanding(jitter)) {
		fire(jitter, due);
		return;
	}
	jitter->missed++;
	give_up_if_overdue(jitter);
}

/* All were asked for: waits for the last one */
static void after_last(struct msi_jitter *jitter)
{
	if (!outstanding(jitter))
		klat_run_end(&jitter->bench, KLAT_DONE, 0, 0, "all cycles are over");
	else
		give_up_if_overdue(jitter);
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
	if (seen != jitter->seen_before) {
		jitter->seen_before = seen;
		jitter->overdue = 0;
	} else if (jitter->overdue++) {
		jitter->exchange.seq = seen;
		give_up(jitter);
		return HRTIMER_NORESTART;
	}
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

int msi_jitter_cycle_prepare(struct msi_jitter *jitter, struct klat_refusal *refusal)
{
	const struct klat_msi_jitter_config *config = &jitter->config;
	bool by_device = msi_jitter_by_device(jitter);

	jitter->reading = U64_MAX;
	klat_hrtimer_setup(&jitter->timer, by_device ? watch : request, CLOCK_MONOTONIC,
			   HRTIMER_MODE_ABS_PINNED_HARD);
	if (!by_device)
		return 0;
	return klat_source_timer_start(&jitter->source,
				       config->timer == KLAT_MSI_JITTER_TIMER_TCPTIMER ?
				       KLAT_SOURCE_TCPTIMER : KLAT_SOURCE_TARGETTIME,
				       config->period_ns, refusal);
}

/* The run holds the CPUs: they cannot go meanwhile */
void msi_jitter_cycle_go(struct msi_jitter *jitter)
{
	const struct klat_msi_jitter_config *config = &jitter->config;

	smp_call_function_single(msi_jitter_by_device(jitter) ? config->irq_cpu :
				 config->timer_cpu, start_here, jitter, true);
}

void msi_jitter_cycle_stop(struct msi_jitter *jitter)
{
	int looks = 0;

	hrtimer_cancel(&jitter->timer);
	while (outstanding(jitter) && looks++ < LAST_LOOKS)
		usleep_range(LAST_LOOK_US, 2 * LAST_LOOK_US);
	jitter->source.ops->pause(&jitter->source);
}
