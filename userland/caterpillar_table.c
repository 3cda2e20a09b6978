// SPDX-License-Identifier: GPL-2.0
/* The table of klat caterpillar: a line for each sample, out of its raw cycles. */
#include <stdlib.h>

#include "caterpillar.h"

#define ROOM_FIRST	256

static struct caterpillar_span span_of(const struct series *s)
{
	return (struct caterpillar_span) {
		.min = s->stats.min,
		.max = s->stats.max,
		.jitter = series_stddev(s),
	};
}

/* NULL if it is to be left out */
static struct caterpillar_row *row_new(struct caterpillar_table *t)
{
	size_t room = t->room ? 2 * t->room : ROOM_FIRST;
	struct caterpillar_row *rows;

	if (t->nr == CATERPILLAR_ROWS_MAX)
		return NULL;
	if (t->nr == t->room) {
		rows = realloc(t->rows, room * sizeof(*rows));
		if (!rows)
			return NULL;
		t->rows = rows;
		t->room = room;
	}
	return &t->rows[t->nr++];
}

static void row_end(struct caterpillar_table *t, enum caterpillar_state state)
{
	struct caterpillar_row *row = row_new(t);

	t->gap |= state == CATERPILLAR_LOST;
	if (row)
		*row = (struct caterpillar_row) {
			.number = t->number + 1,
			.state = state,
			.cycles = t->sample.stats.count,
			.own = span_of(&t->sample),
			.session = span_of(&t->session),
			.session_whole = !t->gap,
		};
	else
		t->left_out++;
	t->number++;
	t->sample = (struct series) { 0 };
}

/* Cycle @seq of the run; those that were lost never come */
void caterpillar_add(struct caterpillar_table *t, uint64_t seq, uint64_t ticks)
{
	while (t->number < seq / t->cycles)
		row_end(t, CATERPILLAR_LOST);
	series_count(&t->sample, ticks);
	series_count(&t->session, ticks);
	if (t->sample.stats.count == t->cycles)
		row_end(t, CATERPILLAR_WHOLE);
}

/* After the last: the run did @cycles in all */
void caterpillar_end(struct caterpillar_table *t, uint64_t cycles)
{
	uint64_t rest = cycles % t->cycles;

	while (t->number < cycles / t->cycles)
		row_end(t, CATERPILLAR_LOST);
	if (rest && t->number == cycles / t->cycles)
		row_end(t, t->sample.stats.count == rest ? CATERPILLAR_CUT : CATERPILLAR_LOST);
}

/* What the reader is given */
void caterpillar_take(void *table, const struct reader_batch *batch)
{
	struct caterpillar_table *t = table;

	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < batch->nr; i++) {
		const struct klat_sample *sample = (const struct klat_sample *)
						   (batch->records + i * batch->size);

		caterpillar_add(t, sample->seq, sample->value);
	}
	pthread_mutex_unlock(&t->lock);
}

void caterpillar_free(struct caterpillar_table *t)
{
	free(t->rows);
	t->rows = NULL;
	t->nr = t->room = 0;
}
