// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/smp.h>
#include <linux/trace_clock.h>

#include "worst.h"

void klat_moment_take(struct klat_moment *moment)
{
	moment->mono = ktime_get_mono_fast_ns();
	moment->real = ktime_get_real_fast_ns();
	moment->trace = trace_clock_local();
	moment->cpu = smp_processor_id();
}

void klat_worst_record_at(struct klat_series *series, u64 seq, u64 value,
			  const struct klat_disturb *disturb,
			  const struct klat_moment *moment)
{
	struct klat_worst worst = {
		.value = value,
		.seq = seq,
		.mono = moment->mono,
		.real = moment->real,
		.trace = moment->trace,
		.cpu = moment->cpu,
	};

	if (disturb)
		worst.disturb = *disturb;
	klat_series_worst(series, &worst);
}

void klat_worst_record(struct klat_series *series, u64 seq, u64 value,
		       const struct klat_disturb *disturb)
{
	struct klat_moment now;

	klat_moment_take(&now);
	klat_worst_record_at(series, seq, value, disturb, &now);
}
