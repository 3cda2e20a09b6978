// SPDX-License-Identifier: GPL-2.0
/* Makes events of the records of klat hwlat, and gets each CPU's part. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hwlat.h"
#include "units.h"

typedef struct klat_hwlat_detector_record hwlat_record;

int hwlat_init(struct hwlat *h)
{
	/* untouched memory costs nothing */
	h->events = calloc(HWLAT_EVENTS_MAX, sizeof(*h->events));
	h->records = calloc(HWLAT_RECORDS_MAX, sizeof(*h->records));
	return h->events && h->records ? 0 : -ENOMEM;
}

void hwlat_free(struct hwlat *h)
{
	free(h->events);
	free(h->records);
	free(h->cpus);
	memset(h, 0, sizeof(*h));
}

/* NULL if it is only to be counted; once one is, all that follow are */
static struct hwlat_event *event_new(struct hwlat *h, const hwlat_record *record)
{
	struct hwlat_event *event = &h->events[h->nr_events];

	if (h->nr_events != h->seen || h->nr_events == HWLAT_EVENTS_MAX ||
	    record->nr_cpus > HWLAT_RECORDS_MAX - h->nr_records)
		return NULL;
	h->nr_events++;
	*event = (struct hwlat_event) {
		.seq = record->sample.seq,
		.first = h->nr_records,
		.wanted = record->nr_cpus,
		.start_mono = UINT64_MAX,
	};
	return event;
}

/* The event that this record belongs to */
static struct hwlat_event *event_of(struct hwlat *h, const hwlat_record *record)
{
	struct hwlat_event *event;

	if (!h->seen || record->sample.seq != h->seq) {
		event = event_new(h, record);
		h->seen++;
		h->seq = record->sample.seq;
		return event;
	}
	return h->nr_events == h->seen ? &h->events[h->nr_events - 1] : NULL;
}

static void keep(struct hwlat *h, struct hwlat_event *event, const hwlat_record *record)
{
	uint64_t value = record->sample.value;

	if (event->nr == event->wanted)
		return;
	h->records[h->nr_records++] = *record;
	event->nr++;
	if (record->start_mono < event->start_mono) {
		event->start_mono = record->start_mono;
		event->start_real = record->start_real;
	}
	if (record->sample.series == KLAT_HWLAT_DETECTOR_INNER && value > event->inner)
		event->inner = value;
	if (record->sample.series == KLAT_HWLAT_DETECTOR_OUTER && value > event->outer)
		event->outer = value;
}

/* What the reader is given */
void hwlat_take(void *hwlat, const struct reader_batch *batch)
{
	struct hwlat *h = hwlat;

	for (size_t i = 0; i < batch->nr; i++) {
		const hwlat_record *record = (const hwlat_record *)
					     (batch->records + i * batch->size);
		struct hwlat_event *event = event_of(h, record);

		if (event)
			keep(h, event, record);
	}
}

static int cpu_add(struct hwlat *h, struct device *dev, const struct klat_cpu *part)
{
	struct hwlat_cpu *cpus = realloc(h->cpus, (h->nr_cpus + 1) * sizeof(*cpus));
	struct hwlat_cpu *cpu;
	int ret;

	if (!cpus)
		return -ENOMEM;
	h->cpus = cpus;
	cpu = &cpus[h->nr_cpus++];
	cpu->cpu = *part;
	ret = device_stats(dev, KLAT_HWLAT_DETECTOR_GAP, part->cpu, &cpu->gap);
	return ret ? ret : device_stats(dev, KLAT_HWLAT_DETECTOR_LOOKED, part->cpu, &cpu->looked);
}

/* After the run: of every CPU that the kernel could have, those that were to look */
int hwlat_collect(void *hwlat, struct device *dev)
{
	struct klat_cpu part;
	int ret;

	for (uint32_t nr = 0; ; nr++) {
		ret = device_cpu(dev, nr, &part);
		if (ret == -EINVAL && nr)
			return 0;
		if (!ret && part.state != KLAT_CPU_UNUSED)
			ret = cpu_add(hwlat, dev, &part);
		if (ret)
			return ret;
	}
}

const struct klat_hwlat_detector_record *hwlat_records(const struct hwlat *h,
						       const struct hwlat_event *event)
{
	return &h->records[event->first];
}

enum hwlat_part hwlat_part(const struct hwlat *h, const struct hwlat_event *event,
			   uint32_t cpu)
{
	const hwlat_record *records = hwlat_records(h, event);
	enum hwlat_part part = HWLAT_NOT_LOOKING;

	for (uint32_t i = 0; i < event->nr; i++) {
		if (records[i].sample.cpu != cpu)
			continue;
		if (records[i].sample.series != KLAT_HWLAT_DETECTOR_QUIET)
			return HWLAT_HAD_IT;
		part = HWLAT_QUIET;
	}
	return part;
}

/* A run lasts at most a year: the sum has 64 bits */
uint64_t hwlat_looked_ns(const struct result *r, const struct hwlat_cpu *cpu)
{
	return result_ns(r, cpu->looked.sum_lo);
}

/* Of the run's time */
double hwlat_share(const struct result *r, const struct hwlat_cpu *cpu)
{
	if (!r->status.duration)
		return 0;
	return (double)hwlat_looked_ns(r, cpu) / (double)r->status.duration;
}
