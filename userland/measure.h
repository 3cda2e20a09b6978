/* SPDX-License-Identifier: GPL-2.0 */
/* One run of a benchmark, from its configuration to its result. */
#ifndef KLAT_MEASURE_H
#define KLAT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "device.h"
#include "options.h"
#include "result.h"
#include "take.h"
#include "topology.h"

/* Options that all measuring subcommands have */
struct measure_options {
	unsigned int format;
	const char *output;
	bool quiet;
	uint64_t count;		/* 0: not given */
	uint64_t duration;	/* ns; 0: not given */
	uint64_t limit;		/* ns; 0: none */
	bool freeze;
};

extern const struct option_def measure_option_defs[];

/**
 * struct measure - a run
 * @opts: how long, and where the result goes
 * @topo: the CPUs
 * @module: which benchmark
 * @config: the struct of KLAT_CONFIG
 * @take: which PCI device, NULL if the run needs none; of the source @source
 * @irq_cpu: where samples are taken; @trigger_cpu: where they are requested
 * @user: measure the wake-up of a task, too
 * @priority: of that task
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
	bool user;
	int priority;
	struct result *result;
};

int64_t measure_count(const struct measure_options *opts, uint64_t otherwise);
enum exit_code measure(struct measure *m);

#endif
