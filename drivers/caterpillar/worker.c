// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that works: a cycle with interrupts off, counted behind its second
 * stamp; then interrupts on, and others' turn.
 */
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>

#include "../core/pin.h"
#include "../core/report.h"
#include "../core/run.h"
#include "../core/worst.h"
#include "caterpillar.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* the longest that the thread works without sleeping */
#define REST_EVERY	HZ

/* Interrupts off */
static void count(struct caterpillar *cater, u64 seq, u64 end, u64 took)
{
	struct caterpillar_worker *worker = &cater->worker;
	const struct klat_disturb *disturb = NULL;
	struct klat_disturb delta;

	if (!(cater->config.flags & KLAT_CATERPILLAR_FLAG_NO_DISTURB)) {
		klat_disturb_sample(&cater->watch.meter, &delta);
		disturb = &delta;
	}
	if (klat_series_add(worker->series, took))
		klat_worst_record(worker->series, seq, took, disturb);
	klat_ring_push_same(worker->ring, seq, end, took, cater->config.cpu);
	caterpillar_sums_add(&cater->table.sample, took);
	if (took > worker->too_long)
		worker->nr_too_long++;
}

/* False: it was not on its CPU, which is about to go, or was */
static bool one_cycle(struct caterpillar *cater)
{
	struct caterpillar_worker *worker = &cater->worker;
	struct caterpillar_line *line = worker->line;
	u32 operations = worker->operations;
	u64 seq = worker->fired, start, end;

	klat_pin_again(cater->config.cpu);
	local_irq_disable();
	if (unlikely(smp_processor_id() != cater->config.cpu)) {
		local_irq_enable();
		return false;
	}
	start = klat_clock();
	line = caterpillar_walk(line, operations);
	end = klat_clock();
	count(cater, seq, end, end - start);
	local_irq_enable();

	if (worker->goes_on)
		worker->line = line;
	worker->fired = seq + 1;
	trace_caterpillar_cycle(seq, end, end - start);
	if (unlikely(end - start > worker->limit))
		klat_run_over_limit(&cater->bench, seq, end - start, cater->config.limit_ns,
				    cater->config.flags & KLAT_CATERPILLAR_FLAG_FREEZE_TRACE);
	klat_bench_wake_readers(&cater->bench);
	if (cater->bench.report.verbosity == KLAT_SAY_SAMPLES)
		klat_report_sample(&cater->bench, seq, end - start);
	return true;
}

/*
 * A cycle that counts for nothing: what the caches lost while the thread slept of
 * its own accord is no disturbance.
 */
static void warm_up(struct caterpillar_worker *worker)
{
	struct caterpillar_line *line = caterpillar_walk(worker->line, worker->operations);

	if (worker->goes_on)
		worker->line = line;
}

/*
 * Kernels that preempt have done so when interrupts went on; those that do not are
 * asked here. The thread is an ordinary one, so its share of the CPU is a fair one.
 * Sleep is for those that wait for a moment when it does not run at all (SCHED_IDLE,
 * RCU's tasks).
 */
static void give_way(struct caterpillar_worker *worker, unsigned long *rest_at)
{
	cond_resched();
	if (time_before(jiffies, *rest_at))
		return;
	schedule_timeout_idle(1);
	warm_up(worker);
	*rest_at = jiffies + REST_EVERY;
}

static bool must_stop(struct caterpillar *cater)
{
	return klat_run_must_stop(&cater->bench) || kthread_should_stop();
}

/* False: the run was ended before the sample was complete */
static bool one_sample(struct caterpillar *cater, unsigned long *rest_at)
{
	u32 done = 0;

	while (done < cater->config.cycles) {
		if (must_stop(cater) || klat_watch_clock_bad(&cater->bench, &cater->watch))
			return false;
		done += one_cycle(cater);
		give_way(&cater->worker, rest_at);
	}
	caterpillar_table_add(cater);
	return true;
}

int caterpillar_work(void *arg)
{
	struct caterpillar *cater = arg;
	unsigned long rest_at = jiffies + REST_EVERY;
	s64 samples = cater->config.samples;
	s64 done = 0;

	warm_up(&cater->worker);
	while (samples < 0 || done < samples) {
		if (!one_sample(cater, &rest_at))
			return 0;
		done++;
	}
	/* to no effect if the last cycle has ended it in another way */
	klat_run_end(&cater->bench, KLAT_DONE, 0, 0, "all samples were taken");
	return 0;
}
