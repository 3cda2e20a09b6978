/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hwlat_detector: time that is taken from CPUs behind the kernel's back.
 *
 *   params.c    what insmod takes
 *   config.c    what KLAT_CONFIG takes; both end in struct klat_hwlat_detector_config
 *   main.c      the module, and a run's start and stop
 *   cpus.c      the run's CPUs: memory, threads, going offline and coming back
 *   look.c      the loop that looks, and what it does with a gap
 *   window.c    the thread of a CPU: when it looks, and what it makes of it
 *   group.c     which gaps are one event
 *   collect.c   telling the events
 *   debugfs.c   the files of the classic detector
 */
#ifndef KLAT_HWLAT_DETECTOR_H
#define KLAT_HWLAT_DETECTOR_H

#include <linux/mutex.h>
#include <linux/sched.h>
#include <klat/hwlat_detector.h>

#include "../core/bench.h"
#include "../core/watch.h"
#include "../core/worst.h"
#include "group.h"

#define HWLAT_DETECTOR_VERSION		"0.1"
#define HWLAT_DETECTOR_RING_DEFAULT	8192

/* Gaps of a window that are kept one by one; the others are counted only */
#define HWLAT_GAPS	1024
/* Steps of fewer ticks have a counter each: buckets of the histogram are as exact */
#define HWLAT_STEPS	128
/* hwlat_cpu.since */
#define HWLAT_NOT_LOOKING	U64_MAX
/* klat_worst.seq of a gap that was not kept */
#define HWLAT_NO_EVENT		U64_MAX

/* A gap as the loop keeps it; the counters as they stood after it */
struct hwlat_seen {
	u64 begin;
	u64 length;
	u32 smi;
	u32 nmi;
	u32 kind;
};

/* The same moment on all clocks */
struct hwlat_moment {
	u64 ticks;
	struct klat_moment at;
};

/* What the loop uses, and nothing that another CPU writes meanwhile */
struct hwlat_loop {
	u64 end;		/* stop at this stamp; 0: at the next */
	u64 fast;		/* what is longer takes the slow path */
	u64 threshold;
	u64 recording;		/* what is longer is a gap in the recording of a gap */
	u64 limit;
	u64 first;		/* the first stamp and the last */
	u64 last;
	u64 blind;		/* ticks in the slow path */
	u64 longest;		/* of the steps that took the slow path */
	u64 longest_begin;
	u64 over;		/* a gap above the limit ended the window: its length */
	u64 lost;		/* gaps that were not kept */
	u32 known;		/* KLAT_KNOWN_SMI, KLAT_KNOWN_NMI: to be read */
	u32 nr;
	bool backwards;		/* a stamp was before the one before it */
	struct klat_series *spill;	/* gaps that were not kept */
	struct klat_series *step;	/* NULL: not asked for */
	u32 steps[HWLAT_STEPS] ____cacheline_aligned;
	struct hwlat_seen seen[HWLAT_GAPS];
};

struct hwlat;

struct hwlat_cpu {
	struct hwlat_loop loop;

	struct hwlat *hwlat ____cacheline_aligned;
	unsigned int cpu;
	u32 index;		/* its number in the run */
	struct task_struct *thread;	/* under hwlat->lock, like the next four */
	enum klat_cpu_state state;
	u32 absences;
	u64 missing_since;
	u64 missing;
	bool leave;		/* no window is begun any more */
	u64 since;		/* a stamp ahead of the window that is going on */
	u64 next;		/* CLOCK_MONOTONIC of the next window, ns */
	struct hwlat_moment opened;
	struct hwlat_moment closed;
	u32 smi;		/* as they stood when the window began */
	u32 nmi;
	u64 windows;
	u64 late;
	u64 step;		/* the loop's own, ticks */
	/* the gaps that were kept; their worst list is collect.c's */
	struct klat_series *gap;
	struct klat_series *looked;
	struct klat_watch watch;
};

struct hwlat {
	struct klat_bench bench;
	/* of the module's parameters and the files in debugfs; of whoever owns it */
	struct klat_hwlat_detector_config own;
	struct klat_hwlat_detector_config config;
	/* of the last run, whatever was configured since; under bench->lock */
	struct klat_hwlat_detector_config ran;

	/*
	 * Covers threads and states of the CPUs, between a run's start and end on one
	 * side and hotplug on the other. Whoever holds it does not wait for hotplug.
	 */
	struct mutex lock;
	bool alive;		/* the CPUs have threads, or are missing */
	bool going;		/* the threads look */
	u32 nr_cpus;
	u32 nr_ever_missing;
	struct hwlat_cpu **cpu;
	u64 step;
	u64 base;		/* CLOCK_MONOTONIC of the first window, ns */
	u64 until;		/* of the end of the run; U64_MAX: without end */
	struct cpumask cpus;

	/* Covers all that follows, and the series of gaps; taken by the threads */
	struct mutex collecting;
	struct hwlat_group group;
	u64 events;

	/* What the file "sample" gives: ticks of one gap, and when it began */
	struct klat_ring *samples;
	struct mutex samples_lock;	/* one reader at a time */
};

static inline struct hwlat *hwlat_of(struct klat_bench *bench)
{
	return container_of(bench, struct hwlat, bench);
}

/* params.c */
int hwlat_params(struct klat_hwlat_detector_config *config);
enum klat_verbosity hwlat_param_verbosity(void);
bool hwlat_param_autostart(void);

/* config.c */
int hwlat_check(const struct klat_hwlat_detector_config *config, struct klat_refusal *refusal);
int hwlat_configure(struct klat_bench *bench, const void *config,
		    struct klat_refusal *refusal);
/* The CPUs of a configuration; refused if it names one that is not online */
int hwlat_parse_cpus(const char *text, struct cpumask *cpus, struct klat_refusal *refusal);

/* cpus.c */
int hwlat_cpus_start(struct hwlat *hwlat, struct klat_refusal *refusal);
void hwlat_cpus_go(struct hwlat *hwlat);
void hwlat_cpus_halt(struct hwlat *hwlat);
void hwlat_cpus_stop(struct hwlat *hwlat);
void hwlat_cpus_free(struct hwlat *hwlat);
void hwlat_cpu_gone(struct klat_bench *bench, unsigned int cpu);
void hwlat_cpu_back(struct klat_bench *bench, unsigned int cpu);
void hwlat_cpu_tell(struct klat_bench *bench, struct klat_cpu *cpu);

/* look.c; with interrupts off, on the CPU */
void hwlat_look(struct hwlat_loop *loop);
/* The loop's own step, the least of many, ticks */
u64 hwlat_measure_step(struct hwlat_loop *loop, u64 ticks);
void hwlat_read_counters(u32 known, u32 *smi, u32 *nmi);

/* window.c */
int hwlat_thread(void *arg);

/* collect.c */
/* Tells what events are over, or @all; true if there were any; under hwlat->collecting */
bool hwlat_collect(struct hwlat *hwlat, bool all);
void hwlat_wake_readers(struct hwlat *hwlat);

/* main.c; values of a series on a CPU or KLAT_CPU_ALL, ticks; under bench->lock */
struct hwlat_total {
	u64 max;
	u64 sum;
};

int hwlat_total(struct hwlat *hwlat, u32 series, u32 cpu, struct hwlat_total *total);

/* debugfs.c */
void hwlat_debugfs_add(struct hwlat *hwlat);

#endif /* KLAT_HWLAT_DETECTOR_H */
