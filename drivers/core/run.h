/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of a run: IDLE, RUNNING, then DONE, STOPPED or FAILED.
 */
#ifndef KLAT_CORE_RUN_H
#define KLAT_CORE_RUN_H

#include "bench.h"

void klat_run_init(struct klat_run *run);

/* Starts a run; under bench->lock */
int klat_run_start(struct klat_bench *bench, bool by_module, struct klat_refusal *refusal);

/*
 * Says that the run is over and how: @state DONE, STOPPED or FAILED with
 * @error, KLAT_RUN_* @flags and a sentence. The first to say it wins. Returns at
 * once, from any context but an NMI; the benchmark's stop() follows on its
 * workqueue.
 */
__printf(5, 6)
void klat_run_end(struct klat_bench *bench, enum klat_state state, int error, u32 flags,
		  const char *fmt, ...);

/*
 * Ends the run at sample @seq, whose value is above the limit; with @freeze the
 * kernel trace stops here, too.
 */
void klat_run_over_limit(struct klat_bench *bench, u64 seq, u64 ticks, u64 limit_ns,
			 bool freeze);

/*
 * The same for a benchmark that says the end in its own words: it does if this
 * is true. Else the end was said already; the limit is noted.
 */
bool klat_run_limit_ends(struct klat_bench *bench, bool freeze);

/* Waits until an end that was said has been carried out; not under bench->lock */
void klat_run_wait(struct klat_bench *bench);

/*
 * For start(): the run needs @cpu; its going offline will end the run before
 * the CPU is gone, or be the benchmark's cpu_gone() to deal with.
 */
int klat_run_use_cpu(struct klat_bench *bench, unsigned int cpu,
		     struct klat_refusal *refusal);

/* Hotplug: @cpu is there; @cpu is about to go */
void klat_run_cpu_online(struct klat_bench *bench, unsigned int cpu);
void klat_run_cpu_offline(struct klat_bench *bench, unsigned int cpu);

static inline bool klat_run_must_stop(const struct klat_bench *bench)
{
	return READ_ONCE(bench->run.must_stop);
}

#endif /* KLAT_CORE_RUN_H */
