// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/param.h>

#include <klat/caterpillar.h>

#include "cpus.h"
#include "module.h"

#define NUMBER(member, value, error) \
	ABI_NUMBER(klat_caterpillar_config, member, value, error)
#define SAYS(_member, _value, _error, _says)						\
	{ .name = #_member, .offset = offsetof(struct klat_caterpillar_config, _member), \
	  .size = sizeof(((struct klat_caterpillar_config *)0)->_member),		\
	  .value = _value, .error = _error, .says = _says }

#define PAGE	KLAT_CATERPILLAR_BUFFER_MIN

static const struct abi_member members[] = {
	NUMBER(cpu, 0, 0),
	NUMBER(cpu, 999, EINVAL),
	NUMBER(cpu, 0x7fffffff, EINVAL),
	NUMBER(cpu, 0xffffffff, EINVAL),
	NUMBER(walk, KLAT_CATERPILLAR_PERMUTED, 0),
	NUMBER(walk, KLAT_CATERPILLAR_STRIDE, 0),
	SAYS(walk, 2, EINVAL, "walk = 2: must be 0 (permuted) or 1 (stride)"),
	NUMBER(walk, 0xffffffff, EINVAL),
	NUMBER(cycles, 1, 0),
	NUMBER(cycles, KLAT_CATERPILLAR_CYCLES_MAX, 0),
	NUMBER(cycles, 0, EINVAL),
	NUMBER(cycles, KLAT_CATERPILLAR_CYCLES_MAX + 1, EINVAL),
	NUMBER(cycles, 0xffffffff, EINVAL),
	NUMBER(operations, 1, 0),
	NUMBER(operations, KLAT_CATERPILLAR_OPERATIONS_MAX, 0),
	NUMBER(operations, 0, EINVAL),
	NUMBER(operations, KLAT_CATERPILLAR_OPERATIONS_MAX + 1, EINVAL),
	NUMBER(operations, 0xffffffff, EINVAL),
	NUMBER(ring_entries, 0, 0),
	NUMBER(ring_entries, KLAT_CATERPILLAR_RING_MIN, 0),
	NUMBER(ring_entries, KLAT_CATERPILLAR_RING_MAX, 0),
	NUMBER(ring_entries, 1, EINVAL),
	NUMBER(ring_entries, KLAT_CATERPILLAR_RING_MIN / 2, EINVAL),
	NUMBER(ring_entries, KLAT_CATERPILLAR_RING_MIN + 1, EINVAL),
	NUMBER(ring_entries, KLAT_CATERPILLAR_RING_MAX * 2, EINVAL),
	NUMBER(ring_entries, 0xffffffff, EINVAL),
	NUMBER(reserved, 1, EINVAL),
	NUMBER(samples, 1, 0),
	NUMBER(samples, -1, 0),
	NUMBER(samples, INT64_MAX, 0),
	NUMBER(samples, INT64_MIN, 0),
	NUMBER(samples, 0, EINVAL),
	NUMBER(buffer, PAGE, 0),
	NUMBER(buffer, 3 * PAGE, 0),
	NUMBER(buffer, KLAT_CATERPILLAR_BUFFER_MAX, 0),
	NUMBER(buffer, 0, EINVAL),
	NUMBER(buffer, PAGE - 1, EINVAL),
	NUMBER(buffer, PAGE + 1, EINVAL),
	NUMBER(buffer, PAGE + KLAT_CATERPILLAR_LINE, EINVAL),
	NUMBER(buffer, KLAT_CATERPILLAR_BUFFER_MAX + PAGE, EINVAL),
	NUMBER(buffer, -PAGE, EINVAL),
	NUMBER(limit_ns, 0, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX + 1, EINVAL),
	NUMBER(limit_ns, -1, EINVAL),
	SAYS(flags, 1U << 4, EOPNOTSUPP, "flags = 0x10"),
	SAYS(flags, 1U << 31, EOPNOTSUPP, "flags = 0x80000000"),
	NUMBER(flags, KLAT_CATERPILLAR_FLAG_NO_PREFETCH | KLAT_CATERPILLAR_FLAG_NO_DISTURB |
		      KLAT_CATERPILLAR_FLAG_FREEZE_TRACE |
		      KLAT_CATERPILLAR_FLAG_ALLOW_IDLE, 0),
};

/* Samples of one cycle, whose operations make it longer with the period */
static void good(void *arg, const struct abi_run *run)
{
	struct klat_caterpillar_config *config = arg;

	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	config->cpu = last_cpu();
	config->cycles = 1;
	config->operations = 1 + MIN(run->period_ns / 100, 20000ULL);
	config->ring_entries = run->ring_entries;
	config->samples = run->count;
	config->buffer = 256 * PAGE;
}

static void bound(void *arg)
{
	struct klat_caterpillar_config *config = arg;

	if (config->samples <= 0 || config->samples > 50)
		config->samples = 1 + ((__u64)config->samples % 50);
	if (config->cycles > 0 && config->cycles <= KLAT_CATERPILLAR_CYCLES_MAX)
		config->cycles = 1 + config->cycles % 4;
	if (config->operations > 0 && config->operations <= KLAT_CATERPILLAR_OPERATIONS_MAX)
		config->operations = 1 + config->operations % 5000;
	/* most of the numbers that there are would be refused */
	if (config->buffer >= PAGE)
		config->buffer = PAGE * (1 + config->buffer / PAGE % 64);
	config->limit_ns %= 2 * KLAT_LIMIT_MAX;
	config->ring_entries = MIN(config->ring_entries, 4096);
	config->flags &= ~KLAT_CATERPILLAR_FLAG_FREEZE_TRACE;
}

const struct abi_module abi_caterpillar = {
	.name = "caterpillar",
	.config_size = sizeof(struct klat_caterpillar_config),
	.nr_series = KLAT_CATERPILLAR_NR_SERIES,
	.sample_series = 1U << KLAT_CATERPILLAR_CYCLE,
	.no_device = true,
	.free_running = true,
	.period_max = KLAT_CATERPILLAR_CYCLE_MAX,
	.members = members,
	.nr_members = sizeof(members) / sizeof(members[0]),
	.good = good,
	.bound = bound,
};
