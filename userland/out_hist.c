// SPDX-License-Identifier: GPL-2.0
/*
 * The histograms as cyclictest prints them: "value count ..." with comments.
 * One column of counts for each series that has data, in nanoseconds; a value
 * is the upper end of its bucket.
 */
#include <inttypes.h>
#include <string.h>

#include "output.h"
#include "units.h"

typedef uint64_t (*summary_fn)(const struct result *r, const struct series *s);

static uint64_t total(const struct result *r, const struct series *s)
{
	(void)r;
	return s->stats.count;
}

static uint64_t least(const struct result *r, const struct series *s)
{
	return result_ns(r, s->stats.min);
}

static uint64_t average(const struct result *r, const struct series *s)
{
	return (uint64_t)(ticks_to_ns_real(series_mean(s), r->info.clock_hz) + 0.5L);
}

static uint64_t largest(const struct result *r, const struct series *s)
{
	return result_ns(r, s->stats.max);
}

static bool has_column(const struct result *r, unsigned int series)
{
	return r->series[series].stats.count && !(result_kind(r)->no_hist & 1U << series);
}

static void print_summary(const struct result *r, const char *name, summary_fn fn, FILE *to)
{
	fprintf(to, "# %s:", name);
	for (unsigned int i = 0; i < r->nr_series; i++)
		if (has_column(r, i))
			fprintf(to, " %09" PRIu64, fn(r, &r->series[i]));
	fputs("\n", to);
}

static void print_row(const struct result *r, uint64_t ns, const uint64_t *counts, FILE *to)
{
	fprintf(to, "%09" PRIu64, ns);
	for (unsigned int i = 0; i < r->nr_series; i++)
		if (has_column(r, i))
			fprintf(to, " %09" PRIu64, counts[i]);
	fputs("\n", to);
}

/* Buckets narrower than a nanosecond share the row of theirs */
static void print_rows(const struct result *r, FILE *to)
{
	uint64_t counts[RESULT_MAX_SERIES] = { 0 };
	uint64_t ns, row = 0;
	bool any = false;

	for (uint32_t b = 0; b < KLAT_HIST_BUCKETS; b++) {
		ns = result_ns(r, klat_hist_upper(b));
		if (any && ns != row) {
			print_row(r, row, counts, to);
			memset(counts, 0, sizeof(counts));
			any = false;
		}
		for (unsigned int i = 0; i < r->nr_series; i++) {
			if (!has_column(r, i))
				continue;
			counts[i] += r->series[i].buckets[b];
			any |= r->series[i].buckets[b] != 0;
		}
		row = ns;
	}
	if (any)
		print_row(r, row, counts, to);
}

void out_hist(const struct result *r, FILE *to)
{
	char label[128];

	if (result_label(r, label, sizeof(label)))
		fprintf(to, "# %s\n", label);
	fprintf(to, "# klat %s, Histogram (ns)\n# Value:", r->command);
	for (unsigned int i = 0; i < r->nr_series; i++)
		if (has_column(r, i))
			fprintf(to, " %s", r->series[i].name);
	fputs("\n", to);
	if (!result_primary(r)->stats.count)
		fprintf(to, "# %s\n", result_empty(r, result_primary(r)));
	print_rows(r, to);
	print_summary(r, "Total", total, to);
	print_summary(r, "Min Latencies", least, to);
	print_summary(r, "Avg Latencies", average, to);
	print_summary(r, "Max Latencies", largest, to);
	fputs("# Histogram Overflows: 0\n", to);
	fprintf(to, "# Verdict: %s\n", verdict_name(r->verdict));
}
