/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/klat/msi_jitter: how far a device's cyclic interrupts stray from their
 * cycle.
 *
 * Interrupt number n is due at its place on a grid of whole cycles that is laid
 * down when the run starts and never moves: one late interrupt does not shift
 * the others. The grid is on the clock of whoever keeps the cycle: CLOCK_MONOTONIC
 * with the timer hrtimer, the device's clock with the other timers. Between the
 * end of a cycle and the interrupt lies some time in any case (the timer, the
 * request, the message): the median of the run's first KLAT_MSI_JITTER_PHASE
 * interrupts is taken for it, added to the places of all, and published as the
 * setting phase_ns.
 */
#ifndef _UAPI_KLAT_MSI_JITTER_H
#define _UAPI_KLAT_MSI_JITTER_H

#include <klat/klat.h>

/* The series, by number */
enum klat_msi_jitter_series {
	/* |time since the interrupt before - that many cycles| */
	KLAT_MSI_JITTER_DELTA = 0,
	/* how much before its place the interrupt came; only those that did */
	KLAT_MSI_JITTER_EARLY,
	/* how much after its place; also those that came right at it, with 0 */
	KLAT_MSI_JITTER_LATE,
	KLAT_MSI_JITTER_NR_SERIES,
};

/* Who keeps the cycle */
enum klat_msi_jitter_timer {
	/* a hard high-resolution timer of the kernel, which requests the interrupt */
	KLAT_MSI_JITTER_TIMER_HRTIMER = 0,
	/* the device's clock, target time 0 (I210, I225, I226) */
	KLAT_MSI_JITTER_TIMER_TARGETTIME,
	/* the device's TCP timer, whole milliseconds up to 255 (I210) */
	KLAT_MSI_JITTER_TIMER_TCPTIMER,
	KLAT_MSI_JITTER_NR_TIMERS,
};

/* klat_msi_jitter_config.flags */
/* do not read the disturbance counters with every sample */
#define KLAT_MSI_JITTER_FLAG_NO_DISTURB		(1U << 0)
/* freeze the kernel trace (tracing_on = 0) at the first value above the limit */
#define KLAT_MSI_JITTER_FLAG_FREEZE_TRACE	(1U << 1)
/* do not hold the CPUs out of deep idle states (PM QoS 0 us) during the run */
#define KLAT_MSI_JITTER_FLAG_ALLOW_IDLE		(1U << 2)

#define KLAT_MSI_JITTER_PERIOD_MIN	50000ULL	/* 50 us */
#define KLAT_MSI_JITTER_PERIOD_MAX	10000000000ULL	/* 10 s */
#define KLAT_MSI_JITTER_RING_MIN	64U
#define KLAT_MSI_JITTER_RING_MAX	1048576U
#define KLAT_MSI_JITTER_PHASE		15

/**
 * struct klat_msi_jitter_config - KLAT_CONFIG
 * @size: sizeof(struct klat_msi_jitter_config)
 * @flags: KLAT_MSI_JITTER_FLAG_*
 * @irq_cpu: the CPU of the interrupt (coreSpecIRQ); online
 * @timer_cpu: the CPU of the timer hrtimer; online. Without meaning for the
 *	other timers.
 * @timer: enum klat_msi_jitter_timer; EOPNOTSUPP from START if the source's
 *	device does not have it
 * @ring_entries: room for samples, a power of two, KLAT_MSI_JITTER_RING_MIN ..
 *	KLAT_MSI_JITTER_RING_MAX; 0 takes the default, 8,192
 * @period_ns: the cycle (irqPeriod), KLAT_MSI_JITTER_PERIOD_MIN ..
 *	KLAT_MSI_JITTER_PERIOD_MAX
 * @count: cycles to measure; below 0: without end; not 0 (runTime / irqPeriod)
 * @limit_ns: end the run at the first interrupt that is more than this early
 *	or late; up to KLAT_LIMIT_MAX; 0: never
 * @source: "auto" or "", "igb", "igc", "e1000e", "edu", "soft": where the
 *	interrupt comes from
 * @bdf: PCI address of the device, "" if there is but one; with or without
 *	the domain
 *
 * Every interrupt gives one sample, of the series early or late. A cycle whose
 * interrupt was never requested, because the one before was still outstanding
 * (klat_status.missed) or the timer came too late itself (klat_status.late),
 * has none, and its number is left out.
 */
struct klat_msi_jitter_config {
	__u32 size;
	__u32 flags;
	__u32 irq_cpu;
	__u32 timer_cpu;
	__u32 timer;
	__u32 ring_entries;
	__aligned_u64 period_ns;
	__s64 count __attribute__((aligned(8)));
	__aligned_u64 limit_ns;
	char source[KLAT_NAME_LEN];
	char bdf[KLAT_NAME_LEN];
};

#endif /* _UAPI_KLAT_MSI_JITTER_H */
