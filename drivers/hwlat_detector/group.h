/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which gaps of several CPUs are one event, and who was looking meanwhile.
 *
 * Two gaps overlap if each begins before the other ends; all gaps that overlaps
 * connect, directly or by way of others, are one event. It lasts from the first
 * begin to the last end. A CPU with no gap in it was looking, and so was quiet, if
 * one of its windows covers the event from begin to end.
 *
 * An event is told when nothing can join it any more: when it ended at or before
 * the horizon, the least begin of the windows that are going on (a CPU between two
 * windows cannot find a gap before now). So what an event is made of depends on
 * the stamps alone, not on who ended its window first.
 *
 * The file compiles in user space too, where the unit tests run this very code.
 */
#ifndef KLAT_HWLAT_DETECTOR_GROUP_H
#define KLAT_HWLAT_DETECTOR_GROUP_H

#include <linux/types.h>

struct hwlat_gap {
	u64 begin;		/* ticks, like the next */
	u64 end;
	u64 mono;		/* of the begin, ns, like the next two */
	u64 real;
	u64 trace;
	u32 known;		/* KLAT_KNOWN_* of the next two */
	u32 smi;
	u32 nmi;
	u32 cpu;		/* its number in the run: an index, not the kernel's */
	u32 kind;		/* enum klat_hwlat_detector_kind */
};

struct hwlat_span {
	u64 begin;
	u64 end;
};

struct hwlat_group {
	u32 nr_cpus;
	u32 nr;			/* gaps that wait for their event to be over */
	u32 room;
	struct hwlat_gap *gap;
	/* the latest windows of each CPU, the oldest overwritten by the next */
	u32 nr_spans;
	struct hwlat_span *span;
	u64 *looked;		/* how many windows each had */
};

/*
 * @nr_spans: how many windows of a CPU are remembered, a power of two: those that it may
 * have while an event waits for another CPU to end its window; @room: for so many gaps
 */
int hwlat_group_init(struct hwlat_group *group, u32 nr_cpus, u32 nr_spans, u32 room);
void hwlat_group_free(struct hwlat_group *group);

/* CPU @cpu looked from @begin to @end, after all windows that it had before */
void hwlat_group_looked(struct hwlat_group *group, u32 cpu, u64 begin, u64 end);

/* False if there is no room */
bool hwlat_group_add(struct hwlat_group *group, const struct hwlat_gap *gap);

/* In the order of their begins; ahead of going through the events */
void hwlat_group_sort(struct hwlat_group *group);

/*
 * The event that begins with gap number @first: how many gaps it has, and in @span
 * from when to when it lasts. 0: there is none that is over at the @horizon.
 */
u32 hwlat_group_event(const struct hwlat_group *group, u32 first, u64 horizon,
		      struct hwlat_span *span);

/* Was @cpu looking all through @event, and none of its @nr gaps is its own? */
bool hwlat_group_quiet(const struct hwlat_group *group, u32 cpu, const struct hwlat_gap *gap,
		       u32 nr, const struct hwlat_span *event);

/* Forgets the first @nr gaps, which have been told */
void hwlat_group_drop(struct hwlat_group *group, u32 nr);

#endif /* KLAT_HWLAT_DETECTOR_GROUP_H */
