// SPDX-License-Identifier: GPL-2.0
#include "../core/check.h"
#include "msi_jitter.h"

#define KNOWN_FLAGS	(KLAT_MSI_JITTER_FLAG_NO_DISTURB | \
			 KLAT_MSI_JITTER_FLAG_FREEZE_TRACE | \
			 KLAT_MSI_JITTER_FLAG_ALLOW_IDLE)

/* Without meaning for the timers of the device */
static int check_timer_cpu(const struct klat_msi_jitter_config *config,
			   struct klat_refusal *refusal)
{
	if (config->timer != KLAT_MSI_JITTER_TIMER_HRTIMER)
		return 0;
	return klat_check_cpu("timer_cpu", config->timer_cpu, refusal);
}

static int check(const struct klat_msi_jitter_config *config, struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_flags(config->flags, KNOWN_FLAGS, refusal);
	if (ret)
		return ret;
	if (config->timer >= KLAT_MSI_JITTER_NR_TIMERS)
		return klat_refuse(refusal, -EINVAL,
				   "timer = %u: must be 0 (hrtimer), 1 (targettime) or 2 (tcptimer)",
				   config->timer);
	ret = klat_check_count(config->count, refusal);
	if (!ret)
		ret = klat_check_cpu("irq_cpu", config->irq_cpu, refusal);
	if (!ret)
		ret = check_timer_cpu(config, refusal);
	if (!ret)
		ret = klat_check_range("period_ns", config->period_ns,
				       KLAT_MSI_JITTER_PERIOD_MIN, KLAT_MSI_JITTER_PERIOD_MAX,
				       "ns", refusal);
	if (!ret)
		ret = klat_check_ring(config->ring_entries, KLAT_MSI_JITTER_RING_MIN,
				      KLAT_MSI_JITTER_RING_MAX, refusal);
	if (!ret)
		ret = klat_check_limit(config->limit_ns, refusal);
	return ret ?: klat_source_check_config(config->source, config->bdf, refusal);
}

int msi_jitter_configure(struct klat_bench *bench, const void *arg,
			 struct klat_refusal *refusal)
{
	const struct klat_msi_jitter_config *config = arg;
	struct msi_jitter *jitter = msi_jitter_of(bench);
	int ret;

	ret = check(config, refusal);
	if (ret)
		return ret;
	jitter->config = *config;
	if (!jitter->config.ring_entries)
		jitter->config.ring_entries = MSI_JITTER_RING_DEFAULT;
	return 0;
}
