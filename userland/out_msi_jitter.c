// SPDX-License-Identifier: GPL-2.0
/* What a result of msi-jitter has of its own. */
#include <inttypes.h>

#include "output.h"

static void print_cycles(const struct result *r, FILE *to)
{
	const struct klat_status *st = &r->status;
	uint64_t phase;

	if (result_setting(r, "phase_ns", &phase))
		fprintf(to, "phase:  %" PRId64 " ns from the end of a cycle to its place on the "
			"grid\n", (int64_t)phase);
	fprintf(to, "missed: %" PRIu64 " cycles: %" PRIu64 " with the interrupt before still "
		"outstanding, %" PRIu64 " with the timer too late\n",
		(uint64_t)(st->missed + st->late), (uint64_t)st->missed, (uint64_t)st->late);
}

const struct result_kind msi_jitter_kind = {
	.limit_of = "early and late",
	.fixed_grid = true,
	.text = print_cycles,
};
