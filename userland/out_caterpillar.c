// SPDX-License-Identifier: GPL-2.0
/*
 * What a result of caterpillar has of its own: the table that its users know.
 * The first seven columns, and what they are called, are those of the program that
 * this stands in for.
 */
#include <inttypes.h>
#include <string.h>

#include "caterpillar.h"
#include "json_set.h"
#include "output.h"

static struct caterpillar_table *table_of(const struct result *r)
{
	return r->own;
}

static void print_span(const struct caterpillar_span *s, bool known, int width, FILE *to)
{
	if (known)
		fprintf(to, " %10" PRIu64 " %10" PRIu64 " %*.0Lf", s->min, s->max, width,
			s->jitter);
	else
		fprintf(to, " %10s %10s %*s", "-", "-", width, "-");
}

static void print_spread(const struct caterpillar_span *s, bool known, FILE *to)
{
	if (known)
		fprintf(to, " %13" PRIu64, s->max - s->min);
	else
		fprintf(to, " %13s", "-");
}

static void print_row(const struct caterpillar_row *row, uint64_t cycles, FILE *to)
{
	bool known = row->state != CATERPILLAR_LOST;

	print_span(&row->own, known, 10, to);
	print_span(&row->session, row->session_whole, 13, to);
	fprintf(to, " %10" PRIu64, row->number);
	print_spread(&row->own, known, to);
	print_spread(&row->session, row->session_whole, to);
	if (row->state != CATERPILLAR_WHOLE)
		fprintf(to, "  %s: %" PRIu64 " of %" PRIu64 " cycles were read",
			known ? "cut" : "LOST", row->cycles, cycles);
	fputs("\n", to);
}

/* What the module counted itself, which lost nothing */
static void print_session(const struct result *r, FILE *to)
{
	const struct series *s = result_primary(r);

	if (s->stats.count)
		fprintf(to, "Session, counted by the module: min %" PRIu64 " max %" PRIu64
			" jitter %.0Lf spread %" PRIu64 "\n", (uint64_t)s->stats.min,
			(uint64_t)s->stats.max, series_stddev(s),
			(uint64_t)(s->stats.max - s->stats.min));
}

static void print_table(const struct result *r, FILE *to)
{
	const struct caterpillar_table *t = table_of(r);

	fprintf(to, "ticks of a clock of %" PRIu64 " Hz; jitter: standard deviation; "
		"spread: max - min\n", (uint64_t)r->info.clock_hz);
	fprintf(to, " %10s %10s %10s %10s %10s %13s %10s %13s %13s\n", "SampleMin", "SampleMax",
		"SmplJitter", "SessionMin", "SessionMax", "SessionJitter", "Sample",
		"SmplSpread", "SessionSpread");
	for (size_t i = 0; i < t->nr; i++)
		print_row(&t->rows[i], t->cycles, to);
	if (!t->nr)
		fputs("no data\n", to);
	if (t->left_out)
		fprintf(to, "... and %" PRIu64 " samples that there was no room for\n",
			t->left_out);
	if (t->left_out || t->gap)
		print_session(r, to);
}

static void print_live(const struct result *r, FILE *to)
{
	struct caterpillar_table *t = table_of(r);
	struct caterpillar_row row;
	bool any;

	/* a terminal may keep this thread waiting, which the reader's must not be */
	pthread_mutex_lock(&t->lock);
	any = t->nr;
	if (any)
		row = t->rows[t->nr - 1];
	pthread_mutex_unlock(&t->lock);
	if (!any) {
		fputs("  no sample yet", to);
		return;
	}
	fprintf(to, "  sample %" PRIu64 ":", row.number);
	print_span(&row.own, row.state != CATERPILLAR_LOST, 0, to);
	fputs("  session:", to);
	print_span(&row.session, row.session_whole, 0, to);
}

static void add_notes(struct result *r)
{
	const struct caterpillar_table *t = table_of(r);

	if (r->reader.error)
		strlist_add(&r->notes, "reading the raw cycles failed: %s",
			    strerror(r->reader.error));
	if (t->gap)
		strlist_add(&r->notes, "raw cycles that were not read: %" PRIu64 " (the series has "
			    "them; the samples of the table that lack some are marked)",
			    (uint64_t)(r->status.seen - t->session.stats.count));
}

static json_t *json_span(const struct caterpillar_span *s, bool known)
{
	json_t *json;

	if (!known)
		return json_null();
	json = json_object();
	set(json, "min", json_u64(s->min));
	set(json, "max", json_u64(s->max));
	set(json, "jitter", json_real((double)s->jitter));
	set(json, "spread", json_u64(s->max - s->min));
	return json;
}

static json_t *json_row(const struct caterpillar_row *row)
{
	static const char *const states[] = {
		[CATERPILLAR_WHOLE] = "whole",
		[CATERPILLAR_CUT] = "cut",
		[CATERPILLAR_LOST] = "lost",
	};
	json_t *json = json_object();

	set(json, "number", json_u64(row->number));
	set(json, "state", json_text(states[row->state]));
	set(json, "cycles", json_u64(row->cycles));
	set(json, "sample", json_span(&row->own, row->state != CATERPILLAR_LOST));
	set(json, "session", json_span(&row->session, row->session_whole));
	return json;
}

static void add_json(const struct result *r, json_t *json)
{
	const struct caterpillar_table *t = table_of(r);
	json_t *table = json_object(), *rows = json_array();

	for (size_t i = 0; i < t->nr; i++)
		json_array_append_new(rows, json_row(&t->rows[i]));
	set(table, "unit", json_string("ticks"));
	set(table, "cycles_per_sample", json_u64(t->cycles));
	set(table, "samples", rows);
	set(table, "samples_left_out", json_u64(t->left_out));
	set(json, "table", table);
}

const struct result_kind caterpillar_kind = {
	.eci_first = true,
	.notes = add_notes,
	.eci = print_table,
	.json = add_json,
	.live = print_live,
};
