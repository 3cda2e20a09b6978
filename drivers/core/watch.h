/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every run holds and watches on its measuring CPU: idle states kept away,
 * disturbance counters, stolen time, and whether the clock is still trusted. A run
 * on several CPUs has a watch for each, one of which holds off the idle states.
 */
#ifndef KLAT_CORE_WATCH_H
#define KLAT_CORE_WATCH_H

#include <linux/pm_qos.h>

#include "disturb.h"
#include "settings.h"

struct klat_bench;

struct klat_watch {
	struct klat_disturb_meter meter;	/* the hot side's */
	unsigned int cpu;
	bool disturb;
	bool hold_latency;
	bool clock_was_stable;
	bool steal_known;
	u64 steal_start;
	struct pm_qos_request qos;
};

/* @disturb: count what disturbs @cpu; @hold_latency: no deep idle states */
void klat_watch_start(struct klat_watch *watch, unsigned int cpu, bool disturb,
		      bool hold_latency);
void klat_watch_stop(struct klat_watch *watch);

/* Ends the run FAILED if the clock was trusted at the start and no longer is */
bool klat_watch_clock_bad(struct klat_bench *bench, const struct klat_watch *watch);

/* What the meter has summed up, and stolen time */
void klat_watch_disturb(const struct klat_watch *watch, struct klat_disturb *disturb);
/* The same, of a run with one CPU */
void klat_watch_counters(const struct klat_watch *watch, struct klat_status *status);
/* Between start and stop */
void klat_watch_settings(struct klat_watch *watch, struct klat_settings *settings);

#endif /* KLAT_CORE_WATCH_H */
