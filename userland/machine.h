/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_MACHINE_H
#define KLAT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "hypervisor.h"
#include "strlist.h"

#define MACHINE_CPULIST	512

/**
 * struct machine - what does not change during a run
 * Texts are "" where the machine does not say.
 * @isolated: CPU list, "" for none; @nohz_full likewise
 * @rt: the kernel is PREEMPT_RT
 */
struct machine {
	char release[65];
	char version[65];
	char arch[65];
	bool rt;
	char cpu_model[128];
	struct hypervisor hypervisor;
	char isolated[MACHINE_CPULIST];
	char nohz_full[MACHINE_CPULIST];
};

/**
 * struct conditions - what may change, read before and after a run
 * @clocksource: of the kernel
 * @governor: of the frequency of the measured CPU
 * @smt: "on", "off", "notsupported", ...
 * @rt_runtime_us: of each sched_rt_period_us; -1: not limited
 * @rt_runtime_known: the above could be read
 * @throttled: thermal throttling events of the measured CPU and its package
 * @throttled_known: the above could be read
 * @irqbalance: that daemon runs
 * @beside: other benchmarks of klat that are RUNNING
 */
struct conditions {
	char clocksource[32];
	char governor[32];
	char smt[32];
	long long rt_runtime_us;
	bool rt_runtime_known;
	uint64_t throttled;
	bool throttled_known;
	bool irqbalance;
	struct strlist beside;
};

/**
 * struct irq_facts - the interrupt being measured, while it exists
 * @number: -1 if none of that name was found
 * @chip: e.g. "IR-PCI-MSIX-0000:01:00.0"
 * @affinity: CPUs it is delivered to
 */
struct irq_facts {
	int number;
	char chip[64];
	char affinity[MACHINE_CPULIST];
};

bool version_is_rt(const char *version);
void machine_read(struct machine *m);
void conditions_read(struct conditions *c, int cpu, const char *own_module);
void conditions_free(struct conditions *c);
void irq_facts_read(struct irq_facts *irq, const char *action);
bool irq_remapped(const struct irq_facts *irq);

#endif
