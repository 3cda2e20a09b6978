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
 */
#ifndef KLAT_MSI_LAT_H
#define KLAT_MSI_LAT_H

#include <klat/msi_lat.h>

#include "../core/bench.h"
#include "../core/watch.h"
#include "../source/source.h"

#define MSI_LAT_VERSION		"0.1"
#define MSI_LAT_RING_DEFAULT	8192

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
	bool claimed;			/* the hard half has left the shot to the thread */
	u64 handled;			/* the handler's stamp, for the thread */
	u64 worst_latency;		/* for the thread: not 0 if one was found */
	struct klat_told told;		/* the last one, with verbosity 3 */
	u64 unexpected;
	u64 elsewhere;
	u64 clipped;
	struct klat_disturb delta;	/* of the shot in hand */
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
	struct klat_watch watch;	/* its meter is the interrupt's CPU's, too */

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
};

static inline struct msi_lat *msi_lat_of(struct klat_bench *bench)
{
	return container_of(bench, struct msi_lat, bench);
}

/* params.c */
void msi_lat_params(struct klat_msi_lat_config *config);
enum klat_verbosity msi_lat_param_verbosity(void);
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

#endif /* KLAT_MSI_LAT_H */
