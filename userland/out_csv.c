// SPDX-License-Identifier: GPL-2.0
/* CSV: a header, then a line for each series; empty where there is no data. */
#include <inttypes.h>

#include "output.h"
#include "percentile.h"
#include "units.h"

static void print_values(const struct result *r, const struct series *s, FILE *to)
{
	uint64_t hz = r->info.clock_hz;

	fprintf(to, "%" PRIu64 ",%.3Lf,%.3Lf,%" PRIu64, result_ns(r, s->stats.min),
		ticks_to_ns_real(series_mean(s), hz), ticks_to_ns_real(series_stddev(s), hz),
		result_ns(r, s->stats.max));
	for (int i = 0; i < NR_PERCENTILES; i++)
		fprintf(to, ",%" PRIu64, result_ns(r, series_percentile(s, percentiles[i].ppm)));
}

static void print_blanks(FILE *to)
{
	fputs(",,,", to);
	for (int i = 0; i < NR_PERCENTILES; i++)
		fputs(",", to);
}

void out_csv(const struct result *r, FILE *to)
{
	fputs("benchmark,series,unit,count,min,mean,stddev,max", to);
	for (int i = 0; i < NR_PERCENTILES; i++)
		fprintf(to, ",p%s", percentiles[i].name);
	fputs(",hypervisor,verdict\n", to);

	for (unsigned int i = 0; i < r->nr_series; i++) {
		const struct series *s = &r->series[i];

		fprintf(to, "%s,%s,ns,%" PRIu64 ",", r->command, s->name,
			(uint64_t)s->stats.count);
		if (s->stats.count)
			print_values(r, s, to);
		else
			print_blanks(to);
		fprintf(to, ",%s,%s\n", r->machine.hypervisor.name, verdict_name(r->verdict));
	}
}
