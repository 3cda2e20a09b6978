/* SPDX-License-Identifier: GPL-2.0 */
/*
 * msi_jitter: how far cyclic interrupts stray from their cycle.
 *
 *   params.c    what insmod takes
 *   config.c    what KLAT_CONFIG takes; both end in struct klat_msi_jitter_config
 *   main.c      the module, and a run's start and stop
 *   cycle.c     the timer that asks for the interrupts
 *   handler.c   the interrupt: where it belongs on the grid
 *   count.c     what is counted of it
 *
 * The grid. Cycle n is due at start + n * period on the clock of the timer that
 * keeps the cycle. Its interrupt's deviation is the time from there to the
 * handler's stamp, less the phase: what lies between in any case.
 */
#ifndef KLAT_MSI_JITTER_H
#define KLAT_MSI_JITTER_H

#include <linux/hrtimer.h>
#include <klat/msi_jitter.h>

#include "../core/bench.h"
#include "../core/watch.h"
#include "../core/worst.h"
#include "../source/source.h"

#define MSI_JITTER_VERSION	"0.1"
#define MSI_JITTER_RING_DEFAULT	8192

/* An interrupt, as its handler saw it; all in ticks */
struct msi_jitter_event {
	u64 seq;	/* number of its cycle */
	u64 stamp;
	s64 after_due;	/* from its cycle's place to the stamp */
	u32 cpu;
};

/* One that came before the phase was known */
struct msi_jitter_first {
	struct msi_jitter_event event;
	struct klat_disturb disturb;
	struct klat_moment moment;
};

/* What the interrupt's CPU writes */
struct msi_jitter_hot {
	struct klat_series *delta;
	struct klat_series *early;
	struct klat_series *late;
	struct klat_ring *ring;
	s64 phase;
	s64 last_after_due;		/* of the interrupt before */
	u64 seen;
	u64 limit;			/* ticks, S64_MAX: none */
	s64 extras_above;		/* ticks: the limit, or -1 if all have extras */
	unsigned int cpu;		/* where it shall arrive */
	/* with a timer of the device */
	u64 cycle;			/* the next one's number */
	u64 served;			/* how many had an interrupt */
	u64 skipped;			/* and how many had none */
	u64 unexpected;
	u64 elsewhere;
	struct klat_disturb disturb;	/* since the interrupt before */
	/* kept until the phase is known, which then goes for them, too */
	unsigned int nr_first;
	bool phase_known;
	struct msi_jitter_first first[KLAT_MSI_JITTER_PHASE];
};

/* What timer and handler look at with every cycle */
struct msi_jitter_exchange {
	struct klat_shot shot;
	u64 seq;
	u64 due;	/* the cycle's place, as a stamp */
	bool pending;	/* set by the timer, cleared when the interrupt is counted */
};

struct msi_jitter {
	struct klat_bench bench;
	struct klat_msi_jitter_config config;

	struct msi_jitter_exchange exchange ____cacheline_aligned;
	struct msi_jitter_hot hot ____cacheline_aligned;
	struct klat_watch watch;

	/* the timer's */
	struct hrtimer timer ____cacheline_aligned;
	u64 cycle;		/* the next one's number */
	u64 fired;
	u64 missed;
	u64 late;
	u64 unanswered;
	ktime_t fired_at;
	unsigned int overdue;	/* looks in a row that found its time over */
	u64 seen_before;	/* when the watch for silence looked last */
	u64 reading;		/* ticks that reading both clocks takes, the least */

	struct klat_source source;
};

static inline struct msi_jitter *msi_jitter_of(struct klat_bench *bench)
{
	return container_of(bench, struct msi_jitter, bench);
}

static inline bool msi_jitter_by_device(const struct msi_jitter *jitter)
{
	return jitter->config.timer != KLAT_MSI_JITTER_TIMER_HRTIMER;
}

/* Is cycle @seq beyond those that were asked for? */
static inline bool msi_jitter_beyond(const struct msi_jitter *jitter, u64 seq)
{
	return jitter->config.count > 0 && seq >= jitter->config.count;
}

/* params.c */
void msi_jitter_params(struct klat_msi_jitter_config *config);
enum klat_verbosity msi_jitter_param_verbosity(void);
bool msi_jitter_param_autostart(void);

/* config.c */
int msi_jitter_configure(struct klat_bench *bench, const void *config,
			 struct klat_refusal *refusal);

/* cycle.c */
/* Can whoever is to keep the cycle do so? */
int msi_jitter_cycle_prepare(struct msi_jitter *jitter, struct klat_refusal *refusal);
void msi_jitter_cycle_go(struct msi_jitter *jitter);
/* No handler runs after it */
void msi_jitter_cycle_stop(struct msi_jitter *jitter);

/* handler.c */
irqreturn_t msi_jitter_irq(int irq, void *context);

/* count.c */
/* On the interrupt's CPU, interrupts off, like the next */
void msi_jitter_count(struct msi_jitter *jitter, const struct msi_jitter_event *event);
/* Takes the phase from what there is: a run that was too short for it */
void msi_jitter_settle(struct msi_jitter *jitter);

#endif /* KLAT_MSI_JITTER_H */
