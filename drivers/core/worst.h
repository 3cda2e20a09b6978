/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A value that belongs on the worst list: when it came, where, and what else
 * happened there.
 */
#ifndef KLAT_CORE_WORST_H
#define KLAT_CORE_WORST_H

#include "series.h"

/* When and where something was measured */
struct klat_moment {
	u64 mono;
	u64 real;
	u64 trace;
	u32 cpu;
};

/* Now and here; interrupts off */
void klat_moment_take(struct klat_moment *moment);

/* @disturb NULL: unknown */
void klat_worst_record_at(struct klat_series *series, u64 seq, u64 value,
			  const struct klat_disturb *disturb,
			  const struct klat_moment *moment);

/* The same, measured just now: on the CPU that measured it, interrupts off */
void klat_worst_record(struct klat_series *series, u64 seq, u64 value,
		       const struct klat_disturb *disturb);

#endif /* KLAT_CORE_WORST_H */
