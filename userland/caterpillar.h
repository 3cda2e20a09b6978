/* SPDX-License-Identifier: GPL-2.0 */
/* The table of klat caterpillar: a line for each sample, out of its raw cycles. */
#ifndef KLAT_CATERPILLAR_TABLE_H
#define KLAT_CATERPILLAR_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "reader.h"
#include "result.h"
#include "series.h"

#define CATERPILLAR_ROWS_MAX	100000U

enum caterpillar_state {
	CATERPILLAR_WHOLE,
	CATERPILLAR_CUT,	/* the run ended before all its cycles were done */
	CATERPILLAR_LOST,	/* some of its cycles were done, and not read */
};

/* Ticks */
struct caterpillar_span {
	uint64_t min;
	uint64_t max;
	long double jitter;	/* standard deviation */
};

/**
 * struct caterpillar_row - a sample
 * @number: from 1
 * @state: with LOST @own means nothing
 * @cycles: that were read
 * @own: of its cycles
 * @session: of all cycles up to its end
 * @session_whole: none of those was lost; without it @session means nothing
 */
struct caterpillar_row {
	uint64_t number;
	enum caterpillar_state state;
	uint64_t cycles;
	struct caterpillar_span own;
	struct caterpillar_span session;
	bool session_whole;
};

/**
 * struct caterpillar_table - all samples; filled by the reader's thread
 * @lock: of all that follows
 * @cycles: a sample has so many
 * @number: the sample that is being read, from 0
 * @sample: what was read of it
 * @session: what was read of all
 * @gap: something of the session was lost
 * @rows: @nr of them, room for @room
 * @left_out: samples that there was no more room for
 */
struct caterpillar_table {
	pthread_mutex_t lock;
	uint64_t cycles;
	uint64_t number;
	struct series sample;
	struct series session;
	bool gap;
	struct caterpillar_row *rows;
	size_t nr;
	size_t room;
	uint64_t left_out;
};

extern const struct result_kind caterpillar_kind;

void caterpillar_add(struct caterpillar_table *t, uint64_t seq, uint64_t ticks);
void caterpillar_end(struct caterpillar_table *t, uint64_t cycles);
void caterpillar_take(void *table, const struct reader_batch *batch);
void caterpillar_free(struct caterpillar_table *t);

#endif
