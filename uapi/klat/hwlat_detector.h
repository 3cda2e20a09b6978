/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/klat/hwlat_detector: time that is taken from CPUs behind the kernel's back.
 *
 * On every chosen CPU a thread looks, with interrupts off, for @width_ns out of
 * every @window_ns: it takes stamp after stamp, and finds a gap wherever two that
 * follow each other are more than the threshold apart. No instruction lies between
 * two stamps but the detector's own, so a gap is time in which the CPU did
 * something else: a system management interrupt (SMI), a non-maskable interrupt
 * (NMI), or a hypervisor's.
 *
 * A pair of stamps with nothing but the comparison between them is inner; the
 * pair around the end of the loop's body is outer. The two take turns.
 *
 * Gaps of several CPUs that overlap in time are one event: two gaps overlap if each
 * begins before the other ends, and all that overlaps connect, directly or by way of
 * others, belong together. The event is told (read()) when every CPU that looked at
 * that time has ended its window.
 *
 * Of klat_status, asked is 0, fired counts the windows that were looked through, seen
 * the gaps above the threshold, late the windows that were left out because their
 * thread came when there was next to nothing left of them, and ring_lost the records
 * that were lost, and gaps that are counted but belong to no event because a window
 * had too many. disturb is the sum over the CPUs.
 *
 * Of klat_worst, seq is the number of the event for gaps (the largest number there is
 * for one that belongs to none), and else of the window on its CPU, from 0.
 */
#ifndef _UAPI_KLAT_HWLAT_DETECTOR_H
#define _UAPI_KLAT_HWLAT_DETECTOR_H

#include <klat/klat.h>

/* The series, by number; each has a part of every CPU */
enum klat_hwlat_detector_series {
	/* a gap above the threshold, inner or outer */
	KLAT_HWLAT_DETECTOR_GAP = 0,
	/*
	 * every gap, also those of the loop's own step; with FLAG_STEPS only. Its worst
	 * list has the longest of each window.
	 */
	KLAT_HWLAT_DETECTOR_STEP,
	/*
	 * how long a window looked: one value a window, so their sum is the time
	 * that this CPU was really looked at
	 */
	KLAT_HWLAT_DETECTOR_LOOKED,
	KLAT_HWLAT_DETECTOR_NR_SERIES,
};

/* klat_hwlat_detector_config.flags */
/* all CPUs begin their windows together; without it they are staggered */
#define KLAT_HWLAT_DETECTOR_FLAG_ALIGNED	(1U << 0)
/* keep the series step: costs instructions in the loop */
#define KLAT_HWLAT_DETECTOR_FLAG_STEPS		(1U << 1)
/* do not read the disturbance counters */
#define KLAT_HWLAT_DETECTOR_FLAG_NO_DISTURB	(1U << 2)
/* freeze the kernel trace (tracing_on = 0) at the first gap above the limit */
#define KLAT_HWLAT_DETECTOR_FLAG_FREEZE_TRACE	(1U << 3)
/* do not hold the CPUs out of deep idle states (PM QoS 0 us) during the run */
#define KLAT_HWLAT_DETECTOR_FLAG_ALLOW_IDLE	(1U << 4)

#define KLAT_HWLAT_DETECTOR_THRESHOLD_MIN	20ULL		/* 20 ns */
#define KLAT_HWLAT_DETECTOR_THRESHOLD_MAX	1000000000ULL	/* 1 s */
#define KLAT_HWLAT_DETECTOR_WINDOW_MIN		1000000ULL	/* 1 ms */
#define KLAT_HWLAT_DETECTOR_WINDOW_MAX		10000000000ULL	/* 10 s */
#define KLAT_HWLAT_DETECTOR_WIDTH_MIN		100000ULL	/* 100 us */
/* with interrupts off any longer the kernel's watchdogs would bark */
#define KLAT_HWLAT_DETECTOR_WIDTH_MAX		2000000000ULL	/* 2 s */
/* what a window must leave to the CPU's other work */
#define KLAT_HWLAT_DETECTOR_REST_MIN		50000ULL	/* 50 us */
#define KLAT_HWLAT_DETECTOR_DURATION_MAX	31536000000000000ULL /* 365 d */
#define KLAT_HWLAT_DETECTOR_RING_MIN		64U
#define KLAT_HWLAT_DETECTOR_RING_MAX		1048576U

/**
 * struct klat_hwlat_detector_config - KLAT_CONFIG
 * @size: sizeof(struct klat_hwlat_detector_config)
 * @flags: KLAT_HWLAT_DETECTOR_FLAG_*
 * @ring_entries: room for records, a power of two, KLAT_HWLAT_DETECTOR_RING_MIN ..
 *	KLAT_HWLAT_DETECTOR_RING_MAX, and at least one for each CPU; 0 takes the
 *	default, 8,192
 * @reserved: zero
 * @window_ns: from the begin of one look to the begin of the next on the same CPU,
 *	KLAT_HWLAT_DETECTOR_WINDOW_MIN .. KLAT_HWLAT_DETECTOR_WINDOW_MAX
 * @width_ns: how long each look lasts, KLAT_HWLAT_DETECTOR_WIDTH_MIN ..
 *	KLAT_HWLAT_DETECTOR_WIDTH_MAX, and at least KLAT_HWLAT_DETECTOR_REST_MIN
 *	below @window_ns
 * @threshold_ns: a longer gap is recorded, KLAT_HWLAT_DETECTOR_THRESHOLD_MIN ..
 *	KLAT_HWLAT_DETECTOR_THRESHOLD_MAX. START refuses less than two of the loop's
 *	own steps, which are measured then.
 * @limit_ns: end the run at the first gap that is longer; up to KLAT_LIMIT_MAX;
 *	0: never
 * @duration_ns: end the run (DONE) after that time, up to
 *	KLAT_HWLAT_DETECTOR_DURATION_MAX; 0: without end
 * @cpus: the CPUs to look at, as the kernel writes lists of them ("0-3,6"): each
 *	present and online; "": all that are online
 *
 * A CPU of the list that goes offline during the run is missing from then on, and
 * taken up again when it comes back; see KLAT_CPU. The run fails (ENODEV) only when
 * none is left.
 *
 * Settings: cpus (how many look), prio (0: SCHED_OTHER) and latency_qos_us, which
 * the run asks for; and what it found: step (the loop's own step, ticks, the least
 * of many on the CPU where it is longest), cpus_missing (how many of the CPUs were
 * missing at any time).
 */
struct klat_hwlat_detector_config {
	__u32 size;
	__u32 flags;
	__u32 ring_entries;
	__u32 reserved;
	__aligned_u64 window_ns;
	__aligned_u64 width_ns;
	__aligned_u64 threshold_ns;
	__aligned_u64 limit_ns;
	__aligned_u64 duration_ns;
	char cpus[KLAT_TEXT_LEN];
};

/* What a record says of one CPU */
enum klat_hwlat_detector_kind {
	KLAT_HWLAT_DETECTOR_INNER = 0,	/* a gap */
	KLAT_HWLAT_DETECTOR_OUTER,	/* a gap */
	/*
	 * it was looking from the event's first begin to its last end, and had no gap
	 * above the threshold
	 */
	KLAT_HWLAT_DETECTOR_QUIET,
};

/**
 * struct klat_hwlat_detector_record - what read() gives: a CPU's part in an event
 * @sample: seq: number of the event, from 0; time: the stamp after the gap, so it
 *	began at time - value (QUIET: the end of the event); value: the length, ticks
 *	(QUIET: 0); cpu; series: enum klat_hwlat_detector_kind
 * @start_mono: CLOCK_MONOTONIC of the gap's begin (QUIET: of the event's), ns
 * @start_real: CLOCK_REALTIME then, ns
 * @known: KLAT_KNOWN_SMI, KLAT_KNOWN_NMI: which of the next two mean something
 * @smi: SMIs counted on this CPU from its gap before in the same window, or from
 *	the begin of the window, to the end of this one; QUIET: 0 and not known
 * @nmi: NMIs likewise
 * @nr_cpus: how many records this event has; they follow each other: gaps in the
 *	order of their begins, then the quiet CPUs. A CPU may have several gaps.
 *
 * CPUs that were chosen but have no record in an event were not looking then, or not
 * all the time. What happened between two windows cannot be told.
 */
struct klat_hwlat_detector_record {
	struct klat_sample sample;
	__aligned_u64 start_mono;
	__aligned_u64 start_real;
	__u32 known;
	__u32 smi;
	__u32 nmi;
	__u32 nr_cpus;
};

#endif /* _UAPI_KLAT_HWLAT_DETECTOR_H */
