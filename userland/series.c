// SPDX-License-Identifier: GPL-2.0
/* A series that the tool measures itself, kept as the modules keep theirs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "duration.h"
#include "series.h"

int series_init(struct series *s, const char *name)
{
	memset(s, 0, sizeof(*s));
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->buckets = calloc(KLAT_HIST_BUCKETS, sizeof(*s->buckets));
	return s->buckets ? 0 : -ENOMEM;
}

void series_free(struct series *s)
{
	free(s->buckets);
	s->buckets = NULL;
}

static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Largest first; of equal ones the earlier stays in front, as in the kernel */
static void worst_add(struct klat_stats *st, uint64_t value, uint64_t seq, uint32_t cpu)
{
	struct klat_worst *w = st->worst;
	uint32_t at;

	if (!value || (st->nr_worst == KLAT_MAX_WORST && value <= w[KLAT_MAX_WORST - 1].value))
		return;
	if (st->nr_worst < KLAT_MAX_WORST)
		st->nr_worst++;
	for (at = st->nr_worst - 1; at && w[at - 1].value < value; at--)
		w[at] = w[at - 1];
	w[at] = (struct klat_worst) {
		.value = value,
		.seq = seq,
		.mono = now(CLOCK_MONOTONIC),
		.real = now(CLOCK_REALTIME),
		.cpu = cpu,
	};
}

static void squares_add(__u64 words[3], uint64_t value)
{
	unsigned __int128 square = (unsigned __int128)value * value;
	unsigned __int128 sum = (unsigned __int128)words[1] << 64 | words[0];

	sum += square;
	words[2] += sum < square;
	words[0] = (uint64_t)sum;
	words[1] = (uint64_t)(sum >> 64);
}

/* Number, least, largest, sum and squares: no histogram, and no list of the largest */
void series_count(struct series *s, uint64_t value)
{
	struct klat_stats *st = &s->stats;

	if (!st->count || value < st->min)
		st->min = value;
	if (value > st->max)
		st->max = value;
	st->count++;
	st->sum_lo += value;
	st->sum_hi += st->sum_lo < value;
	squares_add(st->squares, value);
}

void series_add(struct series *s, uint64_t value, uint64_t seq, uint32_t cpu)
{
	series_count(s, value);
	s->buckets[klat_hist_index(value)]++;
	worst_add(&s->stats, value, seq, cpu);
}
