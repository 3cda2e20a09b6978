/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A value that belongs on the worst list: when it came, where, and what else
 * happened there.
 */
#ifndef KLAT_CORE_WORST_H
#define KLAT_CORE_WORST_H

#include "series.h"

/* On the CPU that measured it, interrupts off; @disturb NULL: unknown */
void klat_worst_record(struct klat_series *series, u64 seq, u64 value,
		       const struct klat_disturb *disturb);

#endif /* KLAT_CORE_WORST_H */
