/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text for people: debugfs' current_value and the kernel log. The lines of
 * the results block are those of Intel ECI's modules. Nothing is printed here:
 * a module's lines go through its own say().
 */
#ifndef KLAT_CORE_REPORT_H
#define KLAT_CORE_REPORT_H

#include <linux/kfifo.h>
#include <linux/ratelimit_types.h>
#include <linux/workqueue.h>

struct klat_bench;
struct klat_clock_info;
struct klat_series;
struct seq_file;

/*
 * To the nearest, of the exact mean: whole ticks would do where they are fractions of
 * a nanosecond, but there are clocks of 25 MHz. 0 for a series without values.
 */
u64 klat_mean_ns(const struct klat_clock_info *clock, const struct klat_series *series);

/* What goes to the log of a run that insmod started */
enum klat_verbosity {
	KLAT_SILENT = 0,
	KLAT_SAY_RESULTS,	/* the final block */
	KLAT_SAY_SECONDS,	/* also one line a second */
	KLAT_SAY_SAMPLES,	/* also samples, rate-limited */
};

/* A sample for the log */
struct klat_told {
	u64 seq;
	u64 ticks;
};

struct klat_report {
	enum klat_verbosity asked;	/* of the module's parameter */
	enum klat_verbosity verbosity;	/* of this run */
	struct delayed_work second_work;
	struct work_struct sample_work;
	struct ratelimit_state sample_limit;
	DECLARE_KFIFO(told, struct klat_told, 16);
};

void klat_report_init(struct klat_report *report, enum klat_verbosity asked);
/* Before a run, whose samples may come at once */
void klat_report_prepare(struct klat_report *report, bool by_module);
/* At a run's start and stop; the stop on the benchmark's workqueue */
void klat_report_start(struct klat_bench *bench);
void klat_report_stop(struct klat_bench *bench);
/* One sample for the log, from one context that may be a hard interrupt */
void klat_report_sample(struct klat_bench *bench, u64 seq, u64 ticks);
/* The results, when a run is over */
void klat_report_final(struct klat_bench *bench);
/* The results as they are, for debugfs */
void klat_report_show(struct klat_bench *bench, struct seq_file *file);

#endif /* KLAT_CORE_REPORT_H */
