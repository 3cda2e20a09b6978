// SPDX-License-Identifier: GPL-2.0
/* klat caterpillar: how much the time of the same work on memory varies. */
#include <inttypes.h>
#include <stdio.h>

#include <klat/caterpillar.h>

#include "benchmark.h"
#include "caterpillar.h"
#include "command.h"
#include "duration.h"

#define SAMPLES_DEFAULT	200
/* An ordinary thread reads them, which others may keep waiting */
#define RING_ENTRIES	65536U

struct caterpillar_options {
	uint64_t cycles;
	uint64_t operations;
	uint64_t buffer;
	unsigned int walk;
	bool no_prefetch;
	struct caterpillar_table table;
	struct klat_caterpillar_config config;
};

#define FIELD(name)	offsetof(struct caterpillar_options, name)
#define MEASURE(name)	offsetof(struct measure_options, name)

static const char *const walk_names[] = {
	[KLAT_CATERPILLAR_PERMUTED] = "permuted",
	[KLAT_CATERPILLAR_STRIDE] = "stride",
	NULL
};

static const struct option_def defs[] = {
	{ 'n', "cycles", "N", "test cycles a sample (10000)", OPTION_NUMBER,
	  FIELD(cycles), 1, KLAT_CATERPILLAR_CYCLES_MAX, NULL },
	{ 'i', "operations", "N", "operations a test cycle (50000)", OPTION_NUMBER,
	  FIELD(operations), 1, KLAT_CATERPILLAR_OPERATIONS_MAX, NULL },
	{ 'b', "buffer", "SIZE", "memory to work on (2M)", OPTION_SIZE, FIELD(buffer),
	  KLAT_CATERPILLAR_BUFFER_MIN, KLAT_CATERPILLAR_BUFFER_MAX, NULL },
	{ 'w', "walk", "WALK", "permuted, which no prefetcher can follow, or stride (permuted)",
	  OPTION_CHOICE, FIELD(walk), 0, 0, walk_names },
	{ 0, "no-prefetch", NULL, "switch the CPU's prefetchers off during the run", OPTION_SET,
	  FIELD(no_prefetch), 0, 0, NULL },
	{ 0 }
};

static const struct option_def sample_defs[] = {
	{ 's', "samples", "N", "samples to take (without --duration: 200)", OPTION_NUMBER,
	  MEASURE(count), 1, INT64_MAX, NULL },
	{ 0, "count", "N", "the same, as the other subcommands call it", OPTION_NUMBER,
	  MEASURE(count), 1, INT64_MAX, NULL },
	{ 'D', "duration", "TIME", "how long to measure; with --samples: whichever comes first",
	  OPTION_DURATION, MEASURE(duration), NS_PER_MS, 3650 * NS_PER_DAY, NULL },
	{ 0 }
};

static const struct common_flags flag_bits = {
	.no_disturb = KLAT_CATERPILLAR_FLAG_NO_DISTURB,
	.freeze_trace = KLAT_CATERPILLAR_FLAG_FREEZE_TRACE,
	.allow_idle = KLAT_CATERPILLAR_FLAG_ALLOW_IDLE,
};

static int check(const void *options, const struct common_options *c)
{
	const struct caterpillar_options *o = options;

	(void)c;
	if (!(o->buffer % KLAT_CATERPILLAR_BUFFER_MIN))
		return 0;
	fprintf(stderr, "klat caterpillar: --buffer: %" PRIu64 " is no multiple of 4K\n"
		"klat: see 'klat caterpillar --help'\n", o->buffer);
	return -1;
}

static void *configure(void *options, const struct common_options *c, struct result *r)
{
	struct caterpillar_options *o = options;

	o->config = (struct klat_caterpillar_config) {
		.size = sizeof(o->config),
		.flags = common_flags(c, &flag_bits) |
			 (o->no_prefetch ? KLAT_CATERPILLAR_FLAG_NO_PREFETCH : 0),
		.cpu = (uint32_t)c->cpus.irq,
		.walk = o->walk,
		.cycles = (uint32_t)o->cycles,
		.operations = (uint32_t)o->operations,
		.ring_entries = RING_ENTRIES,
		.samples = measure_count(&c->measure, SAMPLES_DEFAULT),
		.buffer = o->buffer,
		.limit_ns = c->measure.limit,
	};
	o->table.cycles = o->cycles;
	r->primary = KLAT_CATERPILLAR_CYCLE;
	result_config_number(r, "cpu", o->config.cpu);
	result_config_number(r, "cycles", o->cycles);
	result_config_number(r, "operations", o->operations);
	result_config_number(r, "buffer", o->buffer);
	result_config_text(r, "walk", walk_names[o->walk]);
	result_config_bool(r, "prefetch", !o->no_prefetch);
	return &o->config;
}

static int collect(void *own, struct device *dev)
{
	struct klat_status st;
	int ret = device_status(dev->fd, &st);

	if (!ret)
		caterpillar_end(own, st.seen);
	return ret;
}

enum exit_code cmd_caterpillar(int argc, char **argv)
{
	struct common_options common = COMMON_OPTIONS_DEFAULT(false);
	struct caterpillar_options o = {
		.cycles = 10000,
		.operations = 50000,
		.buffer = 2 << 20,
		.walk = KLAT_CATERPILLAR_PERMUTED,
		.table = { .lock = PTHREAD_MUTEX_INITIALIZER },
	};
	const struct option_group groups[] = {
		{ "What is measured", defs, &o },
		{ "", care_option_defs, &common },
		{ "Where", cpu_work_option_defs, &common.cpus },
		{ "How long, and the result", sample_defs, &common.measure },
		{ "", result_option_defs, &common.measure },
		{ 0 }
	};
	const struct benchmark benchmark = {
		.command = "caterpillar",
		.module = "caterpillar",
		.summary = "Measures how much the time of the same work on memory varies: a "
			   "test cycle is\nso many reads and writes with interrupts off. The unit "
			   "of the table is ticks.",
		.groups = groups,
		.common = &common,
		.options = &o,
		.cpu_rule = CPU_TOGETHER,
		.counts = "samples",
		.count = SAMPLES_DEFAULT,
		.kind = &caterpillar_kind,
		.gather = caterpillar_take,
		.record_size = sizeof(struct klat_sample),
		.collect = collect,
		.own = &o.table,
		.check = check,
		.configure = configure,
	};
	enum exit_code code = benchmark_run(&benchmark, argc, argv);

	caterpillar_free(&o.table);
	return code;
}
