// SPDX-License-Identifier: GPL-2.0
/* klat msi-lat: latency of a PCIe device's message-signalled interrupt. */
#include <stdio.h>

#include <klat/msi_lat.h>

#include "benchmark.h"
#include "command.h"
#include "duration.h"

struct msi_lat_options {
	uint64_t period;
	uint64_t offset;
	uint64_t block;
	unsigned int mode;
	bool flush;
	struct klat_msi_lat_config config;
};

#define FIELD(name)	offsetof(struct msi_lat_options, name)

static const char *const mode_names[] = {
	[KLAT_MSI_LAT_MODE_THREAD] = "thread",
	[KLAT_MSI_LAT_MODE_HARD] = "hard",
	NULL
};

static const struct option_def defs[] = {
	{ 'p', "period", "TIME", "from one request to the next (1ms)", OPTION_DURATION,
	  FIELD(period), KLAT_MSI_LAT_PERIOD_MIN, KLAT_MSI_LAT_PERIOD_MAX, NULL },
	{ 'm', "mode", "MODE", "the interrupt is served in hard context or by a thread (hard)",
	  OPTION_CHOICE, FIELD(mode), 0, 0, mode_names },
	{ 0, "offset", "TIME", "taken off latency and service before they count (0)",
	  OPTION_DURATION, FIELD(offset), 0, KLAT_MSI_LAT_OFFSET_MAX, NULL },
	{ 0, "block", "TICKS", "interrupts off on the trigger's CPU after a request (0)",
	  OPTION_NUMBER, FIELD(block), 0, KLAT_MSI_LAT_BLOCK_MAX, NULL },
	{ 0, "flush", NULL, "measure flush, too: disturbs latency", OPTION_SET,
	  FIELD(flush), 0, 0, NULL },
	{ 0 }
};

static const struct common_flags flag_bits = {
	.no_disturb = KLAT_MSI_LAT_FLAG_NO_DISTURB,
	.freeze_trace = KLAT_MSI_LAT_FLAG_FREEZE_TRACE,
	.allow_idle = KLAT_MSI_LAT_FLAG_ALLOW_IDLE,
};

static void config_fill(struct msi_lat_options *o, const struct common_options *c)
{
	struct klat_msi_lat_config *config = &o->config;

	*config = (struct klat_msi_lat_config) {
		.size = sizeof(*config),
		.flags = common_flags(c, &flag_bits) |
			 (o->flush ? KLAT_MSI_LAT_FLAG_FLUSH : 0),
		.irq_cpu = (uint32_t)c->cpus.irq,
		.trigger_cpu = (uint32_t)c->cpus.trigger,
		.mode = o->mode,
		.period_ns = o->period,
		.count = common_count(c),
		.offset_ns = o->offset,
		.block_ticks = o->block,
		.limit_ns = c->measure.limit,
	};
	snprintf(config->source, sizeof(config->source), "%s", c->source);
	snprintf(config->bdf, sizeof(config->bdf), "%s", c->take.bdf);
}

static void *configure(void *options, const struct common_options *c, struct result *r)
{
	struct msi_lat_options *o = options;

	config_fill(o, c);
	r->primary = o->mode == KLAT_MSI_LAT_MODE_HARD ?
		KLAT_MSI_LAT_LATENCY : KLAT_MSI_LAT_SERVICE;
	common_config_source(r, c);
	result_config_text(r, "mode", mode_names[o->mode]);
	result_config_number(r, "irq_cpu", o->config.irq_cpu);
	result_config_number(r, "trigger_cpu", o->config.trigger_cpu);
	result_config_ns(r, "period", o->period);
	result_config_ns(r, "offset", o->offset);
	result_config_number(r, "block_ticks", o->block);
	result_config_bool(r, "flush", o->flush);
	common_config_user(r, c);
	return &o->config;
}

enum exit_code cmd_msi_lat(int argc, char **argv)
{
	struct common_options common = COMMON_OPTIONS_DEFAULT(true);
	struct msi_lat_options o = {
		.period = NS_PER_MS,
		.mode = KLAT_MSI_LAT_MODE_HARD,
	};
	const struct option_group groups[] = {
		{ "What is measured", source_option_defs, &common },
		{ "", defs, &o },
		{ "", care_option_defs, &common },
		{ "", user_option_defs, &common },
		{ "The device", take_option_defs, &common.take },
		{ "Where", cpu_trigger_option_defs, &common.cpus },
		{ "How long, and the result", count_option_defs, &common.measure },
		{ "", result_option_defs, &common.measure },
		{ 0 }
	};
	const struct benchmark benchmark = {
		.command = "msi-lat",
		.module = "msi_lat",
		.summary = "Measures the latency of a PCIe device's message-signalled interrupt: "
			   "from\nasking for it to its handler, its thread and a woken task.",
		.groups = groups,
		.common = &common,
		.options = &o,
		.takes_device = true,
		.cpu_rule = CPU_APART,
		.configure = configure,
	};

	return benchmark_run(&benchmark, argc, argv);
}
