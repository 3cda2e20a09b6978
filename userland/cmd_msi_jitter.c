// SPDX-License-Identifier: GPL-2.0
/* klat msi-jitter: how far a device's cyclic interrupts stray from their cycle. */
#include <stdio.h>

#include <klat/msi_jitter.h>

#include "benchmark.h"
#include "command.h"
#include "duration.h"
#include "output.h"

struct msi_jitter_options {
	uint64_t period;
	unsigned int timer;
	struct klat_msi_jitter_config config;
};

#define FIELD(name)	offsetof(struct msi_jitter_options, name)

static const char *const timer_names[] = {
	[KLAT_MSI_JITTER_TIMER_HRTIMER] = "hrtimer",
	[KLAT_MSI_JITTER_TIMER_TARGETTIME] = "targettime",
	[KLAT_MSI_JITTER_TIMER_TCPTIMER] = "tcptimer",
	NULL
};

static const struct option_def defs[] = {
	{ 'p', "period", "TIME", "the cycle (1ms)", OPTION_DURATION,
	  FIELD(period), KLAT_MSI_JITTER_PERIOD_MIN, KLAT_MSI_JITTER_PERIOD_MAX, NULL },
	{ 'T', "timer", "TIMER", "who keeps the cycle: hrtimer, targettime, tcptimer (hrtimer)",
	  OPTION_CHOICE, FIELD(timer), 0, 0, timer_names },
	{ 0 }
};

static const struct common_flags flag_bits = {
	.no_disturb = KLAT_MSI_JITTER_FLAG_NO_DISTURB,
	.freeze_trace = KLAT_MSI_JITTER_FLAG_FREEZE_TRACE,
	.allow_idle = KLAT_MSI_JITTER_FLAG_ALLOW_IDLE,
};

static void config_fill(struct msi_jitter_options *o, const struct common_options *c)
{
	struct klat_msi_jitter_config *config = &o->config;

	*config = (struct klat_msi_jitter_config) {
		.size = sizeof(*config),
		.flags = common_flags(c, &flag_bits),
		.irq_cpu = (uint32_t)c->cpus.irq,
		.timer_cpu = (uint32_t)c->cpus.trigger,
		.timer = o->timer,
		.period_ns = o->period,
		.count = common_count(c),
		.limit_ns = c->measure.limit,
	};
	snprintf(config->source, sizeof(config->source), "%s", c->source);
	snprintf(config->bdf, sizeof(config->bdf), "%s", c->take.bdf);
}

static void *configure(void *options, const struct common_options *c, struct result *r)
{
	struct msi_jitter_options *o = options;

	config_fill(o, c);
	r->primary = KLAT_MSI_JITTER_DELTA;
	common_config_source(r, c);
	result_config_text(r, "timer", timer_names[o->timer]);
	result_config_number(r, "irq_cpu", o->config.irq_cpu);
	if (o->timer == KLAT_MSI_JITTER_TIMER_HRTIMER)
		result_config_number(r, "timer_cpu", o->config.timer_cpu);
	result_config_ns(r, "period", o->period);
	common_config_user(r, c);
	return &o->config;
}

enum exit_code cmd_msi_jitter(int argc, char **argv)
{
	struct common_options common = COMMON_OPTIONS_DEFAULT(true);
	struct msi_jitter_options o = {
		.period = NS_PER_MS,
		.timer = KLAT_MSI_JITTER_TIMER_HRTIMER,
	};
	const struct option_group groups[] = {
		{ "What is measured", source_option_defs, &common },
		{ "", defs, &o },
		{ "", care_option_defs, &common },
		{ "", user_option_defs, &common },
		{ "The device", take_option_defs, &common.take },
		{ "Where", cpu_timer_option_defs, &common.cpus },
		{ "How long, and the result", count_option_defs, &common.measure },
		{ "", result_option_defs, &common.measure },
		{ 0 }
	};
	const struct benchmark benchmark = {
		.command = "msi-jitter",
		.module = "msi_jitter",
		.summary = "Measures how far a PCIe device's cyclic interrupts stray from their "
			   "cycle: from one\nto the next (delta), and against a grid that never "
			   "moves (early, late).\nThe limit is of early and late.",
		.groups = groups,
		.common = &common,
		.options = &o,
		.takes_device = true,
		.cpu_rule = CPU_TOGETHER,
		.kind = &msi_jitter_kind,
		.configure = configure,
	};

	return benchmark_run(&benchmark, argc, argv);
}
