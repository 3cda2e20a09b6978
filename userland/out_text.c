// SPDX-License-Identifier: GPL-2.0
/* For people: the whole result on a page. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "duration.h"
#include "out_text.h"
#include "output.h"
#include "percentile.h"
#include "units.h"
#include "version.h"

static void config_value(const struct config_item *item, char *buf, size_t len)
{
	switch (item->type) {
	case CONFIG_NS:
		duration_format(item->number, buf, len);
		return;
	case CONFIG_BOOL:
		snprintf(buf, len, "%s", item->number ? "yes" : "no");
		return;
	case CONFIG_HEX:
		snprintf(buf, len, "0x%" PRIx64, item->number);
		return;
	default:
		snprintf(buf, len, "%" PRIu64, item->number);
	}
}

static void print_config(const struct result *r, FILE *to)
{
	int column = fprintf(to, "asked: ");
	const int indent = column;
	char text[KLAT_TEXT_LEN + 32], value[32];

	for (unsigned int i = 0; i < r->nr_config; i++) {
		const struct config_item *item = &r->config[i];

		config_value(item, value, sizeof(value));
		snprintf(text, sizeof(text), " %s=%s", item->name,
			 item->type == CONFIG_TEXT ? item->text : value);
		if (column + (int)strlen(text) > 96)
			column = fprintf(to, "\n%*s", indent, "") - 1;
		column += fprintf(to, "%s", text);
	}
	fputs("\n", to);
}

static void print_run(const struct result *r, FILE *to)
{
	const struct klat_status *st = &r->status;
	time_t seconds = (time_t)(st->start_real / NS_PER_S);
	char when[40] = "", lasted[32];
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %z", &tm);
	duration_rough(st->duration, lasted, sizeof(lasted));
	fprintf(to, "run:    %s, %s, %s", when, lasted, state_name(st->state));
	if (st->asked)
		fprintf(to, "; %" PRIu64 " asked", (uint64_t)st->asked);
	fprintf(to, "; %" PRIu64 " fired, %" PRIu64 " seen\n", (uint64_t)st->fired,
		(uint64_t)st->seen);
	if (*st->message)
		fprintf(to, "        %s\n", st->message);
}

void text_header(const struct result *r, FILE *to)
{
	const struct machine *m = &r->machine;
	const struct klat_status *st = &r->status;

	fprintf(to, "klat %s %s, module %s %s\n", KLAT_VERSION, r->command, r->info.module,
		r->info.version);
	fprintf(to, "kernel: %s %s%s\n", m->release, m->arch, m->rt ? ", PREEMPT_RT" : "");
	fprintf(to, "cpu:    %s\n", *m->cpu_model ? m->cpu_model : "unknown");
	if (*st->source)
		fprintf(to, "source: %s%s%s%s%s\n", st->source, *st->device ? ", " : "",
			st->device, *r->device_name ? ", " : "", r->device_name);
	if (r->irq.number >= 0)
		fprintf(to, "irq:    %d, %s, on CPU %s\n", r->irq.number,
			*r->irq.chip ? r->irq.chip : "chip unknown",
			*r->irq.affinity ? r->irq.affinity : "unknown");
	fprintf(to, "clock:  %" PRIu64 " Hz, a pair of stamps costs %" PRIu64
		" ticks (in every value: never subtracted)\n",
		(uint64_t)r->info.clock_hz, (uint64_t)r->info.clock_cost);
	print_config(r, to);
	print_run(r, to);
	if (result_kind(r)->text)
		result_kind(r)->text(r, to);
}

/* p90 is left to the other formats: the line is long */
static bool in_table(const struct percentile *p)
{
	return p->ppm != 900000;
}

static void print_series(const struct result *r, const struct series *s, FILE *to)
{
	uint64_t hz = r->info.clock_hz;

	if (!s->stats.count) {
		fprintf(to, "%-8s %s\n", s->name, result_empty(r, s));
		return;
	}
	fprintf(to, "%-8s %9" PRIu64 " %8" PRIu64 " %8.0Lf", s->name, (uint64_t)s->stats.count,
		result_ns(r, s->stats.min), ticks_to_ns_real(series_mean(s), hz));
	for (int i = 0; i < NR_PERCENTILES; i++)
		if (in_table(&percentiles[i]))
			fprintf(to, " %8" PRIu64,
				result_ns(r, series_percentile(s, percentiles[i].ppm)));
	fprintf(to, " %8" PRIu64 " %8.0Lf\n", result_ns(r, s->stats.max),
		ticks_to_ns_real(series_stddev(s), hz));
}

void text_series(const struct result *r, FILE *to)
{
	char name[16];

	fprintf(to, "\n%-8s %9s %8s %8s", "ns", "count", "min", "mean");
	for (int i = 0; i < NR_PERCENTILES; i++) {
		snprintf(name, sizeof(name), "p%s", percentiles[i].name);
		if (in_table(&percentiles[i]))
			fprintf(to, " %8s", name);
	}
	fprintf(to, " %8s %8s\n", "max", "stddev");
	for (unsigned int i = 0; i < r->nr_series; i++)
		print_series(r, &r->series[i], to);
}

void text_counter(bool known, uint64_t value, FILE *to)
{
	if (known)
		fprintf(to, " %8" PRIu64, value);
	else
		fprintf(to, " %8s", "unknown");
}

/* The core's speed against its base frequency */
static void print_speed(const struct klat_disturb *d, FILE *to)
{
	if ((d->known & KLAT_KNOWN_APERF) && d->mperf)
		fprintf(to, " %7.0f%%", 100.0 * (double)d->aperf / (double)d->mperf);
	else
		fprintf(to, " %8s", "unknown");
}

void text_worst(const struct result *r, const struct series *s, FILE *to)
{
	if (!s->stats.nr_worst)
		return;
	fprintf(to, "\nlargest values of %s, and what else happened on that CPU since the event "
		"before\n%10s %10s %14s %4s %8s %8s %8s %8s\n", s->name, "ns", "event",
		"after start s", "CPU", "SMI", "NMI", "other irq", "speed");
	for (uint32_t i = 0; i < s->stats.nr_worst && i < KLAT_MAX_WORST; i++) {
		const struct klat_worst *w = &s->stats.worst[i];
		const struct klat_disturb *d = &w->disturb;

		fprintf(to, "%10" PRIu64, result_ns(r, w->value));
		if (w->seq == RESULT_NO_EVENT)
			fprintf(to, " %10s", "-");
		else
			fprintf(to, " %10" PRIu64, (uint64_t)w->seq);
		fprintf(to, " %14.6f %4u", ((double)w->mono - (double)r->status.start_mono) /
			NS_PER_S, w->cpu);
		text_counter(d->known & KLAT_KNOWN_SMI, d->smi, to);
		text_counter(d->known & KLAT_KNOWN_NMI, d->nmi, to);
		text_counter(d->known & KLAT_KNOWN_IRQ, d->irq, to);
		print_speed(d, to);
		fputs("\n", to);
	}
}

static void print_disturbances(const struct result *r, FILE *to)
{
	const struct klat_disturb *d = &r->status.disturb;

	fprintf(to, "\n%-16s %8s %8s %8s %8s\n%-16s", "disturbances", "SMI", "NMI", "other irq",
		"steal ns", "in the whole run");
	text_counter(d->known & KLAT_KNOWN_SMI, d->smi, to);
	text_counter(d->known & KLAT_KNOWN_NMI, d->nmi, to);
	text_counter(d->known & KLAT_KNOWN_IRQ, d->irq, to);
	text_counter(d->known & KLAT_KNOWN_STEAL, d->steal, to);
	fputs("\n", to);
}

static void print_setting(bool known, int64_t value, FILE *to)
{
	if (known)
		fprintf(to, " %12" PRId64, value);
	else
		fprintf(to, " %12s", "-");
}

static void print_settings(const struct klat_status *st, FILE *to)
{
	if (!st->nr_settings)
		return;
	fprintf(to, "\n%-16s %12s %12s %12s\n", "setting", "asked", "at start", "at end");
	for (uint32_t i = 0; i < st->nr_settings && i < KLAT_MAX_SETTINGS; i++) {
		const struct klat_setting *s = &st->settings[i];

		fprintf(to, "%-16s", s->name);
		print_setting(s->flags & KLAT_SETTING_ASKED, s->asked, to);
		print_setting(s->flags & KLAT_SETTING_BEFORE, s->before, to);
		print_setting(s->flags & KLAT_SETTING_AFTER, s->after, to);
		fputs("\n", to);
	}
}

static void print_limit(const struct result *r, const char *what, uint64_t limit_ns,
			bool exceeded, FILE *to)
{
	char limit[32];

	if (!limit_ns)
		return;
	duration_format(limit_ns, limit, sizeof(limit));
	fprintf(to, "\n%s %s of %s: %s\n", what, limit, result_limit_of(r),
		exceeded ? "EXCEEDED" : "held");
}

static void print_verdict(const struct result *r, FILE *to)
{
	print_limit(r, "limit", r->limit_ns, result_stopped_at_limit(r), to);
	print_limit(r, "hard limit", r->hard_limit_ns, result_hard_limit_exceeded(r), to);
	fprintf(to, "\nverdict: %s\n", verdict_name(r->verdict));
	for (size_t i = 0; i < r->reasons.nr; i++)
		fprintf(to, "  reason: %s\n", r->reasons.items[i]);
	for (size_t i = 0; i < r->notes.nr; i++)
		fprintf(to, "  note: %s\n", r->notes.items[i]);
}

void out_text(const struct result *r, FILE *to)
{
	char label[128];

	if (result_label(r, label, sizeof(label)))
		fprintf(to, "%s\n", label);
	if (result_kind(r)->eci_first) {
		result_kind(r)->eci(r, to);
		fputs("\n", to);
	}
	text_header(r, to);
	text_series(r, to);
	text_histogram(r, result_primary(r), to);
	text_worst(r, result_primary(r), to);
	print_disturbances(r, to);
	print_settings(&r->status, to);
	print_verdict(r, to);
}
