// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/string.h>

#include "msi_lat.h"

#define KNOWN_FLAGS	(KLAT_MSI_LAT_FLAG_FLUSH | KLAT_MSI_LAT_FLAG_NO_DISTURB | \
			 KLAT_MSI_LAT_FLAG_FREEZE_TRACE | KLAT_MSI_LAT_FLAG_ALLOW_IDLE)

static int check_cpu(const char *what, u32 cpu, struct klat_refusal *refusal)
{
	if (cpu < nr_cpu_ids && cpu_online(cpu))
		return 0;
	return klat_refuse(refusal, -EINVAL, "%s = %u: must be an online CPU (online: %*pbl)",
			   what, cpu, cpumask_pr_args(cpu_online_mask));
}

static int check_range(const char *what, u64 value, u64 min, u64 max, const char *unit,
		       struct klat_refusal *refusal)
{
	if (value >= min && value <= max)
		return 0;
	return klat_refuse(refusal, -EINVAL, "%s = %llu: must be %llu .. %llu %s", what,
			   value, min, max, unit);
}

static int check_ring(u32 entries, struct klat_refusal *refusal)
{
	if (!entries || (is_power_of_2(entries) && entries >= KLAT_MSI_LAT_RING_MIN &&
			 entries <= KLAT_MSI_LAT_RING_MAX))
		return 0;
	return klat_refuse(refusal, -EINVAL,
			   "ring_entries = %u: must be 0 or a power of two, %u .. %u",
			   entries, KLAT_MSI_LAT_RING_MIN, KLAT_MSI_LAT_RING_MAX);
}

static int check_names(const struct klat_msi_lat_config *config, struct klat_refusal *refusal)
{
	if (strnlen(config->source, sizeof(config->source)) == sizeof(config->source) ||
	    strnlen(config->bdf, sizeof(config->bdf)) == sizeof(config->bdf))
		return klat_refuse(refusal, -EINVAL,
				   "source or bdf: must end with a NUL within %zu bytes",
				   sizeof(config->source));
	if (config->flags & KLAT_MSI_LAT_FLAG_FLUSH && !klat_source_can_flush(config->source))
		return klat_refuse(refusal, -EOPNOTSUPP,
				   "flags: source %s has no device to read back (FLUSH)",
				   config->source);
	return klat_source_check(config->source, config->bdf, refusal);
}

static int check(const struct klat_msi_lat_config *config, struct klat_refusal *refusal)
{
	int ret;

	if (config->flags & ~KNOWN_FLAGS)
		return klat_refuse(refusal, -EOPNOTSUPP, "flags = %#x: unknown are %#x",
				   config->flags, config->flags & ~KNOWN_FLAGS);
	if (config->mode > KLAT_MSI_LAT_MODE_HARD)
		return klat_refuse(refusal, -EINVAL,
				   "mode = %u: must be 0 (thread) or 1 (hard)", config->mode);
	if (!config->count)
		return klat_refuse(refusal, -EINVAL,
				   "count = 0: must be above 0, or below 0 for without end");
	ret = check_cpu("irq_cpu", config->irq_cpu, refusal);
	if (!ret)
		ret = check_cpu("trigger_cpu", config->trigger_cpu, refusal);
	if (!ret)
		ret = check_range("period_ns", config->period_ns, KLAT_MSI_LAT_PERIOD_MIN,
				  KLAT_MSI_LAT_PERIOD_MAX, "ns", refusal);
	if (!ret)
		ret = check_range("offset_ns", config->offset_ns, 0, KLAT_MSI_LAT_OFFSET_MAX,
				  "ns", refusal);
	if (!ret)
		ret = check_range("block_ticks", config->block_ticks, 0,
				  KLAT_MSI_LAT_BLOCK_MAX, "ticks", refusal);
	if (!ret)
		ret = check_ring(config->ring_entries, refusal);
	return ret ?: check_names(config, refusal);
}

int msi_lat_configure(struct klat_bench *bench, const void *arg,
		      struct klat_refusal *refusal)
{
	const struct klat_msi_lat_config *config = arg;
	struct msi_lat *msi = msi_lat_of(bench);
	int ret;

	ret = check(config, refusal);
	if (ret)
		return ret;
	msi->config = *config;
	if (!msi->config.ring_entries)
		msi->config.ring_entries = MSI_LAT_RING_DEFAULT;
	return 0;
}
