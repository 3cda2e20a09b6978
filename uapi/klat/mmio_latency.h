/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/klat/mmio_latency: how long one read of a device register takes.
 *
 * A thread reads in bursts, one read right after the other, and sleeps between
 * the bursts, at least as long as the burst took. Whether the device is there is
 * asked before and after each burst: the readings of a burst after which it is
 * not are never counted, whatever they were. Of klat_status, fired are the reads
 * made, and unanswered those of them that were discarded so.
 */
#ifndef _UAPI_KLAT_MMIO_LATENCY_H
#define _UAPI_KLAT_MMIO_LATENCY_H

#include <klat/klat.h>

/* The series, by number */
enum klat_mmio_latency_series {
	/* from before the read to its value being there */
	KLAT_MMIO_LATENCY_READ = 0,
	/* from the end of a read to the begin of the next one in the same burst */
	KLAT_MMIO_LATENCY_GAP,
	KLAT_MMIO_LATENCY_NR_SERIES,
};

/* klat_mmio_latency_config.flags */
/* interrupts off during each read, and on between two (block_irq) */
#define KLAT_MMIO_LATENCY_FLAG_BLOCK_IRQ	(1U << 0)
/* read even if a driver holds the device, or comes: a read can change its state */
#define KLAT_MMIO_LATENCY_FLAG_FORCE		(1U << 1)
/* @address is used instead of @bdf, @bar and @offset */
#define KLAT_MMIO_LATENCY_FLAG_PHYSICAL		(1U << 2)
/* do not read the disturbance counters with the worst samples */
#define KLAT_MMIO_LATENCY_FLAG_NO_DISTURB	(1U << 3)
/* freeze the kernel trace (tracing_on = 0) at the first value above the limit */
#define KLAT_MMIO_LATENCY_FLAG_FREEZE_TRACE	(1U << 4)
/* do not hold the CPUs out of deep idle states (PM QoS 0 us) during the run */
#define KLAT_MMIO_LATENCY_FLAG_ALLOW_IDLE	(1U << 5)

#define KLAT_MMIO_LATENCY_PAUSE_MIN	10000ULL	/* 10 us */
#define KLAT_MMIO_LATENCY_PAUSE_MAX	3600000000000ULL /* 1 h */
#define KLAT_MMIO_LATENCY_BURST_MAX	64U
#define KLAT_MMIO_LATENCY_OUTLIER_MAX	1000000000ULL	/* 1 s */
#define KLAT_MMIO_LATENCY_RING_MIN	64U
#define KLAT_MMIO_LATENCY_RING_MAX	1048576U

/**
 * struct klat_mmio_latency_config - KLAT_CONFIG
 * @size: sizeof(struct klat_mmio_latency_config)
 * @flags: KLAT_MMIO_LATENCY_FLAG_*
 * @cpu: the CPU that reads; online
 * @width: bytes of a read: 1, 2, 4 or 8
 * @bar: number of the base address register, 0 .. 5
 * @burst: reads one after the other, 1 .. KLAT_MMIO_LATENCY_BURST_MAX
 * @ring_entries: room for samples, a power of two, KLAT_MMIO_LATENCY_RING_MIN ..
 *	KLAT_MMIO_LATENCY_RING_MAX; 0 takes the default, 8,192
 * @reserved: zero
 * @pause_ns: before the first burst, and from the end of one to the begin of the
 *	next, KLAT_MMIO_LATENCY_PAUSE_MIN .. KLAT_MMIO_LATENCY_PAUSE_MAX. A pause
 *	lasts at least as long as the burst before it.
 * @count: reads to make; below 0: without end; not 0 (loops)
 * @limit_ns: end the run at the first read that takes longer, and the burst with
 *	it; up to KLAT_LIMIT_MAX; 0: never
 * @mmio_outlier_ns: a read that takes longer is counted as an mmio-outlier, up
 *	to KLAT_MMIO_LATENCY_OUTLIER_MAX
 * @sched_outlier_ns: a gap that is longer is counted as a sched-outlier, up to
 *	KLAT_MMIO_LATENCY_OUTLIER_MAX
 * @address: physical address of the register, with FLAG_PHYSICAL; else 0
 * @offset: of the register in the BAR, without; with it 0, like @bar
 * @bdf: PCI address of the device, without; with or without the domain. With
 *	it "".
 *
 * The register must lie, aligned to its width, in an enabled memory BAR of a
 * PCI device. CONFIG refuses what can be seen from the numbers alone, START with
 *   EINVAL  the address is RAM, or in no memory BAR; beyond the BAR's end; an
 *           I/O or unassigned BAR, or there is none; a virtual function
 *   ENXIO   the BAR is not enabled, the device is not in D0 or does not answer
 *   EBUSY   a driver holds the device, or somebody the BAR, without FLAG_FORCE
 *   EPERM   without CAP_SYS_RAWIO, and on a kernel that is locked down
 *   ENODEV  there is no such device
 *
 * A run ends FAILED, "device lost", when the device is removed, when what ENXIO
 * stands for comes about, and without FLAG_FORCE when a driver takes it.
 *
 * Settings: cpu, prio and latency_qos_us, which the run asks for; and what it
 * found: bar, offset, width, value (the last one read, all its bits), prefetchable
 * (1: a read may be served by a bridge's prefetch), bound (1: a driver holds the
 * device), aspm (of the link: bit 0 L0s, bit 1 L1), mmio_outliers and
 * sched_outliers.
 * Samples are of the series read. The disturbance counters are read once a burst:
 * with a worst value they cover the time since the burst before, less one
 * interrupt, that of the pause's timer.
 */
struct klat_mmio_latency_config {
	__u32 size;
	__u32 flags;
	__u32 cpu;
	__u32 width;
	__u32 bar;
	__u32 burst;
	__u32 ring_entries;
	__u32 reserved;
	__aligned_u64 pause_ns;
	__s64 count __attribute__((aligned(8)));
	__aligned_u64 limit_ns;
	__aligned_u64 mmio_outlier_ns;
	__aligned_u64 sched_outlier_ns;
	__aligned_u64 address;
	__aligned_u64 offset;
	char bdf[KLAT_NAME_LEN];
};

#endif /* _UAPI_KLAT_MMIO_LATENCY_H */
