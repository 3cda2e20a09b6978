// SPDX-License-Identifier: GPL-2.0
/* What may change during a run: read before and after it. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "machine.h"
#include "sysfs.h"

#define CPU_DIR		"/sys/devices/system/cpu"

static bool process_runs(const char *name)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char comm[32];
	bool found = false;

	while (proc && !found && (entry = readdir(proc))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		found = sysfs_line(comm, sizeof(comm), "/proc/%s/comm", entry->d_name) &&
			!strcmp(comm, name);
	}
	if (proc)
		closedir(proc);
	return found;
}

static void read_throttling(struct conditions *c, int cpu)
{
	static const char *const counters[] = {
		"core_throttle_count", "package_throttle_count",
	};
	char line[32];

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (!sysfs_line(line, sizeof(line), CPU_DIR "/cpu%d/thermal_throttle/%s",
				cpu, counters[i]))
			continue;
		c->throttled += strtoull(line, NULL, 10);
		c->throttled_known = true;
	}
}

void conditions_read(struct conditions *c, int cpu, const char *own_module)
{
	char line[32];

	memset(c, 0, sizeof(*c));
	sysfs_line(c->clocksource, sizeof(c->clocksource),
		   "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	sysfs_line(c->governor, sizeof(c->governor),
		   CPU_DIR "/cpu%d/cpufreq/scaling_governor", cpu);
	sysfs_line(c->smt, sizeof(c->smt), CPU_DIR "/smt/control");
	c->rt_runtime_known = sysfs_line(line, sizeof(line),
					 "/proc/sys/kernel/sched_rt_runtime_us");
	c->rt_runtime_us = strtoll(line, NULL, 10);
	read_throttling(c, cpu);
	c->irqbalance = process_runs("irqbalance");
	device_running(&c->beside, own_module);
}

void conditions_free(struct conditions *c)
{
	strlist_free(&c->beside);
}
