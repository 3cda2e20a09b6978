/* SPDX-License-Identifier: GPL-2.0 */
/*
 * msi_lat: how long from asking a device for a message-signalled interrupt to
 * its handler and its interrupt thread.
 *
 *   params.c    what insmod takes
 *   config.c    what KLAT_CONFIG takes; both end in struct klat_msi_lat_config
 *   main.c      the module, and a run's start and stop
 *   trigger.c   the thread that asks
 *   handler.c   the interrupt and what is counted in it
 *   report.c    the text for people
 */
#ifndef KLAT_MSI_LAT_H
#define KLAT_MSI_LAT_H

#include <linux/kfifo.h>
#include <linux/pm_qos.h>
#include <linux/ratelimit_types.h>
#include <klat/msi_lat.h>

#include "../core/bench.h"
#include "../core/disturb.h"
#include "../source/source.h"

#define MSI_LAT_VERSION		"0.1"
#define MSI_LAT_RING_DEFAULT	8192

enum msi_lat_verbosity {
	MSI_LAT_SILENT = 0,
	MSI_LAT_RESULTS,	/* the final block */
	MSI_LAT_SECONDS,	/* also one line a second */
	MSI_LAT_SAMPLES,	/* also each sample, rate-limited */
};

/* A sample for the log */
struct msi_lat_told {
	u64 seq;
	u64 raw;
};

/* What the interrupt's CPU writes; the trigger only looks */
struct msi_lat_hot {
	struct klat_series *latency;
	struct klat_series *service;	/* NULL in mode hard, like thread */
	struct klat_series *thread;
	struct klat_ring *ring;
	u64 offset;			/* ticks */
	u64 limit;			/* ticks, U64_MAX: none */
	u64 extras_above;		/* ticks: the limit, or 0 if all have extras */
	unsigned int cpu;		/* where it shall arrive */
	bool disturb;
	u64 handled;			/* the handler's stamp, for the thread */
	u64 worst_latency;		/* for the thread: not 0 if one was found */
	struct msi_lat_told told;	/* the last one, with verbosity 3 */
	u64 unexpected;
	u64 elsewhere;
	u64 clipped;
	struct klat_disturb delta;	/* of the shot in hand */
	struct klat_disturb_meter meter;
};

/* What both sides look at with every shot */
struct msi_lat_exchange {
	struct klat_shot shot;
	u64 seq;
	bool pending;	/* set by the trigger, cleared when the shot is counted */
};

struct msi_lat {
	struct klat_bench bench;
	struct klat_msi_lat_config config;

	struct msi_lat_exchange exchange ____cacheline_aligned;
	struct msi_lat_hot hot ____cacheline_aligned;

	/* the trigger's */
	struct task_struct *trigger ____cacheline_aligned;
	struct klat_series *write;
	struct klat_series *flush;
	u64 fired;
	u64 missed;
	u64 late;
	u64 unanswered;
	unsigned int unanswered_in_a_row;
	ktime_t fired_at;

	struct klat_source source;
	struct pm_qos_request qos;
	bool clock_was_stable;
	u64 steal_start;
	bool steal_known;
	/* of the run that is over, when its device is no longer there to ask */
	struct klat_status last;
	struct klat_setting before[KLAT_MAX_SETTINGS];

	/* the log; runs started through the device are silent */
	enum msi_lat_verbosity verbosity;
	struct delayed_work second_work;
	struct work_struct sample_work;
	struct ratelimit_state sample_limit;
	DECLARE_KFIFO(told, struct msi_lat_told, 16);
};

/* The series that the run is about; while the run, or its result, is there */
static inline const struct klat_series *msi_lat_main_series(const struct msi_lat *msi)
{
	return msi->hot.service ?: msi->hot.latency;
}

static inline struct msi_lat *msi_lat_of(struct klat_bench *bench)
{
	return container_of(bench, struct msi_lat, bench);
}

/* params.c */
void msi_lat_params(struct klat_msi_lat_config *config);
enum msi_lat_verbosity msi_lat_param_verbosity(void);
bool msi_lat_param_autostart(void);

/* config.c */
int msi_lat_configure(struct klat_bench *bench, const void *config,
		      struct klat_refusal *refusal);

/* trigger.c */
int msi_lat_trigger(void *arg);

/* handler.c */
/* mode hard: all of it; mode thread: first the hard half, then the thread */
irqreturn_t msi_lat_irq(int irq, void *context);
irqreturn_t msi_lat_irq_first(int irq, void *context);
irqreturn_t msi_lat_irq_thread(int irq, void *context);

/* Interrupts off; @disturb NULL: unknown */
void msi_lat_new_worst(struct msi_lat *msi, struct klat_series *series, u64 value,
		       const struct klat_disturb *disturb);

/* report.c */
void msi_lat_report_init(struct msi_lat *msi);
/* At a run's start and stop; the stop on the benchmark's workqueue */
void msi_lat_report_start(struct msi_lat *msi);
void msi_lat_report_stop(struct msi_lat *msi);
/* Any number of times while it runs: the trigger saw a shot counted */
void msi_lat_report_sample(struct msi_lat *msi);
void msi_lat_report_final(struct klat_bench *bench);
void msi_lat_report_show(struct klat_bench *bench, struct seq_file *file);

#endif /* KLAT_MSI_LAT_H */
