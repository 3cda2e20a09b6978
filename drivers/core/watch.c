// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "run.h"
#include "watch.h"

void klat_watch_start(struct klat_watch *watch, unsigned int cpu, bool disturb,
		      bool hold_latency)
{
	memset(watch, 0, sizeof(*watch));
	watch->cpu = cpu;
	watch->disturb = disturb;
	watch->hold_latency = hold_latency;
	watch->clock_was_stable = klat_clock_stable();
	if (disturb)
		klat_disturb_start(&watch->meter, cpu);
	watch->steal_known = klat_disturb_steal(cpu, &watch->steal_start);
	if (hold_latency)
		cpu_latency_qos_add_request(&watch->qos, 0);
}

void klat_watch_stop(struct klat_watch *watch)
{
	if (watch->hold_latency)
		cpu_latency_qos_remove_request(&watch->qos);
}

bool klat_watch_clock_bad(struct klat_bench *bench, const struct klat_watch *watch)
{
	if (!watch->clock_was_stable || klat_clock_stable())
		return false;
	klat_run_end(bench, KLAT_FAILED, ETIME, 0,
		     "the clock became unstable: the kernel no longer trusts the TSC");
	return true;
}

void klat_watch_disturb(const struct klat_watch *watch, struct klat_disturb *disturb)
{
	u64 steal;

	*disturb = watch->meter.sum;
	if (!watch->steal_known || !klat_disturb_steal(watch->cpu, &steal))
		return;
	disturb->known |= KLAT_KNOWN_STEAL;
	disturb->steal = steal - watch->steal_start;
}

void klat_watch_counters(const struct klat_watch *watch, struct klat_status *status)
{
	klat_watch_disturb(watch, &status->disturb);
}

void klat_watch_settings(struct klat_watch *watch, struct klat_settings *settings)
{
	if (!watch->hold_latency)
		return;
	klat_settings_add_asked(settings, "latency_qos_us", 0,
				cpu_latency_qos_request_active(&watch->qos) ? 0 : -1);
}
