// SPDX-License-Identifier: GPL-2.0
/* klat mmio: how long one read of a device register takes. */
#include <stdio.h>

#include <klat/mmio_latency.h>

#include "benchmark.h"
#include "command.h"
#include "duration.h"
#include "output.h"

#define NOT_GIVEN	UINT64_MAX
#define BAR_MAX		5

struct mmio_options {
	uint64_t address;
	uint64_t bar;
	uint64_t offset;
	unsigned int width;
	bool block_irq;
	bool force;
	uint64_t burst;
	uint64_t pause;
	uint64_t mmio_threshold;
	uint64_t sched_threshold;
	const char *bdf;
	struct klat_mmio_latency_config config;
};

#define FIELD(name)	offsetof(struct mmio_options, name)

/* log2 of the width is the index */
static const char *const width_names[] = { "1", "2", "4", "8", NULL };

static const struct option_def register_defs[] = {
	{ 'A', "address", "0xHEX", "physical address of the register, or:", OPTION_HEX,
	  FIELD(address), 0, INT64_MAX, NULL },
	{ 'b', "bdf", "ADDRESS", "PCI address of the device,", OPTION_TEXT,
	  FIELD(bdf), 0, KLAT_NAME_LEN - 1, NULL },
	{ 'B', "bar", "N", "the number of its base address register,", OPTION_NUMBER,
	  FIELD(bar), 0, BAR_MAX, NULL },
	{ 'O', "offset", "0xHEX", "and where in it", OPTION_HEX,
	  FIELD(offset), 0, INT64_MAX, NULL },
	{ 'w', "width", "BYTES", "of a read: 1, 2, 4 or 8 (4)", OPTION_CHOICE,
	  FIELD(width), 0, 0, width_names },
	{ 0, "force", NULL, "read also if a driver holds the device: can change its state",
	  OPTION_SET, FIELD(force), 0, 0, NULL },
	{ 0 }
};

static const struct option_def defs[] = {
	{ 'i', "block-irq", NULL, "interrupts off during each read", OPTION_SET,
	  FIELD(block_irq), 0, 0, NULL },
	{ 0, "burst", "N", "reads one right after the other (16)", OPTION_NUMBER,
	  FIELD(burst), 1, KLAT_MMIO_LATENCY_BURST_MAX, NULL },
	{ 'p', "pause", "TIME", "from one burst to the next (1ms)", OPTION_DURATION,
	  FIELD(pause), KLAT_MMIO_LATENCY_PAUSE_MIN, KLAT_MMIO_LATENCY_PAUSE_MAX, NULL },
	{ 0, "mmio-threshold", "TIME", "a longer read is an mmio-outlier (10us)",
	  OPTION_DURATION, FIELD(mmio_threshold), 1, KLAT_MMIO_LATENCY_OUTLIER_MAX, NULL },
	{ 0, "sched-threshold", "TIME", "a longer gap is a sched-outlier (10us)",
	  OPTION_DURATION, FIELD(sched_threshold), 1, KLAT_MMIO_LATENCY_OUTLIER_MAX, NULL },
	{ 0 }
};

static const struct common_flags flag_bits = {
	.no_disturb = KLAT_MMIO_LATENCY_FLAG_NO_DISTURB,
	.freeze_trace = KLAT_MMIO_LATENCY_FLAG_FREEZE_TRACE,
	.allow_idle = KLAT_MMIO_LATENCY_FLAG_ALLOW_IDLE,
};

static bool physical(const struct mmio_options *o)
{
	return o->address != NOT_GIVEN;
}

/* A register that was not named is never read: a read can change a device's state */
static int check(const void *options, const struct common_options *c)
{
	const struct mmio_options *o = options;
	bool in_bar = *o->bdf || o->bar != NOT_GIVEN || o->offset != NOT_GIVEN;
	bool whole = *o->bdf && o->bar != NOT_GIVEN && o->offset != NOT_GIVEN;

	(void)c;
	if (physical(o) ? !in_bar : whole)
		return 0;
	fprintf(stderr, "klat mmio: which register? either --address, or --bdf with --bar and "
		"--offset\nklat: see 'klat mmio --help'\n");
	return -1;
}

static uint32_t config_flags(const struct mmio_options *o, const struct common_options *c)
{
	uint32_t flags = common_flags(c, &flag_bits);

	if (o->block_irq)
		flags |= KLAT_MMIO_LATENCY_FLAG_BLOCK_IRQ;
	if (o->force)
		flags |= KLAT_MMIO_LATENCY_FLAG_FORCE;
	if (physical(o))
		flags |= KLAT_MMIO_LATENCY_FLAG_PHYSICAL;
	return flags;
}

static void config_fill(struct mmio_options *o, const struct common_options *c)
{
	struct klat_mmio_latency_config *config = &o->config;

	*config = (struct klat_mmio_latency_config) {
		.size = sizeof(*config),
		.flags = config_flags(o, c),
		.cpu = (uint32_t)c->cpus.irq,
		.width = 1U << o->width,
		.burst = (uint32_t)o->burst,
		.pause_ns = o->pause,
		.count = common_count(c),
		.limit_ns = c->measure.limit,
		.mmio_outlier_ns = o->mmio_threshold,
		.sched_outlier_ns = o->sched_threshold,
	};
	if (physical(o)) {
		config->address = o->address;
		return;
	}
	config->bar = (uint32_t)o->bar;
	config->offset = o->offset;
	snprintf(config->bdf, sizeof(config->bdf), "%s", o->bdf);
}

static void *configure(void *options, const struct common_options *c, struct result *r)
{
	struct mmio_options *o = options;

	config_fill(o, c);
	r->primary = KLAT_MMIO_LATENCY_READ;
	if (physical(o)) {
		result_config_hex(r, "address", o->address);
	} else {
		result_config_text(r, "bdf", o->bdf);
		result_config_number(r, "bar", o->bar);
		result_config_hex(r, "offset", o->offset);
	}
	result_config_number(r, "width", o->config.width);
	result_config_number(r, "cpu", o->config.cpu);
	result_config_bool(r, "block_irq", o->block_irq);
	result_config_bool(r, "force", o->force);
	result_config_number(r, "burst", o->burst);
	result_config_ns(r, "pause", o->pause);
	result_config_ns(r, "mmio_threshold", o->mmio_threshold);
	result_config_ns(r, "sched_threshold", o->sched_threshold);
	return &o->config;
}

enum exit_code cmd_mmio(int argc, char **argv)
{
	struct common_options common = COMMON_OPTIONS_DEFAULT(false);
	struct mmio_options o = {
		.address = NOT_GIVEN,
		.bar = NOT_GIVEN,
		.offset = NOT_GIVEN,
		.width = 2,
		.burst = 16,
		.pause = NS_PER_MS,
		.mmio_threshold = 10 * NS_PER_US,
		.sched_threshold = 10 * NS_PER_US,
		.bdf = "",
	};
	const struct option_group groups[] = {
		{ "Which register", register_defs, &o },
		{ "What is measured", defs, &o },
		{ "", care_option_defs, &common },
		{ "Where", cpu_only_option_defs, &common.cpus },
		{ "How long, and the result", count_option_defs, &common.measure },
		{ "", result_option_defs, &common.measure },
		{ 0 }
	};
	const struct benchmark benchmark = {
		.command = "mmio",
		.module = "mmio_latency",
		.summary = "Measures how long one read of a device register takes. Reading can "
			   "change a\ndevice's state: name a register that is safe to read.",
		.groups = groups,
		.common = &common,
		.options = &o,
		.cpu_rule = CPU_TOGETHER,
		.kind = &mmio_kind,
		.check = check,
		.configure = configure,
	};

	return benchmark_run(&benchmark, argc, argv);
}
