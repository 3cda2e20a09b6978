// SPDX-License-Identifier: GPL-2.0
/* KTAP, as kselftest reads it. */
#include <inttypes.h>

#include "output.h"
#include "percentile.h"

static void print_case(const struct result *r, int nr, bool ok, const char *what, FILE *to)
{
	fprintf(to, "%s %d %s: %s\n", ok ? "ok" : "not ok", nr, r->command, what);
}

static void print_series(const struct result *r, const struct series *s, FILE *to)
{
	if (!s->stats.count) {
		fprintf(to, "# %s: %s\n", s->name, result_empty(r, s));
		return;
	}
	fprintf(to, "# %s (ns): count %" PRIu64 " min %" PRIu64 " max %" PRIu64, s->name,
		(uint64_t)s->stats.count, result_ns(r, s->stats.min),
		result_ns(r, s->stats.max));
	for (int i = 0; i < NR_PERCENTILES; i++)
		fprintf(to, " p%s %" PRIu64, percentiles[i].name,
			result_ns(r, series_percentile(s, percentiles[i].ppm)));
	fputs("\n", to);
}

static void print_list(const struct strlist *list, const char *what, FILE *to)
{
	for (size_t i = 0; i < list->nr; i++)
		fprintf(to, "# %s: %s\n", what, list->items[i]);
}

void out_ktap(const struct result *r, FILE *to)
{
	char label[128];

	fputs("KTAP version 1\n1..3\n", to);
	if (result_label(r, label, sizeof(label)))
		fprintf(to, "# %s\n", label);
	for (unsigned int i = 0; i < r->nr_series; i++)
		print_series(r, &r->series[i], to);
	print_list(&r->reasons, "reason", to);
	print_list(&r->notes, "note", to);
	print_case(r, 1, r->verdict != VERDICT_INCOMPLETE, "all that was asked was measured", to);
	print_case(r, 2, r->verdict != VERDICT_INVALID, "what was asked was in effect", to);
	if (r->limit_ns || r->hard_limit_ns)
		print_case(r, 3, !result_limit_exceeded(r), "no value was above the limit", to);
	else
		fprintf(to, "ok 3 %s: no value was above the limit # SKIP no limit was given\n",
			r->command);
}

void out_ktap_skip(const char *command, const char *why, FILE *to)
{
	fprintf(to, "KTAP version 1\n1..1\nok 1 %s # SKIP %s\n", command, why);
}
