/* SPDX-License-Identifier: GPL-2.0 */
/* What the subcommands that measure have in common: options, and how they run. */
#ifndef KLAT_BENCHMARK_H
#define KLAT_BENCHMARK_H

#include "cpu_options.h"
#include "exit_code.h"
#include "measure.h"
#include "options.h"
#include "result.h"
#include "take.h"

/* Options of more than one benchmark: each takes the groups that mean something to it */
struct common_options {
	const char *source;
	struct take_options take;
	bool no_disturb;
	bool allow_idle;
	bool user;
	uint64_t priority;
	struct cpu_options cpus;
	struct measure_options measure;
};

/* If neither --count nor --duration was given */
#define COUNT_DEFAULT	10000

/* @wakes: there are interrupts that a task can wait for */
#define COMMON_OPTIONS_DEFAULT(wakes) { \
	.source = "auto", \
	.take = { .bdf = "" }, \
	.user = (wakes), \
	.priority = 80, \
	.cpus = CPU_OPTIONS_UNSET, \
	.measure = { .freeze = true }, \
}

/* their base is a struct common_options */
extern const struct option_def source_option_defs[];
extern const struct option_def care_option_defs[];
extern const struct option_def user_option_defs[];

/* How a module's own header numbers the flags that all modules have */
struct common_flags {
	uint32_t no_disturb;
	uint32_t freeze_trace;
	uint32_t allow_idle;
};

/**
 * struct benchmark - a subcommand that measures
 * @command: its name
 * @module: its kernel module
 * @summary: what it does, for the help
 * @groups: its options
 * @common: where those that it shares are stored
 * @options: its own, for the functions below
 * @cpu_rule: where its trigger belongs
 * @takes_device: its module drives a PCI device, which nobody else may hold then
 * @ends_itself: the module is told the duration
 * @counts: what --count is called in the result, NULL: count
 * @count: how many if neither that nor a duration was given, 0: COUNT_DEFAULT
 * @kind: what its results have of their own, NULL for nothing
 * @gather, @record_size, @collect: see struct measure
 * @own: of the result, for those and @kind
 * @check: prints a message and returns other than 0 if options do not go
 *	together; may be NULL
 * @configure: gives the struct of KLAT_CONFIG; adds to the result what was
 *	asked, and names the primary series
 */
struct benchmark {
	const char *command;
	const char *module;
	const char *summary;
	const struct option_group *groups;
	struct common_options *common;
	void *options;
	enum cpu_rule cpu_rule;
	bool takes_device;
	bool ends_itself;
	const char *counts;
	uint64_t count;
	const struct result_kind *kind;
	reader_take_fn gather;
	size_t record_size;
	int (*collect)(void *own, struct device *dev);
	void *own;
	int (*check)(const void *options, const struct common_options *common);
	void *(*configure)(void *options, const struct common_options *common,
			   struct result *r);
};

int64_t common_count(const struct common_options *c);
uint32_t common_flags(const struct common_options *c, const struct common_flags *bits);
void common_config_source(struct result *r, const struct common_options *c);
void common_config_user(struct result *r, const struct common_options *c);
enum exit_code benchmark_run(const struct benchmark *b, int argc, char **argv);

#endif
