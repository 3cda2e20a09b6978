/* SPDX-License-Identifier: GPL-2.0 */
/* The CPUs of a measurement with a trigger: asked for, or chosen. */
#ifndef KLAT_CPU_OPTIONS_H
#define KLAT_CPU_OPTIONS_H

#include "options.h"
#include "topology.h"

struct cpu_options {
	int irq;
	int trigger;
};

#define CPU_OPTIONS_UNSET	{ .irq = CPU_UNSET, .trigger = CPU_UNSET }

extern const struct option_def cpu_option_defs[];

int cpu_options_settle(struct cpu_options *cpus, const struct topology *topo);

#endif
