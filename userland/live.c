// SPDX-License-Identifier: GPL-2.0
/* A line on the terminal that says how a run is going. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "duration.h"
#include "live.h"
#include "units.h"

#define LIVE_EVERY	(500 * NS_PER_MS)
#define CLEAR_LINE	"\r\033[K"

void live_init(struct live *live, bool quiet)
{
	live->on = !quiet && isatty(STDERR_FILENO);
	live->shown = false;
	live->next = 0;
}

bool live_due(struct live *live, uint64_t now)
{
	if (!live->on || now < live->next)
		return false;
	live->next = now + LIVE_EVERY;
	return true;
}

void live_show(struct live *live, const struct klat_status *st, const struct series *s,
	       uint64_t hz)
{
	char min[32], mean[32], max[32], worst[32];

	live->shown = true;
	fprintf(stderr, CLEAR_LINE "%.1f s  %" PRIu64, (double)st->duration / NS_PER_S,
		(uint64_t)st->seen);
	if (st->asked)
		fprintf(stderr, "/%" PRIu64, (uint64_t)st->asked);
	if (!s->stats.count) {
		fputs("  no data yet", stderr);
		return;
	}
	duration_rough(ticks_to_ns(s->stats.min, hz), min, sizeof(min));
	duration_rough(ticks_to_ns((uint64_t)series_mean(s), hz), mean, sizeof(mean));
	duration_rough(ticks_to_ns(s->stats.max, hz), max, sizeof(max));
	fprintf(stderr, "  %s min %s  mean %s  max %s", s->name, min, mean, max);
	if (!s->stats.nr_worst || s->stats.worst[0].mono < st->start_mono)
		return;
	duration_rough(s->stats.worst[0].mono - st->start_mono, worst, sizeof(worst));
	fprintf(stderr, " (at %s)", worst);
}

void live_clear(struct live *live)
{
	if (live->shown)
		fputs(CLEAR_LINE, stderr);
	live->shown = false;
}
