/* SPDX-License-Identifier: GPL-2.0 */
/* Series for the tests, and values put into them as a handler does it. */
#ifndef KLAT_UNIT_FEED_H
#define KLAT_UNIT_FEED_H

#include <stdlib.h>

#include "series.h"

static inline struct klat_series *new_series(u32 cpu)
{
	struct klat_series *series = aligned_alloc(64, sizeof(*series));

	if (!series)
		abort();
	klat_series_init(series, 0, cpu);
	return series;
}

static inline void feed(struct klat_series *series, u64 value, u64 seq)
{
	struct klat_worst worst = { .value = value, .seq = seq, .cpu = series->cpu };

	if (klat_series_add(series, value))
		klat_series_worst(series, &worst);
}

#endif
