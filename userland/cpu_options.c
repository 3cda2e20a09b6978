// SPDX-License-Identifier: GPL-2.0
/* The CPUs of a measurement with a trigger: asked for, or chosen. */
#include <stdio.h>

#include "cpu_options.h"

#define CPU_MAX	65535

const struct option_def cpu_option_defs[] = {
	{ 'a', "cpu", "CPU", "of the interrupt (isolated ones first, else the last online)",
	  OPTION_CPU, offsetof(struct cpu_options, irq), 0, CPU_MAX, NULL },
	{ 't', "trigger-cpu", "CPU", "of the thread that asks for it (another one)",
	  OPTION_CPU, offsetof(struct cpu_options, trigger), 0, CPU_MAX, NULL },
	{ 0 }
};

static int check(int cpu, const struct topology *topo)
{
	char online[1024];

	if (cpu == CPU_UNSET || topology_online(topo, cpu))
		return 0;
	topology_online_list(topo, online, sizeof(online));
	fprintf(stderr, "klat: CPU %d is not online (online: %s)\n", cpu, online);
	return -1;
}

/* What was asked for must be online; what was not is chosen */
int cpu_options_settle(struct cpu_options *cpus, const struct topology *topo)
{
	if (check(cpus->irq, topo) || check(cpus->trigger, topo))
		return -1;
	if (cpus->irq == CPU_UNSET)
		cpus->irq = topology_choose(topo, cpus->trigger);
	if (cpus->trigger == CPU_UNSET)
		cpus->trigger = topology_choose(topo, cpus->irq);
	return 0;
}
