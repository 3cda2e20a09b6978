// SPDX-License-Identifier: GPL-2.0
/* Percentiles out of the log-linear histogram. */
#include "percentile.h"
#include "series.h"

#define PPM	1000000U

const struct percentile percentiles[NR_PERCENTILES] = {
	{ "50", 500000 },
	{ "90", 900000 },
	{ "99", 990000 },
	{ "99.9", 999000 },
	{ "99.99", 999900 },
	{ "99.999", 999990 },
	{ "99.9999", 999999 },
};

static uint64_t clip(uint64_t value, const struct klat_stats *st)
{
	if (value < st->min)
		return st->min;
	return value > st->max ? st->max : value;
}

/*
 * Nearest rank: the smallest value that at least @ppm of a million are not
 * above, rounded up to the end of its bucket, but never past the largest value
 * seen. Meaningless (0) for an empty series.
 */
uint64_t series_percentile(const struct series *s, uint32_t ppm)
{
	unsigned __int128 scaled = (unsigned __int128)s->stats.count * ppm;
	uint64_t rank = (uint64_t)((scaled + PPM - 1) / PPM);
	uint64_t seen = 0;

	if (!s->stats.count)
		return 0;
	if (!rank)
		rank = 1;
	for (uint32_t i = 0; i < KLAT_HIST_BUCKETS; i++) {
		seen += s->buckets[i];
		if (seen >= rank)
			return clip(klat_hist_upper(i), &s->stats);
	}
	return s->stats.max;
}
