/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_SERIES_H
#define KLAT_SERIES_H

#include <stdint.h>

#include <klat/hist.h>
#include <klat/klat.h>

/**
 * struct series - what is known of one measured quantity
 * @name: its name
 * @stats: as KLAT_STATS gives it, also where the tool itself measured
 * @buckets: KLAT_HIST_BUCKETS counters, as KLAT_HIST gives them; NULL where only
 *	series_count() is used
 */
struct series {
	char name[KLAT_NAME_LEN];
	struct klat_stats stats;
	uint64_t *buckets;
};

int series_init(struct series *s, const char *name);
void series_free(struct series *s);
void series_count(struct series *s, uint64_t value);
void series_add(struct series *s, uint64_t value, uint64_t seq, uint32_t cpu);
uint64_t series_percentile(const struct series *s, uint32_t ppm);
long double series_mean(const struct series *s);
long double series_stddev(const struct series *s);

#endif
