// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/param.h>

#include <klat/msi_lat.h>

#include "cpus.h"
#include "module.h"

#define NUMBER(member, value, error) \
	ABI_NUMBER(klat_msi_lat_config, member, value, error)
#define TEXT(member, text, error) \
	ABI_TEXT(klat_msi_lat_config, member, text, error)

static const struct abi_member members[] = {
	NUMBER(irq_cpu, 0, 0),
	NUMBER(irq_cpu, 999, EINVAL),
	NUMBER(irq_cpu, 8192, EINVAL),
	NUMBER(irq_cpu, 0x7fffffff, EINVAL),
	NUMBER(irq_cpu, 0xffffffff, EINVAL),
	NUMBER(trigger_cpu, 0, 0),
	NUMBER(trigger_cpu, 999, EINVAL),
	NUMBER(trigger_cpu, 0xffffffff, EINVAL),
	NUMBER(mode, 0, 0),
	NUMBER(mode, 1, 0),
	NUMBER(mode, 2, EINVAL),
	NUMBER(mode, 0xffffffff, EINVAL),
	NUMBER(ring_entries, 0, 0),
	NUMBER(ring_entries, KLAT_MSI_LAT_RING_MIN, 0),
	NUMBER(ring_entries, KLAT_MSI_LAT_RING_MAX, 0),
	NUMBER(ring_entries, 1, EINVAL),
	NUMBER(ring_entries, KLAT_MSI_LAT_RING_MIN / 2, EINVAL),
	NUMBER(ring_entries, KLAT_MSI_LAT_RING_MIN + 1, EINVAL),
	NUMBER(ring_entries, KLAT_MSI_LAT_RING_MAX * 2, EINVAL),
	NUMBER(ring_entries, 0x80000000, EINVAL),
	NUMBER(ring_entries, 0xffffffff, EINVAL),
	NUMBER(period_ns, KLAT_MSI_LAT_PERIOD_MIN, 0),
	NUMBER(period_ns, KLAT_MSI_LAT_PERIOD_MAX, 0),
	NUMBER(period_ns, 0, EINVAL),
	NUMBER(period_ns, KLAT_MSI_LAT_PERIOD_MIN - 1, EINVAL),
	NUMBER(period_ns, KLAT_MSI_LAT_PERIOD_MAX + 1, EINVAL),
	NUMBER(period_ns, -1, EINVAL),
	NUMBER(count, 1, 0),
	NUMBER(count, -1, 0),
	NUMBER(count, INT64_MAX, 0),
	NUMBER(count, INT64_MIN, 0),
	NUMBER(count, 0, EINVAL),
	NUMBER(offset_ns, KLAT_MSI_LAT_OFFSET_MAX, 0),
	NUMBER(offset_ns, KLAT_MSI_LAT_OFFSET_MAX + 1, EINVAL),
	NUMBER(offset_ns, -1, EINVAL),
	NUMBER(block_ticks, KLAT_MSI_LAT_BLOCK_MAX, 0),
	NUMBER(block_ticks, KLAT_MSI_LAT_BLOCK_MAX + 1, EINVAL),
	NUMBER(block_ticks, -1, EINVAL),
	NUMBER(limit_ns, 0, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX + 1, EINVAL),
	NUMBER(limit_ns, -1, EINVAL),
	TEXT(source, "", 0),
	TEXT(source, "auto", 0),
	TEXT(source, "igb", 0),
	TEXT(source, "igc", 0),
	TEXT(source, "e1000e", 0),
	TEXT(source, "edu", 0),
	TEXT(source, "soft", 0),
	TEXT(source, "foo", EINVAL),
	TEXT(source, "softer", EINVAL),
	{ .name = "source", .offset = offsetof(struct klat_msi_lat_config, source),
	  .size = KLAT_NAME_LEN, .text = "soft567890123456", .error = EINVAL,
	  .says = "source" },
	{ .name = "bdf", .offset = offsetof(struct klat_msi_lat_config, bdf),
	  .size = KLAT_NAME_LEN, .text = "0000:00:01.00000", .error = EINVAL,
	  .says = "bdf" },
	/* an address, with a source that has none */
	TEXT(bdf, "0000:01:00.0", EINVAL),
	TEXT(bdf, "zz", EINVAL),
	{ .name = "flags", .offset = offsetof(struct klat_msi_lat_config, flags),
	  .size = 4, .value = 1U << 4, .error = EOPNOTSUPP, .says = "flags = 0x10" },
	{ .name = "flags", .offset = offsetof(struct klat_msi_lat_config, flags),
	  .size = 4, .value = 1U << 31, .error = EOPNOTSUPP, .says = "flags = 0x80000000" },
	/* the source of these tests has no device to read back */
	{ .name = "flags", .offset = offsetof(struct klat_msi_lat_config, flags),
	  .size = 4, .value = KLAT_MSI_LAT_FLAG_FLUSH, .error = EOPNOTSUPP, .says = "FLUSH" },
	NUMBER(flags, KLAT_MSI_LAT_FLAG_NO_DISTURB |
		      KLAT_MSI_LAT_FLAG_FREEZE_TRACE | KLAT_MSI_LAT_FLAG_ALLOW_IDLE, 0),
};

static void good(void *arg, const struct abi_run *run)
{
	struct klat_msi_lat_config *config = arg;

	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	config->trigger_cpu = first_cpu();
	config->irq_cpu = last_cpu();
	config->mode = KLAT_MSI_LAT_MODE_HARD;
	config->ring_entries = run->ring_entries;
	config->period_ns = run->period_ns;
	config->count = run->count;
	strcpy(config->source, "soft");
}

static void bound(void *arg)
{
	struct klat_msi_lat_config *config = arg;

	if (config->count <= 0 || config->count > 50)
		config->count = 1 + ((__u64)config->count % 50);
	if (config->period_ns >= KLAT_MSI_LAT_PERIOD_MIN)
		config->period_ns = 100000 + config->period_ns % 900000;
	config->block_ticks = config->block_ticks > KLAT_MSI_LAT_BLOCK_MAX ?
			      config->block_ticks : config->block_ticks % 1000;
	config->limit_ns %= 2 * KLAT_LIMIT_MAX;
	config->ring_entries = MIN(config->ring_entries, 4096);
	if (is_with_device(config->source))
		strcpy(config->source, "soft");
	config->flags &= ~KLAT_MSI_LAT_FLAG_FREEZE_TRACE;
}

const struct abi_module abi_msi_lat = {
	.name = "msi_lat",
	.config_size = sizeof(struct klat_msi_lat_config),
	.nr_series = KLAT_MSI_LAT_NR_SERIES,
	.sample_series = 1U << KLAT_MSI_LAT_LATENCY,
	.period_max = KLAT_MSI_LAT_PERIOD_MAX,
	.members = members,
	.nr_members = sizeof(members) / sizeof(members[0]),
	.good = good,
	.bound = bound,
};
