/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/klat/caterpillar: how much the time of the same work on memory varies.
 *
 * A thread on one CPU does test cycles: @operations reads, each followed by a
 * write, in a buffer of its own, with interrupts off for that cycle and on between
 * two. A cycle's time is one value. @cycles of them are one sample, which has a
 * line of the table. Of klat_status, asked and fired are test cycles.
 */
#ifndef _UAPI_KLAT_CATERPILLAR_H
#define _UAPI_KLAT_CATERPILLAR_H

#include <klat/klat.h>

/* The series, by number */
enum klat_caterpillar_series {
	/* one test cycle */
	KLAT_CATERPILLAR_CYCLE = 0,
	KLAT_CATERPILLAR_NR_SERIES,
};

/* klat_caterpillar_config.flags */
/*
 * switch the CPU's prefetchers off during the run (MSR 0x1A4), and back after it;
 * EOPNOTSUPP from START on a CPU that has no such switch
 */
#define KLAT_CATERPILLAR_FLAG_NO_PREFETCH	(1U << 0)
/* do not read the disturbance counters */
#define KLAT_CATERPILLAR_FLAG_NO_DISTURB	(1U << 1)
/* freeze the kernel trace (tracing_on = 0) at the first cycle above the limit */
#define KLAT_CATERPILLAR_FLAG_FREEZE_TRACE	(1U << 2)
/* do not hold the CPU out of deep idle states (PM QoS 0 us) during the run */
#define KLAT_CATERPILLAR_FLAG_ALLOW_IDLE	(1U << 3)

/* klat_caterpillar_config.walk */
enum klat_caterpillar_walk {
	/*
	 * from line to line in an order that no prefetcher can follow: one cycle
	 * through all lines of the buffer, chosen at random but the same each time
	 */
	KLAT_CATERPILLAR_PERMUTED = 0,
	/* one line after the other */
	KLAT_CATERPILLAR_STRIDE,
};

#define KLAT_CATERPILLAR_LINE		64U		/* bytes */
#define KLAT_CATERPILLAR_BUFFER_MIN	4096ULL		/* 4 KiB */
#define KLAT_CATERPILLAR_BUFFER_MAX	1073741824ULL	/* 1 GiB */
#define KLAT_CATERPILLAR_OPERATIONS_MAX	10000000U
#define KLAT_CATERPILLAR_CYCLES_MAX	10000000U
#define KLAT_CATERPILLAR_CYCLE_MAX	10000000ULL	/* 10 ms with interrupts off */
#define KLAT_CATERPILLAR_RING_MIN	64U
#define KLAT_CATERPILLAR_RING_MAX	1048576U

/**
 * struct klat_caterpillar_config - KLAT_CONFIG
 * @size: sizeof(struct klat_caterpillar_config)
 * @flags: KLAT_CATERPILLAR_FLAG_*
 * @cpu: the CPU that works; online
 * @walk: enum klat_caterpillar_walk
 * @cycles: test cycles a sample, 1 .. KLAT_CATERPILLAR_CYCLES_MAX
 * @operations: operations a test cycle, 1 .. KLAT_CATERPILLAR_OPERATIONS_MAX. START
 *	refuses (EINVAL) if one cycle then takes longer than KLAT_CATERPILLAR_CYCLE_MAX.
 * @ring_entries: room for raw cycles, a power of two, KLAT_CATERPILLAR_RING_MIN ..
 *	KLAT_CATERPILLAR_RING_MAX; 0 takes the default, 8,192
 * @reserved: zero
 * @samples: how many samples; below 0: without end; not 0
 * @buffer: bytes, a multiple of KLAT_CATERPILLAR_BUFFER_MIN,
 *	KLAT_CATERPILLAR_BUFFER_MIN .. KLAT_CATERPILLAR_BUFFER_MAX, and at most half
 *	of the memory that is available (MemAvailable of /proc/meminfo; ENOMEM)
 * @limit_ns: end the run at the first cycle that takes longer; up to
 *	KLAT_LIMIT_MAX; 0: never
 *
 * Settings: cpu, prio, latency_qos_us and prefetch_off (the bits of the MSR), which
 * the run asks for; and what it found: huge_pages (how many 2 MiB pages the buffer
 * has; the rest is pages of the usual size), warm_ticks (what the one cycle took
 * that START tried, the caches warm), long_cycles (how many took longer than
 * KLAT_CATERPILLAR_CYCLE_MAX all the same).
 * Between two cycles interrupts are on, and the thread gives way to others if they
 * wait; at least once a second it sleeps for a moment.
 */
struct klat_caterpillar_config {
	__u32 size;
	__u32 flags;
	__u32 cpu;
	__u32 walk;
	__u32 cycles;
	__u32 operations;
	__u32 ring_entries;
	__u32 reserved;
	__s64 samples __attribute__((aligned(8)));
	__aligned_u64 buffer;
	__aligned_u64 limit_ns;
};

#endif /* _UAPI_KLAT_CATERPILLAR_H */
