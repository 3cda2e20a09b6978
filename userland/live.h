/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_LIVE_H
#define KLAT_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <klat/klat.h>

#include "result.h"

/* A line on the terminal that says how a run is going */
struct live {
	bool on;
	bool shown;
	uint64_t next;
};

void live_init(struct live *live, bool quiet);
bool live_due(struct live *live, uint64_t now);
void live_show(struct live *live, const struct result *r, const struct klat_status *st,
	       const struct series *s);
void live_clear(struct live *live);

#endif
