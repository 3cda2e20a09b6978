/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The ABI of the klat devices, /dev/klat/<module>.
 *
 * Every benchmark module makes one character device (mode 0600, binary) that
 * takes the same nine commands; only the struct of KLAT_CONFIG, and with some what
 * read() gives, differ and are defined in the module's own header beside this one.
 *
 * Sizes
 *   Every command's argument is a pointer to a struct whose first member is its
 *   size as the caller knows it. A caller built against an older header passes
 *   a smaller size (not below the size of the command's first version); a
 *   caller built against a newer one passes a larger size, and is refused with
 *   E2BIG only if a byte that this kernel does not know is not zero. The kernel
 *   writes at most the caller's size, and leaves its own size in the member.
 *   Members named reserved, and flags without a definition, must be zero.
 *
 * Units
 *   Values and times of samples are ticks of the clock that KLAT_INFO
 *   describes; nanoseconds = ticks * 10^9 / clock_hz.
 *
 * Ownership
 *   CONFIG, START, STOP and RESET make the file the device's owner, if it has
 *   none; the last close() of the file ends the ownership, the run, and the
 *   configuration. A run that insmod started belongs to the module until it
 *   has ended. INFO, STATUS, STATS, HIST and CPU need no ownership at any time.
 *   Only the owner may read() samples; while nobody but the module owns the
 *   run, any file may.
 *
 * Errors common to all commands
 *   ENOTTY      no such command
 *   EFAULT      a pointer cannot be read or written
 *   EINVAL      the size is below the command's smallest, or a member is out
 *               of its range
 *   E2BIG       the size is above the kernel's and the surplus is not zero, or
 *               above a page
 *   EOPNOTSUPP  a flag that this module or interrupt source cannot do; CPU of a
 *               module that measures on one CPU only
 *   EBUSY       another owner, or not possible while the run is RUNNING
 *   EALREADY    STOP with nothing running
 *   EPERM       START without CAP_SYS_RAWIO
 *   ENODEV      START found no device to use, or the device vanished
 *   ENOMEM      not enough memory
 *   EINTR       a signal came while the command waited; nothing was done
 * Whenever CONFIG or START is refused, the sentence that says why (the member,
 * its value and the allowed range) is in klat_status.refusal for that file.
 */
#ifndef _UAPI_KLAT_KLAT_H
#define _UAPI_KLAT_KLAT_H

#include <linux/types.h>
#include <linux/ioctl.h>

#define KLAT_ABI_VERSION	1U

#define KLAT_IOC_TYPE		0xEF

enum klat_cmd {
	KLAT_CMD_INFO = 0x80,
	KLAT_CMD_CONFIG,
	KLAT_CMD_START,
	KLAT_CMD_STOP,
	KLAT_CMD_STATUS,
	KLAT_CMD_STATS,
	KLAT_CMD_HIST,
	KLAT_CMD_RESET,
	KLAT_CMD_CPU,
};

#define KLAT_INFO	_IO(KLAT_IOC_TYPE, KLAT_CMD_INFO)
#define KLAT_CONFIG	_IO(KLAT_IOC_TYPE, KLAT_CMD_CONFIG)
#define KLAT_START	_IO(KLAT_IOC_TYPE, KLAT_CMD_START)
#define KLAT_STOP	_IO(KLAT_IOC_TYPE, KLAT_CMD_STOP)
#define KLAT_STATUS	_IO(KLAT_IOC_TYPE, KLAT_CMD_STATUS)
#define KLAT_STATS	_IO(KLAT_IOC_TYPE, KLAT_CMD_STATS)
#define KLAT_HIST	_IO(KLAT_IOC_TYPE, KLAT_CMD_HIST)
#define KLAT_RESET	_IO(KLAT_IOC_TYPE, KLAT_CMD_RESET)
#define KLAT_CPU	_IO(KLAT_IOC_TYPE, KLAT_CMD_CPU)

#define KLAT_NAME_LEN		16	/* with the final NUL */
#define KLAT_TEXT_LEN		192	/* with the final NUL */
#define KLAT_MAX_SERIES		8
#define KLAT_MAX_WORST		16
#define KLAT_MAX_SETTINGS	16
#define KLAT_CPU_ALL		0xffffffffU
#define KLAT_LIMIT_MAX		3600000000000ULL	/* 1 h, of any limit_ns */

/* klat_info.clock_flags */
#define KLAT_CLOCK_INVARIANT	(1U << 0)	/* same rate in every power state */
#define KLAT_CLOCK_STABLE	(1U << 1)	/* the kernel trusts it now */

/**
 * struct klat_info - KLAT_INFO: what this module is and how it counts
 * @size: sizeof(struct klat_info)
 * @abi: KLAT_ABI_VERSION of the module
 * @module: its name, as in /dev/klat/<module>
 * @version: its version
 * @nr_series: how many of @series are in use
 * @nr_buckets: buckets of a histogram, KLAT_HIST_BUCKETS
 * @config_size: size of the struct that KLAT_CONFIG takes
 * @sample_size: size of the struct that read() gives
 * @clock_hz: ticks a second of the clock of all stamps
 * @clock_cost: ticks between two stamps with nothing between them (the least
 *	of many pairs). Never subtracted from a result.
 * @disturb_cost: ticks that reading the disturbance counters takes (the least
 *	of many)
 * @clock_flags: KLAT_CLOCK_*
 * @reserved: zero
 * @series: the series' names, in the order of their numbers
 */
struct klat_info {
	__u32 size;
	__u32 abi;
	char module[KLAT_NAME_LEN];
	char version[KLAT_NAME_LEN];
	__u32 nr_series;
	__u32 nr_buckets;
	__u32 config_size;
	__u32 sample_size;
	__aligned_u64 clock_hz;
	__aligned_u64 clock_cost;
	__aligned_u64 disturb_cost;
	__u32 clock_flags;
	__u32 reserved;
	char series[KLAT_MAX_SERIES][KLAT_NAME_LEN];
};

/**
 * struct klat_simple - KLAT_START, KLAT_STOP, KLAT_RESET
 * @size: sizeof(struct klat_simple)
 * @flags: zero
 *
 * START forgets the statistics and samples of the run before. RESET forgets
 * them without starting. STOP returns when the run is over and every setting
 * of the machine is put back.
 */
struct klat_simple {
	__u32 size;
	__u32 flags;
};

/* klat_disturb.known: which of the counters this machine has */
#define KLAT_KNOWN_SMI		(1U << 0)
#define KLAT_KNOWN_NMI		(1U << 1)
#define KLAT_KNOWN_IRQ		(1U << 2)
#define KLAT_KNOWN_APERF	(1U << 3)	/* aperf and mperf */
#define KLAT_KNOWN_STEAL	(1U << 4)

/**
 * struct klat_disturb - what else happened on a CPU, as differences
 * @known: KLAT_KNOWN_*; a counter without its bit is unknown, not zero
 * @reserved: zero
 * @smi: system management interrupts (MSR_SMI_COUNT, 0x34)
 * @nmi: non-maskable interrupts
 * @irq: interrupts other than the measured one
 * @aperf: clock cycles that the core did (MSR 0xE8)
 * @mperf: clock cycles at the base frequency in the same time (MSR 0xE7)
 * @steal: nanoseconds that a hypervisor took; known per run, not per sample
 *
 * Read on the measuring CPU after the measured interval closed: with a sample
 * the difference covers the time since that CPU's previous sample, not the
 * sample alone.
 */
struct klat_disturb {
	__u32 known;
	__u32 reserved;
	__aligned_u64 smi;
	__aligned_u64 nmi;
	__aligned_u64 irq;
	__aligned_u64 aperf;
	__aligned_u64 mperf;
	__aligned_u64 steal;
};

/**
 * struct klat_setting - something about the machine that the run asked for, or
 *	found
 * @name: what
 * @flags: KLAT_SETTING_*
 * @reserved: zero
 * @asked: what the run needs it to be
 * @before: what was in effect when the run had started
 * @after: what was in effect when the run ended; unknown while RUNNING, when
 *	the device is not asked
 */
struct klat_setting {
	char name[KLAT_NAME_LEN];
	__u32 flags;
	__u32 reserved;
	__s64 asked __attribute__((aligned(8)));
	__s64 before __attribute__((aligned(8)));
	__s64 after __attribute__((aligned(8)));
};

#define KLAT_SETTING_ASKED	(1U << 0)	/* @asked means something */
#define KLAT_SETTING_BEFORE	(1U << 1)	/* @before is known */
#define KLAT_SETTING_AFTER	(1U << 2)	/* @after is known */

enum klat_state {
	KLAT_IDLE = 0,		/* never started, or RESET */
	KLAT_RUNNING,
	KLAT_DONE,		/* took all the samples it was asked for */
	KLAT_STOPPED,		/* by STOP, close() or rmmod, or at the limit */
	KLAT_FAILED,		/* see error and message */
};

/* klat_status.flags */
#define KLAT_RUN_LIMIT		(1U << 0)	/* stopped by a sample above the limit */
#define KLAT_RUN_CLOCK_UNSTABLE	(1U << 1)	/* the clock was unstable at the start */
#define KLAT_RUN_MODULE		(1U << 2)	/* the module's own: insmod, debugfs */

/**
 * struct klat_status - KLAT_STATUS: the run, and what was asked and in effect
 * @size: sizeof(struct klat_status)
 * @state: enum klat_state
 * @error: errno (positive) of a FAILED run
 * @flags: KLAT_RUN_*
 * @run: number of the run since the module was loaded; 0 before the first
 * @asked: events to be measured; 0 for a run without end
 * @fired: events that were requested so far
 * @seen: events that were measured so far
 * @missed: periods in which no request was made because the event before was
 *	still outstanding
 * @late: periods in which no request was made because the requesting thread
 *	came too late itself
 * @unanswered: requests given up after their time-out; never measured
 * @unexpected: interrupts that nobody had requested
 * @elsewhere: events measured on another CPU than asked
 * @clipped: values that an offset would have made negative, counted as 0; each
 *	series that the offset applies to counts for itself
 * @ring_lost: samples that found the ring full
 * @start_mono: CLOCK_MONOTONIC of the start, ns
 * @start_real: CLOCK_REALTIME of the start, ns
 * @duration: ns from the start to the end of the run, or to now
 * @disturb: sums over the run on the CPU that took the samples
 * @source: name of the interrupt source in use, "" for none
 * @device: name of its device, "" for none
 * @nr_settings: how many of @settings are in use
 * @reserved: zero
 * @settings: what was asked and what was in effect
 * @message: why the run ended as it did, "" while it runs
 * @refusal: why CONFIG or START last refused this file, "" if it did not
 */
struct klat_status {
	__u32 size;
	__u32 state;
	__u32 error;
	__u32 flags;
	__aligned_u64 run;
	__aligned_u64 asked;
	__aligned_u64 fired;
	__aligned_u64 seen;
	__aligned_u64 missed;
	__aligned_u64 late;
	__aligned_u64 unanswered;
	__aligned_u64 unexpected;
	__aligned_u64 elsewhere;
	__aligned_u64 clipped;
	__aligned_u64 ring_lost;
	__aligned_u64 start_mono;
	__aligned_u64 start_real;
	__aligned_u64 duration;
	struct klat_disturb disturb;
	char source[KLAT_NAME_LEN];
	char device[KLAT_NAME_LEN];
	__u32 nr_settings;
	__u32 reserved;
	struct klat_setting settings[KLAT_MAX_SETTINGS];
	char message[KLAT_TEXT_LEN];
	char refusal[KLAT_TEXT_LEN];
};

/**
 * struct klat_worst - one of the largest values of a series
 * @value: the value, ticks
 * @seq: number of the event, as in struct klat_sample
 * @mono: CLOCK_MONOTONIC when it was recorded, ns
 * @real: CLOCK_REALTIME then, ns
 * @trace: the trace clock ("local") then, ns
 * @disturb: what happened on that CPU since its previous sample
 * @cpu: the CPU it was measured on
 * @reserved: zero
 */
struct klat_worst {
	__aligned_u64 value;
	__aligned_u64 seq;
	__aligned_u64 mono;
	__aligned_u64 real;
	__aligned_u64 trace;
	struct klat_disturb disturb;
	__u32 cpu;
	__u32 reserved;
};

/**
 * struct klat_stats - KLAT_STATS: one series' statistics at one moment
 * @size: sizeof(struct klat_stats)
 * @series: in: number of the series
 * @cpu: in: whose values, or KLAT_CPU_ALL for all together
 * @nr_worst: how many of @worst are in use
 * @count: values; with 0 all that follows is 0 and means "no data"
 * @min: the least, ticks
 * @max: the largest, ticks
 * @sum_lo: sum of the values, low 64 bits
 * @sum_hi: sum of the values, high 64 bits
 * @squares: sum of the squares, 192 bits, lowest word first
 * @worst: the largest values, largest first (not those equal to 0)
 */
struct klat_stats {
	__u32 size;
	__u32 series;
	__u32 cpu;
	__u32 nr_worst;
	__aligned_u64 count;
	__aligned_u64 min;
	__aligned_u64 max;
	__aligned_u64 sum_lo;
	__aligned_u64 sum_hi;
	__aligned_u64 squares[3];
	struct klat_worst worst[KLAT_MAX_WORST];
};

/**
 * struct klat_hist - KLAT_HIST: one series' histogram at one moment
 * @size: sizeof(struct klat_hist)
 * @series: in: number of the series
 * @cpu: in: whose values, or KLAT_CPU_ALL for all together
 * @nr: in: how many buckets @buckets has room for, 0 .. nr_buckets; the first
 *	@nr buckets are written
 * @count: all values of the series at that moment: the sum of all its buckets
 * @buckets: in: pointer to an array of __u64
 */
struct klat_hist {
	__u32 size;
	__u32 series;
	__u32 cpu;
	__u32 nr;
	__aligned_u64 count;
	__aligned_u64 buckets;
};

/* klat_cpu.state */
enum klat_cpu_state {
	KLAT_CPU_UNUSED = 0,	/* the run does not measure on it */
	KLAT_CPU_USED,		/* it does, or did until the run was over */
	KLAT_CPU_MISSING,	/* it should, but the CPU went offline */
};

/**
 * struct klat_cpu - KLAT_CPU: one CPU's part in a run on several
 * @size: sizeof(struct klat_cpu)
 * @cpu: in: the CPU, below the kernel's number of possible ones (else EINVAL)
 * @state: enum klat_cpu_state
 * @absences: how often it went missing
 * @missing_since: CLOCK_MONOTONIC when it last did, ns; 0: never
 * @missing: ns that it was missing in all, up to now
 * @disturb: sums over the run on this CPU
 */
struct klat_cpu {
	__u32 size;
	__u32 cpu;
	__u32 state;
	__u32 absences;
	__aligned_u64 missing_since;
	__aligned_u64 missing;
	struct klat_disturb disturb;
};

/**
 * struct klat_sample - what read() gives, as many as fit (klat_info.sample_size may
 *	be larger: then more follows each, see the module's header)
 * @seq: number of the event in its run, from 0; numbers that are missing were
 *	lost (full ring), or never measured (unanswered)
 * @time: the stamp that closed the interval, ticks
 * @value: the raw value, ticks
 * @cpu: the CPU it was measured on
 * @series: number of the series
 * @reserved: zero
 *
 * read() blocks until there is a sample (O_NONBLOCK: EAGAIN) and returns 0 when
 * the run is over and all samples have been read, or none was ever started.
 * A buffer smaller than one sample is EINVAL; a file that may not read (see
 * Ownership) gets EBUSY, and POLLERR from poll().
 */
struct klat_sample {
	__aligned_u64 seq;
	__aligned_u64 time;
	__aligned_u64 value;
	__u32 cpu;
	__u16 series;
	__u16 reserved;
};

#endif /* _UAPI_KLAT_KLAT_H */
