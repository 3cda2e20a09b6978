// SPDX-License-Identifier: GPL-2.0
/* klat msi-lat: latency of a PCIe device's message-signalled interrupt. */
#include <stdio.h>
#include <string.h>

#include <klat/msi_lat.h>

#include "command.h"
#include "cpu_options.h"
#include "duration.h"
#include "measure.h"

#define MODULE		"msi_lat"
#define COUNT_DEFAULT	10000
#define PRIORITY_MAX	98	/* the stopping thread may need one more */

struct msi_lat_options {
	const char *source;
	uint64_t period;
	uint64_t offset;
	uint64_t block;
	uint64_t priority;
	unsigned int mode;
	bool flush;
	bool no_disturb;
	bool allow_idle;
	bool user;
};

#define FIELD(name)	offsetof(struct msi_lat_options, name)

static const char *const mode_names[] = {
	[KLAT_MSI_LAT_MODE_THREAD] = "thread",
	[KLAT_MSI_LAT_MODE_HARD] = "hard",
	NULL
};

static const struct option_def defs[] = {
	{ 's', "source", "NAME", "auto, igb, soft, ...: what interrupts (auto)", OPTION_TEXT,
	  FIELD(source), 0, KLAT_NAME_LEN - 1, NULL },
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
	{ 0, "no-disturb", NULL, "do not read the disturbance counters", OPTION_SET,
	  FIELD(no_disturb), 0, 0, NULL },
	{ 0, "allow-idle", NULL, "let the CPUs go to deep idle states", OPTION_SET,
	  FIELD(allow_idle), 0, 0, NULL },
	{ 'u', "user", NULL, "measure the wake-up of a waiting task, too (default)", OPTION_SET,
	  FIELD(user), 0, 0, NULL },
	{ 0, "no-user", NULL, "do not", OPTION_CLEAR, FIELD(user), 0, 0, NULL },
	{ 0, "priority", "N", "SCHED_FIFO priority of that task (80)", OPTION_NUMBER,
	  FIELD(priority), 1, PRIORITY_MAX, NULL },
	{ 0 }
};

static uint32_t config_flags(const struct msi_lat_options *o, const struct measure_options *m)
{
	uint32_t flags = 0;

	if (o->flush)
		flags |= KLAT_MSI_LAT_FLAG_FLUSH;
	if (o->no_disturb)
		flags |= KLAT_MSI_LAT_FLAG_NO_DISTURB;
	if (o->allow_idle)
		flags |= KLAT_MSI_LAT_FLAG_ALLOW_IDLE;
	if (m->limit && m->freeze)
		flags |= KLAT_MSI_LAT_FLAG_FREEZE_TRACE;
	return flags;
}

static void config_fill(struct klat_msi_lat_config *config, const struct msi_lat_options *o,
			const struct measure_options *m, const struct take_options *take,
			const struct cpu_options *cpus)
{
	*config = (struct klat_msi_lat_config) {
		.size = sizeof(*config),
		.flags = config_flags(o, m),
		.irq_cpu = (uint32_t)cpus->irq,
		.trigger_cpu = (uint32_t)cpus->trigger,
		.mode = o->mode,
		.period_ns = o->period,
		.count = measure_count(m, COUNT_DEFAULT),
		.offset_ns = o->offset,
		.block_ticks = o->block,
		.limit_ns = m->limit,
	};
	snprintf(config->source, sizeof(config->source), "%s", o->source);
	snprintf(config->bdf, sizeof(config->bdf), "%s", take->bdf);
}

static void result_config(struct result *r, const struct msi_lat_options *o,
			  const struct measure_options *m, const struct take_options *take,
			  const struct klat_msi_lat_config *config)
{
	result_config_text(r, "source", o->source);
	if (*take->bdf)
		result_config_text(r, "bdf", take->bdf);
	if (take->force)
		result_config_bool(r, "force", true);
	result_config_text(r, "mode", mode_names[o->mode]);
	result_config_number(r, "irq_cpu", config->irq_cpu);
	result_config_number(r, "trigger_cpu", config->trigger_cpu);
	result_config_ns(r, "period", o->period);
	if (config->count > 0)
		result_config_number(r, "count", (uint64_t)config->count);
	if (m->duration)
		result_config_ns(r, "duration", m->duration);
	if (m->limit) {
		result_config_ns(r, "limit", m->limit);
		result_config_bool(r, "freeze", m->freeze);
	}
	result_config_ns(r, "offset", o->offset);
	result_config_number(r, "block_ticks", o->block);
	result_config_bool(r, "flush", o->flush);
	result_config_bool(r, "disturb", !o->no_disturb);
	result_config_bool(r, "allow_idle", o->allow_idle);
	result_config_bool(r, "user", o->user);
	if (o->user)
		result_config_number(r, "priority", o->priority);
}

static enum exit_code run(const struct msi_lat_options *o, const struct measure_options *opts,
			  const struct take_options *take, const struct cpu_options *cpus,
			  struct topology *topo)
{
	struct klat_msi_lat_config config;
	struct result result = {
		.command = "msi-lat",
		.primary = o->mode == KLAT_MSI_LAT_MODE_HARD ?
			KLAT_MSI_LAT_LATENCY : KLAT_MSI_LAT_SERVICE,
		.limit_ns = opts->limit,
		.froze_trace = opts->freeze,
	};
	struct measure m = {
		.opts = opts,
		.topo = topo,
		.module = MODULE,
		.config = &config,
		.take = strcmp(o->source, "soft") ? take : NULL,
		.source = o->source,
		.irq_cpu = cpus->irq,
		.trigger_cpu = cpus->trigger,
		.user = o->user,
		.priority = (int)o->priority,
		.result = &result,
	};
	enum exit_code code;

	config_fill(&config, o, opts, take, cpus);
	result_config(&result, o, opts, take, &config);
	code = measure(&m);
	result_free(&result);
	return code;
}

enum exit_code cmd_msi_lat(int argc, char **argv)
{
	struct measure_options opts = { .freeze = true };
	struct cpu_options cpus = CPU_OPTIONS_UNSET;
	struct take_options take = { .bdf = "" };
	struct msi_lat_options o = {
		.source = "auto",
		.period = NS_PER_MS,
		.priority = 80,
		.mode = KLAT_MSI_LAT_MODE_HARD,
		.user = true,
	};
	const struct option_group groups[] = {
		{ "What is measured", defs, &o },
		{ "The device", take_option_defs, &take },
		{ "Where", cpu_option_defs, &cpus },
		{ "How long, and the result", measure_option_defs, &opts },
		{ 0 }
	};
	const struct option_set set = {
		.command = "msi-lat",
		.operands = "",
		.summary = "Measures the latency of a PCIe device's message-signalled interrupt: "
			   "from\nasking for it to its handler, its thread and a woken task.",
		.groups = groups,
	};
	struct topology *topo;
	enum exit_code code;

	switch (options_parse(&set, argc, argv)) {
	case OPTIONS_HELP:
		return EXIT_FINE;
	case OPTIONS_WRONG:
		return EXIT_USAGE;
	case OPTIONS_GO:
		break;
	}
	topo = topology_open();
	if (!topo) {
		fprintf(stderr, "klat: the CPUs of this machine cannot be read\n");
		return EXIT_SKIPPED;
	}
	code = cpu_options_settle(&cpus, topo) ? EXIT_USAGE : run(&o, &opts, &take, &cpus, topo);
	topology_close(topo);
	return code;
}
