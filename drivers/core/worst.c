// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/smp.h>
#include <linux/trace_clock.h>

#include "worst.h"

void klat_worst_record(struct klat_series *series, u64 seq, u64 value,
		       const struct klat_disturb *disturb)
{
	struct klat_worst worst = {
		.value = value,
		.seq = seq,
		.mono = ktime_get_mono_fast_ns(),
		.real = ktime_get_real_fast_ns(),
		.trace = trace_clock_local(),
		.cpu = smp_processor_id(),
	};

	if (disturb)
		worst.disturb = *disturb;
	klat_series_worst(series, &worst);
}
