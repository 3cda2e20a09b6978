// SPDX-License-Identifier: GPL-2.0
/* What the JSON of hwlat has besides: CPUs, SMIs, and the events with their records. */
#include "hwlat.h"
#include "json_set.h"
#include "output.h"

static json_t *json_cpu(const struct result *r, const struct hwlat_cpu *c)
{
	static const char *const states[] = {
		[KLAT_CPU_UNUSED] = "unused",
		[KLAT_CPU_USED] = "used",
		[KLAT_CPU_MISSING] = "missing",
	};
	const struct klat_cpu *cpu = &c->cpu;
	json_t *json = json_object();

	set(json, "cpu", json_integer(cpu->cpu));
	set(json, "state", json_text(cpu->state <= KLAT_CPU_MISSING ? states[cpu->state] : ""));
	set(json, "windows", json_u64(c->looked.count));
	set(json, "looked_ns", json_u64(hwlat_looked_ns(r, c)));
	set(json, "share", json_real(hwlat_share(r, c)));
	set(json, "gaps", json_u64(c->gap.count));
	set(json, "max", c->gap.count ? json_u64(result_ns(r, c->gap.max)) : json_null());
	set(json, "absences", json_integer(cpu->absences));
	set(json, "missing_ns", json_u64(cpu->missing));
	set(json, "missing_since_ns", cpu->absences ? json_u64(cpu->missing_since) : json_null());
	set(json, "disturbances", json_disturb(&cpu->disturb, true));
	return json;
}

static json_t *json_smi(const struct hwlat *h)
{
	struct smi_summary smi = hwlat_smi(h);
	json_t *json = json_object();

	set(json, "sum", smi.known ? json_u64(smi.sum) : json_null());
	set(json, "distinct", smi.known ? json_u64(smi.distinct) : json_null());
	set(json, "differ", smi.known ? json_boolean(smi.differ) : json_null());
	set(json, "cpus_unknown", json_integer((json_int_t)smi.unknown));
	return json;
}

static json_t *json_record(const struct result *r,
			   const struct klat_hwlat_detector_record *record)
{
	static const char *const kinds[] = {
		[KLAT_HWLAT_DETECTOR_INNER] = "inner",
		[KLAT_HWLAT_DETECTOR_OUTER] = "outer",
		[KLAT_HWLAT_DETECTOR_QUIET] = "quiet",
	};
	uint16_t kind = record->sample.series;
	bool quiet = kind == KLAT_HWLAT_DETECTOR_QUIET;
	json_t *json = json_object();

	set(json, "cpu", json_integer(record->sample.cpu));
	set(json, "kind", json_text(kind <= KLAT_HWLAT_DETECTOR_QUIET ? kinds[kind] : ""));
	set(json, "value", quiet ? json_null() : json_u64(result_ns(r, record->sample.value)));
	set(json, "ticks", quiet ? json_null() : json_u64(record->sample.value));
	set(json, "start_monotonic_ns", json_u64(record->start_mono));
	set(json, "start_realtime_ns", json_u64(record->start_real));
	set(json, "smi", record->known & KLAT_KNOWN_SMI ? json_integer(record->smi) : json_null());
	set(json, "nmi", record->known & KLAT_KNOWN_NMI ? json_integer(record->nmi) : json_null());
	return json;
}

static json_t *json_parts(const struct hwlat *h, const struct hwlat_event *e,
			  enum hwlat_part part)
{
	json_t *array = json_array();

	for (size_t i = 0; i < h->nr_cpus; i++)
		if (hwlat_part(h, e, h->cpus[i].cpu.cpu) == part)
			json_array_append_new(array, json_integer(h->cpus[i].cpu.cpu));
	return array;
}

static json_t *json_event(const struct result *r, const struct hwlat_event *e)
{
	json_t *json = json_object(), *records = json_array();
	const struct hwlat *h = r->own;
	char cause[128];

	for (uint32_t i = 0; i < e->nr; i++)
		json_array_append_new(records, json_record(r, &hwlat_records(h, e)[i]));
	hwlat_cause_text(r, e, cause, sizeof(cause));
	set(json, "seq", json_u64(e->seq));
	set(json, "start_monotonic_ns", json_u64(e->start_mono));
	set(json, "start_realtime_ns", json_u64(e->start_real));
	set(json, "inner", json_u64(result_ns(r, e->inner)));
	set(json, "outer", json_u64(result_ns(r, e->outer)));
	set(json, "cause", json_text(hwlat_cause_name(hwlat_cause(r, e))));
	set(json, "cause_text", json_text(cause));
	set(json, "cpus", json_parts(h, e, HWLAT_HAD_IT));
	set(json, "quiet", json_parts(h, e, HWLAT_QUIET));
	set(json, "not_looking", json_parts(h, e, HWLAT_NOT_LOOKING));
	set(json, "records_lost", json_integer(e->wanted - e->nr));
	set(json, "records", records);
	return json;
}

void hwlat_json(const struct result *r, json_t *json)
{
	json_t *cpus = json_array(), *events = json_array();
	const struct hwlat *h = r->own;
	uint64_t step;

	for (size_t i = 0; i < h->nr_cpus; i++)
		json_array_append_new(cpus, json_cpu(r, &h->cpus[i]));
	for (size_t i = 0; i < h->nr_events; i++)
		json_array_append_new(events, json_event(r, &h->events[i]));
	set(json, "share_asked", json_real((double)h->width / (double)h->window));
	set(json, "step_ticks", result_setting(r, "step", &step) ? json_u64(step) : json_null());
	set(json, "cpus", cpus);
	set(json, "smi", json_smi(h));
	set(json, "events_seen", json_u64(h->seen));
	set(json, "events", events);
}
