// SPDX-License-Identifier: GPL-2.0
/*
 * Telling the events: whoever has ended a window looks which of them are over, and
 * tells those, under hwlat->collecting.
 */
#include <linux/irqflags.h>
#include <linux/rcuwait.h>
#include <linux/wait.h>

#include "../core/clock.h"
#include "../core/report.h"
#include "hwlat_detector.h"

/*
 * No gap can be found any more that begins before it. The stamp is taken before
 * anybody is asked: a CPU that is not seen to look yet begins after it.
 */
static u64 horizon(const struct hwlat *hwlat)
{
	u64 horizon = klat_clock();
	u32 i;

	smp_mb();	/* pairs with the first one in begin_window() */
	for (i = 0; i < hwlat->nr_cpus; i++)
		horizon = min(horizon, READ_ONCE(hwlat->cpu[i]->since));
	return horizon;
}

static u32 count_quiet(const struct hwlat *hwlat, const struct hwlat_gap *gap, u32 nr,
		       const struct hwlat_span *event)
{
	u32 i, quiet = 0;

	for (i = 0; i < hwlat->nr_cpus; i++)
		quiet += hwlat_group_quiet(&hwlat->group, i, gap, nr, event);
	return quiet;
}

static void push_gap(struct hwlat *hwlat, const struct hwlat_gap *gap, u32 nr_records)
{
	struct klat_hwlat_detector_record record = {
		.sample = {
			.seq = hwlat->events,
			.time = gap->end,
			.value = gap->end - gap->begin,
			.cpu = hwlat->cpu[gap->cpu]->cpu,
			.series = gap->kind,
		},
		.start_mono = gap->mono,
		.start_real = gap->real,
		.known = gap->known,
		.smi = gap->smi,
		.nmi = gap->nmi,
		.nr_cpus = nr_records,
	};

	klat_ring_push_record(hwlat->bench.ring, &record);
}

/* @first is the gap that the event begins with */
static void push_quiet(struct hwlat *hwlat, u32 cpu, const struct hwlat_gap *first,
		       const struct hwlat_span *event, u32 nr_records)
{
	struct klat_hwlat_detector_record record = {
		.sample = {
			.seq = hwlat->events,
			.time = event->end,
			.cpu = hwlat->cpu[cpu]->cpu,
			.series = KLAT_HWLAT_DETECTOR_QUIET,
		},
		.start_mono = first->mono,
		.start_real = first->real,
		.nr_cpus = nr_records,
	};

	klat_ring_push_record(hwlat->bench.ring, &record);
}

static void push_event(struct hwlat *hwlat, const struct hwlat_gap *gap, u32 nr,
		       const struct hwlat_span *event)
{
	struct klat_ring *ring = hwlat->bench.ring;
	u32 i, records = nr + count_quiet(hwlat, gap, nr, event);

	if (!klat_ring_has_room(ring, records)) {
		klat_ring_lose(ring, records);
		return;
	}
	for (i = 0; i < nr; i++)
		push_gap(hwlat, &gap[i], records);
	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat_group_quiet(&hwlat->group, i, gap, nr, event))
			push_quiet(hwlat, i, gap, event, records);
}

/* The series is that of the gap's CPU, whose thread adds to it under the same lock */
static void note_worst(struct hwlat *hwlat, const struct hwlat_gap *gap)
{
	struct hwlat_cpu *cpu = hwlat->cpu[gap->cpu];
	struct klat_disturb disturb = { .known = gap->known, .smi = gap->smi, .nmi = gap->nmi };
	struct klat_moment moment = { gap->mono, gap->real, gap->trace, cpu->cpu };

	local_irq_disable();
	klat_worst_record_at(cpu->gap, hwlat->events, gap->end - gap->begin, &disturb, &moment);
	local_irq_enable();
}

static void tell_gap(struct hwlat *hwlat, const struct hwlat_gap *gap)
{
	u64 length = gap->end - gap->begin;

	note_worst(hwlat, gap);
	klat_ring_push(hwlat->samples, gap->kind, gap->real, gap->end, length,
		       hwlat->cpu[gap->cpu]->cpu);
	if (hwlat->bench.report.verbosity == KLAT_SAY_SAMPLES)
		klat_report_sample(&hwlat->bench, hwlat->events, length);
}

bool hwlat_collect(struct hwlat *hwlat, bool all)
{
	u64 until = all ? U64_MAX : horizon(hwlat);
	struct hwlat_group *group = &hwlat->group;
	struct hwlat_span event;
	u32 told = 0, nr, i;

	hwlat_group_sort(group);
	while ((nr = hwlat_group_event(group, told, until, &event))) {
		push_event(hwlat, &group->gap[told], nr, &event);
		for (i = told; i < told + nr; i++)
			tell_gap(hwlat, &group->gap[i]);
		hwlat->events++;
		told += nr;
	}
	hwlat_group_drop(group, told);
	return told;
}

/* Those in read(), and those in poll() or in a read of the file "sample" */
void hwlat_wake_readers(struct hwlat *hwlat)
{
	klat_bench_sample_ready();
	rcuwait_wake_up(&hwlat->bench.reader);
	wake_up_interruptible_all(&hwlat->bench.poll_queue);
}
