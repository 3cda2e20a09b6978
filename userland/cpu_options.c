// SPDX-License-Identifier: GPL-2.0
/* The CPUs of a measurement: asked for, or chosen. */
#include <stdio.h>

#include "cpu_options.h"

#define CPU_OPTION(letter, name, member, help) \
	{ letter, name, "CPU", help, OPTION_CPU, offsetof(struct cpu_options, member), 0, \
	  CPU_MAX, NULL }

#define CPU_MAX		65535
#define CPU_CHOICE	"(isolated ones first, else the last online)"

/* A thread asks for the interrupts */
const struct option_def cpu_trigger_option_defs[] = {
	CPU_OPTION('a', "cpu", irq, "of the interrupt " CPU_CHOICE),
	CPU_OPTION('t', "trigger-cpu", trigger, "of the thread that asks for it (another one)"),
	{ 0 }
};

/* A timer asks for them */
const struct option_def cpu_timer_option_defs[] = {
	CPU_OPTION('a', "cpu", irq, "of the interrupt " CPU_CHOICE),
	CPU_OPTION('t', "timer-cpu", trigger, "of the timer hrtimer (that of the interrupt)"),
	{ 0 }
};

/* Nobody asks */
const struct option_def cpu_only_option_defs[] = {
	CPU_OPTION('a', "cpu", irq, "that reads " CPU_CHOICE),
	{ 0 }
};

/* The letter is that of Intel ECI's caterpillar */
const struct option_def cpu_work_option_defs[] = {
	CPU_OPTION('c', "cpu", irq, "that works " CPU_CHOICE),
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
int cpu_options_settle(struct cpu_options *cpus, enum cpu_rule rule,
		       const struct topology *topo)
{
	if (rule == CPU_MANY)
		return 0;
	if (check(cpus->irq, topo) || check(cpus->trigger, topo))
		return -1;
	if (cpus->irq == CPU_UNSET)
		cpus->irq = topology_choose(topo, rule == CPU_APART ? cpus->trigger : CPU_UNSET);
	if (cpus->trigger == CPU_UNSET)
		cpus->trigger = rule == CPU_APART ? topology_choose(topo, cpus->irq) : cpus->irq;
	return 0;
}
