/* SPDX-License-Identifier: GPL-2.0 */
/* One run of a benchmark, from its configuration to its result. */
#ifndef KLAT_MEASURE_H
#define KLAT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "device.h"
#include "options.h"
#include "reader.h"
#include "result.h"
#include "take.h"
#include "topology.h"

/* Options of measuring subcommands */
struct measure_options {
	unsigned int format;
	const char *output;
	bool quiet;
	uint64_t count;		/* 0: not given */
	uint64_t duration;	/* ns; 0: not given */
	uint64_t limit;		/* ns; 0: none */
	bool freeze;
	const char *report;	/* NULL: none */
};

extern const struct option_def count_option_defs[];
extern const struct option_def result_option_defs[];

/**
 * struct measure - a run
 * @opts: how long, and where the result goes
 * @topo: the CPUs
 * @module: which benchmark
 * @config: the struct of KLAT_CONFIG
 * @take: which PCI device, NULL if the run needs none; of the source @source
 * @irq_cpu: where samples are taken; @trigger_cpu: where they are requested; both
 *	CPU_UNSET: on several CPUs
 * @ends_itself: the module was told the duration
 * @user: measure the wake-up of a task, too
 * @priority: of that task
 * @gather: is given the records that the module has for read(), NULL if they are not
 *	wanted; with the result's own
 * @record_size: of a record, at least
 * @collect: gets the rest of the result's own after the run, may be NULL
 * @result: what is filled; its command, config and primary are set by the caller
 */
struct measure {
	const struct measure_options *opts;
	struct topology *topo;
	const char *module;
	void *config;
	const struct take_options *take;
	const char *source;
	int irq_cpu;
	int trigger_cpu;
	bool ends_itself;
	bool user;
	int priority;
	reader_take_fn gather;
	size_t record_size;
	int (*collect)(void *own, struct device *dev);
	struct result *result;
};

int64_t measure_count(const struct measure_options *opts, uint64_t otherwise);
enum exit_code measure(struct measure *m);

#endif
