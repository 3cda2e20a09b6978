// SPDX-License-Identifier: GPL-2.0
#include "../core/check.h"
#include "msi_lat.h"

#define KNOWN_FLAGS	(KLAT_MSI_LAT_FLAG_FLUSH | KLAT_MSI_LAT_FLAG_NO_DISTURB | \
			 KLAT_MSI_LAT_FLAG_FREEZE_TRACE | KLAT_MSI_LAT_FLAG_ALLOW_IDLE)

static int check_source(const struct klat_msi_lat_config *config,
			struct klat_refusal *refusal)
{
	int ret;

	ret = klat_source_check_config(config->source, config->bdf, refusal);
	if (ret)
		return ret;
	if (config->flags & KLAT_MSI_LAT_FLAG_FLUSH && !klat_source_can_flush(config->source))
		return klat_refuse(refusal, -EOPNOTSUPP,
				   "flags: source %s has no device to read back (FLUSH)",
				   config->source);
	return 0;
}

static int check(const struct klat_msi_lat_config *config, struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_flags(config->flags, KNOWN_FLAGS, refusal);
	if (ret)
		return ret;
	if (config->mode > KLAT_MSI_LAT_MODE_HARD)
		return klat_refuse(refusal, -EINVAL,
				   "mode = %u: must be 0 (thread) or 1 (hard)", config->mode);
	ret = klat_check_count(config->count, refusal);
	if (!ret)
		ret = klat_check_cpu("irq_cpu", config->irq_cpu, refusal);
	if (!ret)
		ret = klat_check_cpu("trigger_cpu", config->trigger_cpu, refusal);
	if (!ret)
		ret = klat_check_range("period_ns", config->period_ns,
				       KLAT_MSI_LAT_PERIOD_MIN, KLAT_MSI_LAT_PERIOD_MAX, "ns",
				       refusal);
	if (!ret)
		ret = klat_check_range("offset_ns", config->offset_ns, 0,
				       KLAT_MSI_LAT_OFFSET_MAX, "ns", refusal);
	if (!ret)
		ret = klat_check_range("block_ticks", config->block_ticks, 0,
				       KLAT_MSI_LAT_BLOCK_MAX, "ticks", refusal);
	if (!ret)
		ret = klat_check_ring(config->ring_entries, KLAT_MSI_LAT_RING_MIN,
				      KLAT_MSI_LAT_RING_MAX, refusal);
	if (!ret)
		ret = klat_check_limit(config->limit_ns, refusal);
	return ret ?: check_source(config, refusal);
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
