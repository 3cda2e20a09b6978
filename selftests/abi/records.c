// SPDX-License-Identifier: GPL-2.0
/* What read() gives of hwlat_detector: events of one or several records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <klat/hwlat_detector.h>

#include "cpus.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

typedef struct klat_hwlat_detector_record record_t;

#define MAX_RECORDS	65536

static const record_t *read_records(int fd, __u64 *nr)
{
	record_t *records = calloc(MAX_RECORDS, sizeof(*records));
	ssize_t got;

	require(records, "calloc");
	for (*nr = 0; *nr < MAX_RECORDS; *nr += got / sizeof(*records)) {
		got = read(fd, records + *nr, (MAX_RECORDS - *nr) * sizeof(*records));
		require(got >= 0, "read: %s", strerror(errno));
		if (!got)
			break;
	}
	return records;
}

static bool is_gap(const record_t *record)
{
	return record->sample.series != KLAT_HWLAT_DETECTOR_QUIET;
}

static void check_record(const record_t *record, const struct klat_status *status)
{
	const struct klat_sample *sample = &record->sample;
	const __u64 until = status->start_mono + status->duration;

	check(sample->series <= KLAT_HWLAT_DETECTOR_QUIET, "kind %u", sample->series);
	check(!sample->reserved, "reserved %u", sample->reserved);
	check((int)sample->cpu >= first_cpu() && (int)sample->cpu <= last_cpu(), "CPU %u",
	      sample->cpu);
	check(is_gap(record) == !!sample->value, "value %llu of kind %u", sample->value,
	      sample->series);
	check(!(record->known & ~(KLAT_KNOWN_SMI | KLAT_KNOWN_NMI)), "known %#x", record->known);
	if (!is_gap(record))
		check(!record->known && !record->smi && !record->nmi, "a quiet CPU has counts");
	check(record->start_mono >= status->start_mono && record->start_mono <= until,
	      "at %llu, outside of the run", record->start_mono);
}

/* Of one event: its records, gaps in the order of their begins and then the quiet ones */
static void check_event(const record_t *record, __u32 nr)
{
	__u64 begin = 0;
	bool quiet = false;
	__u32 i;

	check(is_gap(record), "event %llu begins with a quiet CPU", record->sample.seq);
	for (i = 0; i < nr; i++) {
		const struct klat_sample *sample = &record[i].sample;

		check(sample->seq == record->sample.seq && record[i].nr_cpus == nr,
		      "event %llu of %u: record %u is of event %llu of %u", record->sample.seq,
		      nr, i, sample->seq, record[i].nr_cpus);
		check(!quiet || !is_gap(&record[i]), "a gap after a quiet CPU");
		quiet = !is_gap(&record[i]);
		if (quiet)
			continue;
		check(sample->time - sample->value >= begin, "gap %u is out of order", i);
		begin = sample->time - sample->value;
	}
}

/* Sum and number of the gaps among the records */
static void add_up(const record_t *records, __u64 nr, __u64 *sum, __u64 *gaps)
{
	__u64 i;

	*sum = 0;
	*gaps = 0;
	for (i = 0; i < nr; i++) {
		*sum += records[i].sample.value;
		*gaps += is_gap(&records[i]);
	}
}

static __u64 check_events(const record_t *records, __u64 nr, const struct klat_status *status)
{
	__u64 at, events = 0, begin, last = 0;

	for (at = 0; at < nr; at += records[at].nr_cpus) {
		require(records[at].nr_cpus && records[at].nr_cpus <= nr - at, "%u records of %llu",
			records[at].nr_cpus, nr - at);
		check_event(&records[at], records[at].nr_cpus);
		begin = records[at].sample.time - records[at].sample.value;
		check(begin > last, "event %llu is older than the one before", events);
		last = begin;
		events++;
	}
	for (at = 0; at < nr; at++)
		check_record(&records[at], status);
	return events;
}

void test_records(void)
{
	const record_t *records;
	struct klat_status status;
	__u64 nr, sum, gaps, events;
	int fd = device_open();

	if (!module->sample_size)
		ktap_skip("it gives samples");
	start_run(fd, &(struct abi_run){ .count = 100, .period_ns = 1 * MS,
					 .ring_entries = MAX_RECORDS });
	status = wait_for_end(fd, 60);
	require(status.seen && !status.ring_lost, "seen %llu, lost %llu", status.seen,
		status.ring_lost);
	records = read_records(fd, &nr);
	events = check_events(records, nr, &status);
	check(events && records[0].sample.seq == 0 && records[nr - 1].sample.seq == events - 1,
	      "%llu events, the last has the number %llu", events, records[nr - 1].sample.seq);
	add_up(records, nr, &sum, &gaps);
	check(gaps == status.seen, "%llu gaps of %llu", gaps, status.seen);
	check(sum == get_stats(fd, KLAT_HWLAT_DETECTOR_GAP).sum_lo,
	      "the gaps' sum is not the statistics'");
	check(get_stats(fd, KLAT_HWLAT_DETECTOR_LOOKED).count == status.fired,
	      "%llu windows, fired %llu", get_stats(fd, KLAT_HWLAT_DETECTOR_LOOKED).count,
	      status.fired);
}

/* Nobody reads: the ring keeps whole events, and the statistics everything */
void test_records_that_are_lost(void)
{
	const record_t *records;
	struct klat_status status;
	__u64 nr, sum, gaps;
	int fd = device_open(), i;

	if (!module->sample_size)
		ktap_skip("it gives samples");
	for (i = 0; i < 10; i++) {
		start_run(fd, &(struct abi_run){ .count = 100 << i, .period_ns = 1 * MS,
						 .ring_entries = 64 });
		status = wait_for_end(fd, 600);
		if (status.ring_lost)
			break;
	}
	require(status.ring_lost, "the ring was never full");
	records = read_records(fd, &nr);
	check(nr <= 64, "read %llu", nr);
	check_events(records, nr, &status);
	add_up(records, nr, &sum, &gaps);
	check(get_stats(fd, KLAT_HWLAT_DETECTOR_GAP).count == status.seen, "seen %llu",
	      status.seen);
	check(gaps + status.ring_lost >= status.seen, "%llu gaps and %llu lost, seen %llu", gaps,
	      status.ring_lost, status.seen);
}
