// SPDX-License-Identifier: GPL-2.0
/* What the subcommands that measure have in common: options, and how they run. */
#include <stdio.h>
#include <string.h>

#include "benchmark.h"

#define PRIORITY_MAX	98	/* the stopping thread may need one more */

#define FIELD(name)	offsetof(struct common_options, name)

const struct option_def source_option_defs[] = {
	{ 's', "source", "NAME", "auto, igb, soft, ...: what interrupts (auto)", OPTION_TEXT,
	  FIELD(source), 0, KLAT_NAME_LEN - 1, NULL },
	{ 0 }
};

/* What the measurement does to the machine, and to itself */
const struct option_def care_option_defs[] = {
	{ 0, "no-disturb", NULL, "do not read the disturbance counters", OPTION_SET,
	  FIELD(no_disturb), 0, 0, NULL },
	{ 0, "allow-idle", NULL, "let the CPUs go to deep idle states", OPTION_SET,
	  FIELD(allow_idle), 0, 0, NULL },
	{ 0 }
};

const struct option_def user_option_defs[] = {
	{ 'u', "user", NULL, "measure the wake-up of a waiting task, too (default)", OPTION_SET,
	  FIELD(user), 0, 0, NULL },
	{ 0, "no-user", NULL, "do not", OPTION_CLEAR, FIELD(user), 0, 0, NULL },
	{ 0, "priority", "N", "SCHED_FIFO priority of that task (80)", OPTION_NUMBER,
	  FIELD(priority), 1, PRIORITY_MAX, NULL },
	{ 0 }
};

int64_t common_count(const struct common_options *c)
{
	return measure_count(&c->measure, COUNT_DEFAULT);
}

uint32_t common_flags(const struct common_options *c, const struct common_flags *bits)
{
	uint32_t flags = 0;

	if (c->no_disturb)
		flags |= bits->no_disturb;
	if (c->allow_idle)
		flags |= bits->allow_idle;
	if (c->measure.limit && c->measure.freeze)
		flags |= bits->freeze_trace;
	return flags;
}

void common_config_source(struct result *r, const struct common_options *c)
{
	result_config_text(r, "source", c->source);
	if (*c->take.bdf)
		result_config_text(r, "bdf", c->take.bdf);
	if (c->take.force)
		result_config_bool(r, "force", true);
}

void common_config_user(struct result *r, const struct common_options *c)
{
	result_config_bool(r, "user", c->user);
	if (c->user)
		result_config_number(r, "priority", c->priority);
}

/* What every benchmark was asked */
static void config_rest(const struct benchmark *b, struct result *r)
{
	const struct common_options *c = b->common;
	const struct measure_options *m = &c->measure;
	int64_t count = measure_count(m, b->count ? b->count : COUNT_DEFAULT);

	if (count > 0)
		result_config_number(r, b->counts ? b->counts : "count", (uint64_t)count);
	if (m->duration)
		result_config_ns(r, "duration", m->duration);
	if (m->limit) {
		result_config_ns(r, "limit", m->limit);
		result_config_bool(r, "freeze", m->freeze);
	}
	result_config_bool(r, "disturb", !c->no_disturb);
	result_config_bool(r, "allow_idle", c->allow_idle);
}

static enum exit_code run(const struct benchmark *b, struct topology *topo)
{
	const struct common_options *c = b->common;
	bool takes = b->takes_device && strcmp(c->source, "soft");
	struct result result = {
		.command = b->command,
		.kind = b->kind,
		.limit_ns = c->measure.limit,
		.froze_trace = c->measure.freeze,
		.own = b->own,
	};
	struct measure m = {
		.opts = &c->measure,
		.topo = topo,
		.module = b->module,
		.take = takes ? &c->take : NULL,
		.source = c->source,
		.irq_cpu = c->cpus.irq,
		.trigger_cpu = c->cpus.trigger,
		.user = c->user,
		.priority = (int)c->priority,
		.ends_itself = b->ends_itself,
		.gather = b->gather,
		.record_size = b->record_size,
		.collect = b->collect,
		.result = &result,
	};
	enum exit_code code;

	m.config = b->configure(b->options, c, &result);
	config_rest(b, &result);
	code = measure(&m);
	result_free(&result);
	return code;
}

enum exit_code benchmark_run(const struct benchmark *b, int argc, char **argv)
{
	const struct option_set set = {
		.command = b->command,
		.operands = "",
		.summary = b->summary,
		.groups = b->groups,
	};
	struct topology *topo;
	enum exit_code code;

	if (!options_go(&set, argc, argv, &code))
		return code;
	if (b->check && b->check(b->options, b->common))
		return EXIT_USAGE;
	topo = topology_open();
	if (!topo) {
		fprintf(stderr, "klat: the CPUs of this machine cannot be read\n");
		return EXIT_SKIPPED;
	}
	code = cpu_options_settle(&b->common->cpus, b->cpu_rule, topo) ? EXIT_USAGE :
								    run(b, topo);
	topology_close(topo);
	return code;
}
