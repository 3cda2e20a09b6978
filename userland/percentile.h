/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_PERCENTILE_H
#define KLAT_PERCENTILE_H

#include <stdint.h>

#define NR_PERCENTILES	7

struct percentile {
	const char *name;
	uint32_t ppm;
};

/* Those that every format prints, ascending */
extern const struct percentile percentiles[NR_PERCENTILES];

#endif
