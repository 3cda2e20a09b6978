/* SPDX-License-Identifier: GPL-2.0 */
/* What klat hwlat knows besides the series: events, and each CPU's part. */
#ifndef KLAT_HWLAT_H
#define KLAT_HWLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <klat/hwlat_detector.h>

#include "device.h"
#include "reader.h"
#include "result.h"

/* Further ones are counted only: bounds of the memory that is used */
#define HWLAT_EVENTS_MAX	10000U
#define HWLAT_RECORDS_MAX	131072U

/**
 * struct hwlat_event - gaps of several CPUs that overlap
 * @seq: its number
 * @first: index of the first of its records
 * @nr: how many of them there are
 * @wanted: how many there should be: the others were lost
 * @start_mono: CLOCK_MONOTONIC of its begin, ns; @start_real: CLOCK_REALTIME
 * @inner: the longest gap of that kind, ticks; @outer: likewise
 */
struct hwlat_event {
	uint64_t seq;
	size_t first;
	uint32_t nr;
	uint32_t wanted;
	uint64_t start_mono;
	uint64_t start_real;
	uint64_t inner;
	uint64_t outer;
};

/* A CPU's part in the run */
struct hwlat_cpu {
	struct klat_cpu cpu;
	struct klat_stats gap;
	struct klat_stats looked;
};

/**
 * struct hwlat - what is known besides the series
 * @threshold, @window, @width: as asked, ns
 * @duration: likewise
 * @output: the file of the report that was asked for, NULL for none
 * @events: @nr_events of them, in the order of their numbers
 * @records: of all of them, @nr_records
 * @seen: events that were read, also those that are not kept
 * @seq: number of the last of them
 * @cpus: those that were to look, @nr_cpus, ascending
 */
struct hwlat {
	uint64_t threshold;
	uint64_t window;
	uint64_t width;
	uint64_t duration;
	const char *output;
	struct hwlat_event *events;
	size_t nr_events;
	struct klat_hwlat_detector_record *records;
	size_t nr_records;
	uint64_t seen;
	uint64_t seq;
	struct hwlat_cpu *cpus;
	size_t nr_cpus;
};

/* What took the time */
enum hwlat_cause {
	HWLAT_SMI,
	HWLAT_NMI,
	HWLAT_SMI_AND_NMI,
	HWLAT_HYPERVISOR,
	HWLAT_UNEXPLAINED,
};

/**
 * struct smi_count - how often a CPU's counter went up
 * @known: it has one
 */
struct smi_count {
	bool known;
	uint64_t delta;
};

/**
 * struct smi_summary - SMIs of all CPUs together
 * @known: at least one CPU counts them; without it the rest means nothing
 * @unknown: so many CPUs do not
 * @sum: over the CPUs
 * @distinct: an SMI stops every CPU, and every CPU counts it: the largest count
 * @differ: the counts do: @distinct may be more than that
 */
struct smi_summary {
	bool known;
	size_t unknown;
	uint64_t sum;
	uint64_t distinct;
	bool differ;
};

/* What an event's records say of a CPU that was to look */
enum hwlat_part {
	HWLAT_HAD_IT,
	HWLAT_QUIET,
	HWLAT_NOT_LOOKING,
};

extern const struct result_kind hwlat_kind;

uint64_t hwlat_default_width(uint64_t window);
int hwlat_init(struct hwlat *h);
void hwlat_free(struct hwlat *h);
void hwlat_take(void *hwlat, const struct reader_batch *batch);
int hwlat_collect(void *hwlat, struct device *dev);
const struct klat_hwlat_detector_record *hwlat_records(const struct hwlat *h,
						       const struct hwlat_event *event);
enum hwlat_part hwlat_part(const struct hwlat *h, const struct hwlat_event *event,
			   uint32_t cpu);
uint64_t hwlat_looked_ns(const struct result *r, const struct hwlat_cpu *cpu);
double hwlat_share(const struct result *r, const struct hwlat_cpu *cpu);

struct smi_summary smi_summarize(const struct smi_count *counts, size_t nr);
struct smi_count hwlat_smi_count(const struct hwlat_cpu *cpu);
struct smi_summary hwlat_smi(const struct hwlat *h);
enum hwlat_cause hwlat_cause(const struct result *r, const struct hwlat_event *event);
const char *hwlat_cause_name(enum hwlat_cause cause);
void hwlat_cause_text(const struct result *r, const struct hwlat_event *event, char *buf,
		      size_t len);

void hwlat_judge(struct result *r);
void hwlat_notes(struct result *r);
void hwlat_json(const struct result *r, struct json_t *json);

#endif
