/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/klat/msi_lat: from asking a device for a message-signalled interrupt to
 * its handler, its interrupt thread and a woken task.
 */
#ifndef _UAPI_KLAT_MSI_LAT_H
#define _UAPI_KLAT_MSI_LAT_H

#include <klat/klat.h>

/* The series, by number */
enum klat_msi_lat_series {
	/* request to first statement of the hard interrupt handler, less offset_ns */
	KLAT_MSI_LAT_LATENCY = 0,
	/* request to first statement of the interrupt thread, less offset_ns */
	KLAT_MSI_LAT_SERVICE,
	/* handler to first statement of the interrupt thread */
	KLAT_MSI_LAT_THREAD,
	/* request to the request's write retired by the CPU */
	KLAT_MSI_LAT_WRITE,
	/* request to the write known to have reached the device */
	KLAT_MSI_LAT_FLUSH,
	KLAT_MSI_LAT_NR_SERIES,
};

enum klat_msi_lat_mode {
	KLAT_MSI_LAT_MODE_THREAD = 0,	/* the interrupt is served by a thread */
	KLAT_MSI_LAT_MODE_HARD = 1,	/* by the hard interrupt handler alone */
};

/* klat_msi_lat_config.flags */
/* read a device register after the request: measures flush, and disturbs latency */
#define KLAT_MSI_LAT_FLAG_FLUSH		(1U << 0)
/* do not read the disturbance counters with every sample */
#define KLAT_MSI_LAT_FLAG_NO_DISTURB	(1U << 1)
/* freeze the kernel trace (tracing_on = 0) at the first value above the limit */
#define KLAT_MSI_LAT_FLAG_FREEZE_TRACE	(1U << 2)
/* do not hold the CPUs out of deep idle states (PM QoS 0 us) during the run */
#define KLAT_MSI_LAT_FLAG_ALLOW_IDLE	(1U << 3)

#define KLAT_MSI_LAT_PERIOD_MIN		10000ULL		/* 10 us */
#define KLAT_MSI_LAT_PERIOD_MAX		3600000000000ULL	/* 1 h */
#define KLAT_MSI_LAT_OFFSET_MAX		1000000000ULL		/* 1 s */
#define KLAT_MSI_LAT_BLOCK_MAX		10000000ULL		/* ticks */
#define KLAT_MSI_LAT_RING_MIN		64U
#define KLAT_MSI_LAT_RING_MAX		1048576U

/**
 * struct klat_msi_lat_config - KLAT_CONFIG
 * @size: sizeof(struct klat_msi_lat_config)
 * @flags: KLAT_MSI_LAT_FLAG_*
 * @irq_cpu: the CPU of the interrupt (coreSpecIRQ); online
 * @trigger_cpu: the CPU of the thread that requests it (coreSpecWQ); online
 * @mode: enum klat_msi_lat_mode (irqSpec)
 * @ring_entries: room for samples, a power of two, KLAT_MSI_LAT_RING_MIN ..
 *	KLAT_MSI_LAT_RING_MAX; 0 takes the default, 8,192
 * @period_ns: from one request to the next (irqPeriod), KLAT_MSI_LAT_PERIOD_MIN
 *	.. KLAT_MSI_LAT_PERIOD_MAX
 * @count: requests to make; below 0: without end; not 0 (irqCount)
 * @offset_ns: taken off latency and service before they are published, up to
 *	KLAT_MSI_LAT_OFFSET_MAX; samples keep the raw value (offsetStart)
 * @block_ticks: how long the trigger's CPU keeps interrupts off after the
 *	request, up to KLAT_MSI_LAT_BLOCK_MAX (blockIRQ)
 * @limit_ns: end the run at the first raw latency (mode hard) or service (mode
 *	thread) above this; up to KLAT_LIMIT_MAX; 0: never
 * @source: "auto" or "", "igb", "igc", "e1000e", "edu", "soft": where the
 *	interrupt comes from
 * @bdf: PCI address of the device, "" if there is but one; with or without
 *	the domain
 *
 * Samples in the ring are of the series latency (mode hard) or service (mode
 * thread).
 */
struct klat_msi_lat_config {
	__u32 size;
	__u32 flags;
	__u32 irq_cpu;
	__u32 trigger_cpu;
	__u32 mode;
	__u32 ring_entries;
	__aligned_u64 period_ns;
	__s64 count __attribute__((aligned(8)));
	__aligned_u64 offset_ns;
	__aligned_u64 block_ticks;
	__aligned_u64 limit_ns;
	char source[KLAT_NAME_LEN];
	char bdf[KLAT_NAME_LEN];
};

#endif /* _UAPI_KLAT_MSI_LAT_H */
