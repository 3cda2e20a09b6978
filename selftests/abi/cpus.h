/* SPDX-License-Identifier: GPL-2.0 */
/* The CPUs that this process may use; one and the same on a small machine. */
#ifndef KLAT_ABI_CPUS_H
#define KLAT_ABI_CPUS_H

#include <sched.h>

static inline int first_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	sched_getaffinity(0, sizeof(set), &set);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

static inline int last_cpu(void)
{
	cpu_set_t set;
	int cpu = CPU_SETSIZE - 1;

	sched_getaffinity(0, sizeof(set), &set);
	while (cpu > 0 && !CPU_ISSET(cpu, &set))
		cpu--;
	return cpu;
}

static inline void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

#endif
