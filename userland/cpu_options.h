/* SPDX-License-Identifier: GPL-2.0 */
/* The CPUs of a measurement: asked for, or chosen. */
#ifndef KLAT_CPU_OPTIONS_H
#define KLAT_CPU_OPTIONS_H

#include "options.h"
#include "topology.h"

/**
 * struct cpu_options - where a benchmark runs
 * @irq: takes the samples: the CPU of the interrupt, or of the reads
 * @trigger: requests them; @irq where the benchmark has no such CPU
 */
struct cpu_options {
	int irq;
	int trigger;
};

/* Where the trigger belongs if nothing was asked */
enum cpu_rule {
	CPU_APART,		/* on another CPU than the interrupt */
	CPU_TOGETHER,		/* on the same */
	CPU_MANY,		/* there is none, and the samples come from many CPUs */
};

#define CPU_OPTIONS_UNSET	{ .irq = CPU_UNSET, .trigger = CPU_UNSET }

extern const struct option_def cpu_trigger_option_defs[];
extern const struct option_def cpu_timer_option_defs[];
extern const struct option_def cpu_only_option_defs[];
extern const struct option_def cpu_work_option_defs[];

int cpu_options_settle(struct cpu_options *cpus, enum cpu_rule rule,
		       const struct topology *topo);

#endif
