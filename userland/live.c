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

static void show_series(const struct result *r, const struct klat_status *st,
			const struct series *s)
{
	char min[32], mean[32], max[32], worst[32];
	uint64_t hz = r->info.clock_hz;

	if (!s->stats.count) {
		fprintf(stderr, "  %s", result_kind(r)->empty ? result_kind(r)->empty :
			"no data yet");
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

/* @s: the primary series as it is now */
void live_show(struct live *live, const struct result *r, const struct klat_status *st,
	       const struct series *s)
{
	live->shown = true;
	fprintf(stderr, CLEAR_LINE "%.1f s  %" PRIu64, (double)st->duration / NS_PER_S,
		(uint64_t)st->seen);
	if (st->asked)
		fprintf(stderr, "/%" PRIu64, (uint64_t)st->asked);
	if (result_kind(r)->live)
		result_kind(r)->live(r, stderr);
	else
		show_series(r, st, s);
}

void live_clear(struct live *live)
{
	if (live->shown)
		fputs(CLEAR_LINE, stderr);
	live->shown = false;
}
