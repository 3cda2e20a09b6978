// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <klat/mmio_latency.h>

#include "cpus.h"
#include "module.h"

#define DEVICES	"/sys/bus/pci/devices"

#define NUMBER(member, value, error) \
	ABI_NUMBER(klat_mmio_latency_config, member, value, error)
#define TEXT(member, text, error) \
	ABI_TEXT(klat_mmio_latency_config, member, text, error)
#define SAYS(_member, _value, _error, _says)						\
	{ .name = #_member, .offset = offsetof(struct klat_mmio_latency_config, _member), \
	  .size = sizeof(((struct klat_mmio_latency_config *)0)->_member),		\
	  .value = _value, .error = _error, .says = _says }

static const struct abi_member members[] = {
	NUMBER(cpu, 0, 0),
	NUMBER(cpu, 999, EINVAL),
	NUMBER(cpu, 0x7fffffff, EINVAL),
	NUMBER(cpu, 0xffffffff, EINVAL),
	NUMBER(width, 1, 0),
	NUMBER(width, 2, 0),
	NUMBER(width, 4, 0),
	NUMBER(width, 8, 0),
	NUMBER(width, 0, EINVAL),
	NUMBER(width, 3, EINVAL),
	NUMBER(width, 16, EINVAL),
	NUMBER(width, 0xffffffff, EINVAL),
	NUMBER(bar, 0, 0),
	NUMBER(bar, 5, 0),
	NUMBER(bar, 6, EINVAL),
	NUMBER(bar, 0xffffffff, EINVAL),
	NUMBER(burst, 1, 0),
	NUMBER(burst, KLAT_MMIO_LATENCY_BURST_MAX, 0),
	NUMBER(burst, 0, EINVAL),
	NUMBER(burst, KLAT_MMIO_LATENCY_BURST_MAX + 1, EINVAL),
	NUMBER(burst, 0xffffffff, EINVAL),
	NUMBER(ring_entries, 0, 0),
	NUMBER(ring_entries, KLAT_MMIO_LATENCY_RING_MIN, 0),
	NUMBER(ring_entries, KLAT_MMIO_LATENCY_RING_MAX, 0),
	NUMBER(ring_entries, 1, EINVAL),
	NUMBER(ring_entries, KLAT_MMIO_LATENCY_RING_MIN / 2, EINVAL),
	NUMBER(ring_entries, KLAT_MMIO_LATENCY_RING_MIN + 1, EINVAL),
	NUMBER(ring_entries, KLAT_MMIO_LATENCY_RING_MAX * 2, EINVAL),
	NUMBER(ring_entries, 0xffffffff, EINVAL),
	NUMBER(reserved, 1, EINVAL),
	NUMBER(pause_ns, KLAT_MMIO_LATENCY_PAUSE_MIN, 0),
	NUMBER(pause_ns, KLAT_MMIO_LATENCY_PAUSE_MAX, 0),
	NUMBER(pause_ns, 0, EINVAL),
	NUMBER(pause_ns, KLAT_MMIO_LATENCY_PAUSE_MIN - 1, EINVAL),
	NUMBER(pause_ns, KLAT_MMIO_LATENCY_PAUSE_MAX + 1, EINVAL),
	NUMBER(pause_ns, -1, EINVAL),
	NUMBER(count, 1, 0),
	NUMBER(count, -1, 0),
	NUMBER(count, INT64_MAX, 0),
	NUMBER(count, INT64_MIN, 0),
	NUMBER(count, 0, EINVAL),
	NUMBER(limit_ns, 0, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX + 1, EINVAL),
	NUMBER(limit_ns, -1, EINVAL),
	NUMBER(mmio_outlier_ns, 0, 0),
	NUMBER(mmio_outlier_ns, KLAT_MMIO_LATENCY_OUTLIER_MAX, 0),
	NUMBER(mmio_outlier_ns, KLAT_MMIO_LATENCY_OUTLIER_MAX + 1, EINVAL),
	NUMBER(mmio_outlier_ns, -1, EINVAL),
	NUMBER(sched_outlier_ns, KLAT_MMIO_LATENCY_OUTLIER_MAX, 0),
	NUMBER(sched_outlier_ns, KLAT_MMIO_LATENCY_OUTLIER_MAX + 1, EINVAL),
	/* goes with a flag that is not set */
	SAYS(address, 0x1000, EINVAL, "address = 0x1000"),
	SAYS(offset, 4, 0, NULL),
	SAYS(offset, 2, EINVAL, "offset = 0x2"),
	SAYS(offset, UINT64_MAX, EINVAL, "offset = 0xffffffffffffffff"),
	TEXT(bdf, "00:1e.7", 0),
	TEXT(bdf, "zz", EINVAL),
	{ .name = "bdf", .offset = offsetof(struct klat_mmio_latency_config, bdf),
	  .size = KLAT_NAME_LEN, .text = "", .error = EINVAL, .says = "no register" },
	{ .name = "bdf", .offset = offsetof(struct klat_mmio_latency_config, bdf),
	  .size = KLAT_NAME_LEN, .text = "0000:00:01.00000", .error = EINVAL,
	  .says = "bdf" },
	SAYS(flags, KLAT_MMIO_LATENCY_FLAG_PHYSICAL, EINVAL, "bdf = "),
	SAYS(flags, 1U << 6, EOPNOTSUPP, "flags = 0x40"),
	SAYS(flags, 1U << 31, EOPNOTSUPP, "flags = 0x80000000"),
	NUMBER(flags, KLAT_MMIO_LATENCY_FLAG_BLOCK_IRQ | KLAT_MMIO_LATENCY_FLAG_FORCE |
		      KLAT_MMIO_LATENCY_FLAG_NO_DISTURB |
		      KLAT_MMIO_LATENCY_FLAG_FREEZE_TRACE |
		      KLAT_MMIO_LATENCY_FLAG_ALLOW_IDLE, 0),
};

static unsigned int read_id(const char *address, const char *name)
{
	unsigned int id = 0;
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", address, name);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%x", &id) != 1)
		id = 0;
	fclose(file);
	return id;
}

/* The address of QEMU's device for teaching, which no driver wants */
static const char *edu(void)
{
	static char address[KLAT_NAME_LEN];
	struct dirent *entry;
	DIR *dir;

	if (*address)
		return address;
	dir = opendir(DEVICES);
	while (dir && (entry = readdir(dir)))
		if (read_id(entry->d_name, "vendor") == 0x1234 &&
		    read_id(entry->d_name, "device") == 0x11e8)
			snprintf(address, sizeof(address), "%.*s", KLAT_NAME_LEN - 1,
				 entry->d_name);
	if (dir)
		closedir(dir);
	if (!*address) {
		fprintf(stderr, "abi: the machine has no edu device (1234:11e8)\n");
		exit(1);
	}
	return address;
}

/* Single reads, so that a pause is a period */
static void good(void *arg, const struct abi_run *run)
{
	struct klat_mmio_latency_config *config = arg;

	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	config->cpu = last_cpu();
	config->width = 4;
	config->burst = 1;
	config->ring_entries = run->ring_entries;
	config->pause_ns = run->period_ns;
	config->count = run->count;
	config->mmio_outlier_ns = 10000;
	config->sched_outlier_ns = 10000;
	strcpy(config->bdf, edu());
}

static void bound(void *arg)
{
	struct klat_mmio_latency_config *config = arg;

	if (config->count <= 0 || config->count > 50)
		config->count = 1 + ((__u64)config->count % 50);
	if (config->pause_ns >= KLAT_MMIO_LATENCY_PAUSE_MIN)
		config->pause_ns = 100000 + config->pause_ns % 900000;
	config->limit_ns %= 2 * KLAT_LIMIT_MAX;
	config->ring_entries = MIN(config->ring_entries, 4096);
	if (config->bdf[0])
		strcpy(config->bdf, edu());
	config->flags &= ~(KLAT_MMIO_LATENCY_FLAG_FREEZE_TRACE | KLAT_MMIO_LATENCY_FLAG_PHYSICAL);
}

const struct abi_module abi_mmio_latency = {
	.name = "mmio_latency",
	.config_size = sizeof(struct klat_mmio_latency_config),
	.nr_series = KLAT_MMIO_LATENCY_NR_SERIES,
	.sample_series = 1U << KLAT_MMIO_LATENCY_READ,
	.period_max = KLAT_MMIO_LATENCY_PAUSE_MAX,
	.members = members,
	.nr_members = sizeof(members) / sizeof(members[0]),
	.good = good,
	.bound = bound,
};
