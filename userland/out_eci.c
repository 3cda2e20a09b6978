// SPDX-License-Identifier: GPL-2.0
/* The block of results that users of Intel ECI's benchmarks know. */
#include <inttypes.h>

#include "output.h"
#include "units.h"

static void print_results(const struct result *r, FILE *to)
{
	const struct series *s = result_primary(r);

	fputs("************ RESULTS (ns) ************\n\n", to);
	if (s->stats.count) {
		fprintf(to, "* Max: %" PRIu64 "\n", result_ns(r, s->stats.max));
		fprintf(to, "* Avg: %.0Lf\n",
			ticks_to_ns_real(series_mean(s), r->info.clock_hz));
		fprintf(to, "* Min: %" PRIu64 "\n", result_ns(r, s->stats.min));
	} else {
		fputs("* no data\n", to);
	}
}

void out_eci(const struct result *r, FILE *to)
{
	char label[128];

	if (result_label(r, label, sizeof(label)))
		fprintf(to, "%s\n", label);
	if (result_kind(r)->eci)
		result_kind(r)->eci(r, to);
	else
		print_results(r, to);
	if (r->verdict == VERDICT_COMPLETE)
		return;
	fprintf(to, "\n%s\n", verdict_name(r->verdict));
	for (size_t i = 0; i < r->reasons.nr; i++)
		fprintf(to, "  %s\n", r->reasons.items[i]);
}
