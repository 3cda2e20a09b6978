/* SPDX-License-Identifier: GPL-2.0 */
/*
 * caterpillar: how much the time of the same work on memory varies.
 *
 *   params.c    what insmod takes
 *   config.c    what KLAT_CONFIG takes; both end in struct klat_caterpillar_config
 *   main.c      the module, and a run's start and stop
 *   buffer.c    the memory that is worked on, and the way through it
 *   prefetch.c  the CPU's prefetchers, off and back on
 *   trial.c     what one cycle takes, before interrupts are off for all of it
 *   worker.c    the thread that works, and what is counted of each cycle
 *   walk.h      the work itself
 *   sums.c      mean and deviation of many values
 *   table.c     the line of each sample: debugfs' table, the kernel log
 */
#ifndef KLAT_CATERPILLAR_H
#define KLAT_CATERPILLAR_H

#include <linux/notifier.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <klat/caterpillar.h>

#include "../core/bench.h"
#include "../core/watch.h"
#include "sums.h"
#include "walk.h"

#define CATERPILLAR_VERSION		"0.1"
#define CATERPILLAR_RING_DEFAULT	8192

/* Pages of the direct map: their huge mappings are used without one of our own */
struct caterpillar_buffer {
	void **page;		/* PAGE_SIZE each, with a reference */
	u32 nr_pages;
	u32 nr_huge;		/* whole 2 MiB that are mapped as such */
	struct caterpillar_line *first;
};

/* Bits of the CPU's MSR that switch its prefetchers off */
struct caterpillar_prefetch {
	unsigned int cpu;
	u64 mask;		/* the bits; 0: nothing was switched */
	u64 was;		/* and what they were */
};

/* A sample, as the table has it: all in ticks but its number */
struct caterpillar_row {
	u64 number;		/* from 1 */
	u64 min, max, deviation;
	u64 session_min, session_max, session_deviation;
};

#define CATERPILLAR_ROWS	64

struct caterpillar_table {
	spinlock_t lock;	/* @nr and @row */
	u64 nr;			/* rows made; the latest CATERPILLAR_ROWS are kept */
	struct caterpillar_row row[CATERPILLAR_ROWS];
	/* the worker's */
	struct caterpillar_sums sample, session;
	unsigned long say_at;	/* jiffies: no line for the log before */
	/* the workqueue's */
	struct work_struct say_work;
	bool headed;
};

/* The working thread's */
struct caterpillar_worker {
	struct task_struct *thread;
	struct klat_series *series;
	struct klat_ring *ring;
	struct caterpillar_line *line;	/* where the next cycle begins */
	u32 operations;
	bool goes_on;			/* where the cycle before ended */
	u64 limit;			/* ticks, U64_MAX: none */
	u64 too_long;			/* ticks that START would not have accepted */
	u64 nr_too_long;
	u64 warm_ticks;
	u64 fired;
};

struct caterpillar {
	struct klat_bench bench;
	struct klat_caterpillar_config config;
	struct klat_watch watch;
	struct notifier_block reboot_notifier;
	bool down;			/* no more runs: the system is shutting down */
	struct caterpillar_buffer buffer;
	struct caterpillar_prefetch prefetch;
	struct caterpillar_table table;
	struct caterpillar_worker worker ____cacheline_aligned;
};

static inline struct caterpillar *caterpillar_of(struct klat_bench *bench)
{
	return container_of(bench, struct caterpillar, bench);
}

/* params.c */
void caterpillar_params(struct klat_caterpillar_config *config);
enum klat_verbosity caterpillar_param_verbosity(void);
bool caterpillar_param_autostart(void);

/* config.c */
int caterpillar_configure(struct klat_bench *bench, const void *config,
			  struct klat_refusal *refusal);

/* buffer.c */
int caterpillar_buffer_make(struct caterpillar_buffer *buffer,
			    const struct klat_caterpillar_config *config,
			    struct klat_refusal *refusal);
void caterpillar_buffer_free(struct caterpillar_buffer *buffer);

/* prefetch.c: nothing is to be put back if off() fails */
int caterpillar_prefetch_off(struct caterpillar_prefetch *prefetch, unsigned int cpu,
			     struct klat_refusal *refusal);
void caterpillar_prefetch_restore(struct caterpillar_prefetch *prefetch);
/* Which of the bits are set now; below 0: unknown */
s64 caterpillar_prefetch_now(const struct caterpillar_prefetch *prefetch);

/* trial.c: finds warm_ticks, and refuses what is too long */
int caterpillar_try(struct caterpillar *cater, struct klat_refusal *refusal);

/* worker.c */
int caterpillar_work(void *arg);

/* table.c */
void caterpillar_table_init(struct caterpillar_table *table);
/* Forgets the run before */
void caterpillar_table_prepare(struct caterpillar_table *table);
/* The sample is complete: makes its row */
void caterpillar_table_add(struct caterpillar *cater);
void caterpillar_table_report(struct caterpillar *cater, struct seq_buf *text);
/* After the module's other files */
void caterpillar_table_publish(struct caterpillar *cater);

#endif /* KLAT_CATERPILLAR_H */
