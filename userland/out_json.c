// SPDX-License-Identifier: GPL-2.0
/* JSON. Integers where the modules count; null where nothing is known. */
#include <math.h>

#include "json_set.h"
#include "output.h"
#include "percentile.h"
#include "units.h"
#include "version.h"

#define DUMP_FLAGS	(JSON_INDENT(2) | JSON_REAL_PRECISION(15))

/* JSON's integers have 63 bits here */
json_t *json_u64(uint64_t value)
{
	return value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value);
}

json_t *json_text(const char *text)
{
	json_t *json = *text ? json_string(text) : json_null();

	return json ? json : json_string("?");
}

static json_t *json_list(const struct strlist *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->nr; i++)
		json_array_append_new(array, json_text(list->items[i]));
	return array;
}

/* Thousandths of a nanosecond are the last that mean anything */
static json_t *json_ns_real(const struct result *r, long double ticks)
{
	long double ns = ticks_to_ns_real(ticks, r->info.clock_hz);

	return json_real((double)(roundl(ns * 1000) / 1000));
}

json_t *json_machine(const struct machine *m)
{
	json_t *json = json_object();

	set(json, "virtual", json_boolean(m->hypervisor.present));
	set(json, "emulated", json_boolean(m->hypervisor.emulator));
	set(json, "hypervisor", json_text(m->hypervisor.name));
	set(json, "kernel", json_text(m->release));
	set(json, "kernel_version", json_text(m->version));
	set(json, "arch", json_text(m->arch));
	set(json, "preempt_rt", json_boolean(m->rt));
	set(json, "cpu_model", json_text(m->cpu_model));
	set(json, "isolated", json_string(m->isolated));
	set(json, "nohz_full", json_string(m->nohz_full));
	return json;
}

json_t *json_conditions(const struct conditions *c)
{
	json_t *json = json_object();

	set(json, "clocksource", json_text(c->clocksource));
	set(json, "governor", json_text(c->governor));
	set(json, "smt", json_text(c->smt));
	set(json, "sched_rt_runtime_us",
	    c->rt_runtime_known ? json_integer(c->rt_runtime_us) : json_null());
	set(json, "throttled", c->throttled_known ? json_u64(c->throttled) : json_null());
	set(json, "irqbalance", json_boolean(c->irqbalance));
	set(json, "beside", json_list(&c->beside));
	return json;
}

static json_t *json_environment(const struct result *r)
{
	json_t *json = json_machine(&r->machine);
	char label[128];

	set(json, "label", result_label(r, label, sizeof(label)) ? json_text(label) :
	    json_null());
	set(json, "irq_chip", json_text(r->irq.chip));
	set(json, "irq_remapped", *r->irq.chip ? json_boolean(irq_remapped(&r->irq)) :
	    json_null());
	set(json, "irq_affinity", json_text(r->irq.affinity));
	set(json, "before", json_conditions(&r->before));
	set(json, "after", json_conditions(&r->after));
	return json;
}

static json_t *json_module(const struct klat_info *info)
{
	json_t *json = json_object();

	set(json, "name", json_text(info->module));
	set(json, "version", json_text(info->version));
	set(json, "abi", json_integer(info->abi));
	set(json, "clock_hz", json_u64(info->clock_hz));
	set(json, "clock_cost_ticks", json_u64(info->clock_cost));
	set(json, "clock_cost_subtracted", json_false());
	set(json, "disturb_cost_ticks", json_u64(info->disturb_cost));
	set(json, "clock_invariant", json_boolean(info->clock_flags & KLAT_CLOCK_INVARIANT));
	set(json, "clock_stable", json_boolean(info->clock_flags & KLAT_CLOCK_STABLE));
	return json;
}

static json_t *json_config(const struct result *r)
{
	json_t *json = json_object();
	char key[64];

	for (unsigned int i = 0; i < r->nr_config; i++) {
		const struct config_item *item = &r->config[i];

		switch (item->type) {
		case CONFIG_TEXT:
			set(json, item->name, json_text(item->text));
			break;
		case CONFIG_NUMBER:
		case CONFIG_HEX:
			set(json, item->name, json_u64(item->number));
			break;
		case CONFIG_NS:
			snprintf(key, sizeof(key), "%s_ns", item->name);
			set(json, key, json_u64(item->number));
			break;
		case CONFIG_BOOL:
			set(json, item->name, json_boolean(item->number));
			break;
		}
	}
	return json;
}

json_t *json_disturb(const struct klat_disturb *d, bool with_steal)
{
	const struct {
		const char *name;
		uint32_t known;
		uint64_t value;
	} fields[] = {
		{ "smi", KLAT_KNOWN_SMI, d->smi },
		{ "nmi", KLAT_KNOWN_NMI, d->nmi },
		{ "irq", KLAT_KNOWN_IRQ, d->irq },
		{ "aperf", KLAT_KNOWN_APERF, d->aperf },
		{ "mperf", KLAT_KNOWN_APERF, d->mperf },
		{ "steal_ns", KLAT_KNOWN_STEAL, d->steal },
	};
	size_t nr = sizeof(fields) / sizeof(fields[0]) - !with_steal;
	json_t *json = json_object();

	for (size_t i = 0; i < nr; i++)
		set(json, fields[i].name, d->known & fields[i].known ?
		    json_u64(fields[i].value) : json_null());
	return json;
}

static json_t *json_run(const struct result *r)
{
	const struct klat_status *st = &r->status;
	json_t *json = json_object();

	set(json, "state", json_text(state_name(st->state)));
	set(json, "number", json_u64(st->run));
	set(json, "error", json_integer(st->error));
	set(json, "message", json_text(st->message));
	set(json, "source", json_text(st->source));
	set(json, "device", json_text(st->device));
	set(json, "device_name", json_text(r->device_name));
	set(json, "asked", st->asked ? json_u64(st->asked) : json_null());
	set(json, "fired", json_u64(st->fired));
	set(json, "seen", json_u64(st->seen));
	set(json, "missed", json_u64(st->missed));
	set(json, "late", json_u64(st->late));
	set(json, "unanswered", json_u64(st->unanswered));
	set(json, "unexpected", json_u64(st->unexpected));
	set(json, "elsewhere", json_u64(st->elsewhere));
	set(json, "clipped", json_u64(st->clipped));
	set(json, "samples_read", r->reader.used ? json_u64(r->reader.read) : json_null());
	set(json, "samples_lost", json_u64(st->ring_lost));
	set(json, "start_monotonic_ns", json_u64(st->start_mono));
	set(json, "start_realtime_ns", json_u64(st->start_real));
	set(json, "duration_ns", json_u64(st->duration));
	set(json, "disturbances", json_disturb(&st->disturb, true));
	return json;
}

static json_t *json_settings(const struct klat_status *st)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < st->nr_settings && i < KLAT_MAX_SETTINGS; i++) {
		const struct klat_setting *s = &st->settings[i];
		json_t *json = json_object();

		set(json, "name", json_text(s->name));
		set(json, "asked", s->flags & KLAT_SETTING_ASKED ?
		    json_integer(s->asked) : json_null());
		set(json, "before", s->flags & KLAT_SETTING_BEFORE ?
		    json_integer(s->before) : json_null());
		set(json, "after", s->flags & KLAT_SETTING_AFTER ?
		    json_integer(s->after) : json_null());
		json_array_append_new(array, json);
	}
	return array;
}

static json_t *json_worst(const struct result *r, const struct klat_stats *st)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < st->nr_worst && i < KLAT_MAX_WORST; i++) {
		const struct klat_worst *w = &st->worst[i];
		json_t *json = json_object();

		set(json, "value", json_u64(result_ns(r, w->value)));
		set(json, "ticks", json_u64(w->value));
		set(json, "seq", w->seq == RESULT_NO_EVENT ? json_null() : json_u64(w->seq));
		set(json, "cpu", json_integer(w->cpu));
		set(json, "monotonic_ns", json_u64(w->mono));
		set(json, "realtime_ns", json_u64(w->real));
		set(json, "trace_ns", w->trace ? json_u64(w->trace) : json_null());
		set(json, "disturbances", json_disturb(&w->disturb, false));
		json_array_append_new(array, json);
	}
	return array;
}

static json_t *json_histogram(const struct result *r, const struct series *s)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < KLAT_HIST_BUCKETS; i++) {
		json_t *json;

		if (!s->buckets[i])
			continue;
		json = json_object();
		set(json, "lower", json_u64(result_ns(r, klat_hist_lower(i))));
		set(json, "upper", json_u64(result_ns(r, klat_hist_upper(i))));
		set(json, "lower_ticks", json_u64(klat_hist_lower(i)));
		set(json, "upper_ticks", json_u64(klat_hist_upper(i)));
		set(json, "count", json_u64(s->buckets[i]));
		json_array_append_new(array, json);
	}
	return array;
}

static json_t *json_percentiles(const struct result *r, const struct series *s, bool ticks)
{
	json_t *json = json_object();

	for (int i = 0; i < NR_PERCENTILES; i++) {
		uint64_t value = series_percentile(s, percentiles[i].ppm);

		set(json, percentiles[i].name, json_u64(ticks ? value : result_ns(r, value)));
	}
	return json;
}

static json_t *json_ticks(const struct result *r, const struct series *s)
{
	json_t *json = json_object();

	set(json, "min", json_u64(s->stats.min));
	set(json, "max", json_u64(s->stats.max));
	set(json, "mean", json_real((double)series_mean(s)));
	set(json, "stddev", json_real((double)series_stddev(s)));
	set(json, "percentiles", json_percentiles(r, s, true));
	return json;
}

static json_t *json_series(const struct result *r, const struct series *s)
{
	bool data = s->stats.count;
	json_t *json = json_object();

	set(json, "name", json_text(s->name));
	set(json, "unit", json_string("ns"));
	set(json, "count", json_u64(s->stats.count));
	set(json, "min", data ? json_u64(result_ns(r, s->stats.min)) : json_null());
	set(json, "max", data ? json_u64(result_ns(r, s->stats.max)) : json_null());
	set(json, "mean", data ? json_ns_real(r, series_mean(s)) : json_null());
	set(json, "stddev", data ? json_ns_real(r, series_stddev(s)) : json_null());
	set(json, "ticks", data ? json_ticks(r, s) : json_null());
	set(json, "percentiles", data ? json_percentiles(r, s, false) : json_null());
	set(json, "histogram", json_histogram(r, s));
	set(json, "worst", json_worst(r, &s->stats));
	return json;
}

static json_t *json_limit(const struct result *r, uint64_t limit_ns, bool exceeded)
{
	json_t *json;

	if (!limit_ns)
		return json_null();
	json = json_object();
	set(json, "of", json_text(result_limit_of(r)));
	set(json, "limit_ns", json_u64(limit_ns));
	set(json, "exceeded", json_boolean(exceeded));
	return json;
}

void out_json(const struct result *r, FILE *to)
{
	json_t *json = json_object(), *series = json_array();

	for (unsigned int i = 0; i < r->nr_series; i++)
		json_array_append_new(series, json_series(r, &r->series[i]));
	set(json, "tool", json_string("klat"));
	set(json, "version", json_string(KLAT_VERSION));
	set(json, "benchmark", json_text(r->command));
	set(json, "module", json_module(&r->info));
	set(json, "environment", json_environment(r));
	set(json, "config", json_config(r));
	set(json, "run", json_run(r));
	set(json, "settings", json_settings(&r->status));
	set(json, "primary", json_text(result_primary(r)->name));
	set(json, "limit", json_limit(r, r->limit_ns, result_stopped_at_limit(r)));
	set(json, "hard_limit", json_limit(r, r->hard_limit_ns, result_hard_limit_exceeded(r)));
	set(json, "report", r->report ? json_text(r->report) : json_null());
	set(json, "series", series);
	set(json, "verdict", json_text(verdict_name(r->verdict)));
	set(json, "reasons", json_list(&r->reasons));
	set(json, "notes", json_list(&r->notes));
	if (result_kind(r)->json)
		result_kind(r)->json(r, json);
	json_dumpf(json, to, DUMP_FLAGS);
	fputs("\n", to);
	json_decref(json);
}
