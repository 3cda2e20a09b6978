// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>

#include "../core/check.h"
#include "hwlat_detector.h"

#define KNOWN_FLAGS	(KLAT_HWLAT_DETECTOR_FLAG_ALIGNED | KLAT_HWLAT_DETECTOR_FLAG_STEPS | \
			 KLAT_HWLAT_DETECTOR_FLAG_NO_DISTURB |				\
			 KLAT_HWLAT_DETECTOR_FLAG_FREEZE_TRACE |			\
			 KLAT_HWLAT_DETECTOR_FLAG_ALLOW_IDLE)

int hwlat_parse_cpus(const char *text, struct cpumask *cpus, struct klat_refusal *refusal)
{
	if (!*text) {
		cpumask_copy(cpus, cpu_online_mask);
		return 0;
	}
	if (cpulist_parse(text, cpus) || cpumask_empty(cpus))
		return klat_refuse(refusal, -EINVAL,
				   "cpus = %s: must be a list of CPUs, as 0-3,6 (online: %*pbl)",
				   text, cpumask_pr_args(cpu_online_mask));
	if (!cpumask_subset(cpus, cpu_online_mask))
		return klat_refuse(refusal, -EINVAL,
				   "cpus = %s: must all be online (online: %*pbl)", text,
				   cpumask_pr_args(cpu_online_mask));
	return 0;
}

static int check_cpus(const struct klat_hwlat_detector_config *config,
		      struct klat_refusal *refusal)
{
	cpumask_var_t cpus;
	int ret;

	ret = klat_check_name("cpus", config->cpus, sizeof(config->cpus), refusal);
	if (ret)
		return ret;
	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return klat_refuse(refusal, -ENOMEM, "not enough memory");
	ret = hwlat_parse_cpus(config->cpus, cpus, refusal);
	/* or an event of all of them would never fit */
	if (!ret && config->ring_entries && config->ring_entries < cpumask_weight(cpus))
		ret = klat_refuse(refusal, -EINVAL,
				  "ring_entries = %u: must be at least the number of CPUs, %u",
				  config->ring_entries, cpumask_weight(cpus));
	free_cpumask_var(cpus);
	return ret;
}

static int check_times(const struct klat_hwlat_detector_config *config,
		       struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_range("window_ns", config->window_ns, KLAT_HWLAT_DETECTOR_WINDOW_MIN,
			       KLAT_HWLAT_DETECTOR_WINDOW_MAX, "ns", refusal);
	if (!ret)
		ret = klat_check_range("width_ns", config->width_ns,
				       KLAT_HWLAT_DETECTOR_WIDTH_MIN,
				       KLAT_HWLAT_DETECTOR_WIDTH_MAX, "ns", refusal);
	if (!ret && config->width_ns + KLAT_HWLAT_DETECTOR_REST_MIN > config->window_ns)
		ret = klat_refuse(refusal, -EINVAL,
				  "width_ns = %llu: must be at least %llu ns below window_ns, %llu",
				  config->width_ns, KLAT_HWLAT_DETECTOR_REST_MIN,
				  config->window_ns);
	if (!ret)
		ret = klat_check_range("threshold_ns", config->threshold_ns,
				       KLAT_HWLAT_DETECTOR_THRESHOLD_MIN,
				       KLAT_HWLAT_DETECTOR_THRESHOLD_MAX, "ns", refusal);
	if (!ret)
		ret = klat_check_range("duration_ns", config->duration_ns, 0,
				       KLAT_HWLAT_DETECTOR_DURATION_MAX, "ns", refusal);
	return ret ?: klat_check_limit(config->limit_ns, refusal);
}

int hwlat_check(const struct klat_hwlat_detector_config *config, struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_flags(config->flags, KNOWN_FLAGS, refusal);
	if (ret)
		return ret;
	ret = klat_check_reserved(config->reserved, refusal);
	if (ret)
		return ret;
	ret = klat_check_ring(config->ring_entries, KLAT_HWLAT_DETECTOR_RING_MIN,
			      KLAT_HWLAT_DETECTOR_RING_MAX, refusal);
	if (!ret)
		ret = check_times(config, refusal);
	return ret ?: check_cpus(config, refusal);
}

int hwlat_configure(struct klat_bench *bench, const void *arg, struct klat_refusal *refusal)
{
	const struct klat_hwlat_detector_config *config = arg;
	struct hwlat *hwlat = hwlat_of(bench);
	int ret;

	ret = hwlat_check(config, refusal);
	if (ret)
		return ret;
	hwlat->config = *config;
	if (!hwlat->config.ring_entries)
		hwlat->config.ring_entries = HWLAT_DETECTOR_RING_DEFAULT;
	return 0;
}
