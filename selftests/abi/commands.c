// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "commands.h"
#include "device.h"

#define SIMPLE	sizeof(struct klat_simple)

static const struct command commands[NR_COMMANDS] = {
	{ "INFO", KLAT_INFO, sizeof(struct klat_info), true, 0 },
	{ "CONFIG", KLAT_CONFIG, 0, false, 0 },
	{ "START", KLAT_START, SIMPLE, false, 0 },
	{ "STOP", KLAT_STOP, SIMPLE, false, EALREADY },
	{ "STATUS", KLAT_STATUS, sizeof(struct klat_status), true, 0 },
	{ "STATS", KLAT_STATS, sizeof(struct klat_stats), true, 0 },
	{ "HIST", KLAT_HIST, sizeof(struct klat_hist), true, 0 },
	{ "RESET", KLAT_RESET, SIMPLE, false, 0 },
	{ "CPU", KLAT_CPU, sizeof(struct klat_cpu), true, 0 },
};

struct command command_at(int i)
{
	struct command command = commands[i];

	if (command.number == KLAT_CONFIG)
		command.size = module->config_size;
	if (command.number == KLAT_CPU && !module->cpus) {
		command.answers = false;
		command.idle = EOPNOTSUPP;
	}
	return command;
}

void good_argument(const struct command *command, void *arg)
{
	static __u64 buckets[KLAT_HIST_BUCKETS];

	memset(arg, 0, ARGUMENT_ROOM);
	/* a run that goes on until it is stopped */
	if (command->number == KLAT_CONFIG)
		module->good(arg, &(struct abi_run){ .count = -1, .period_ns = 1 * MS });
	if (command->number == KLAT_STATS)
		((struct klat_stats *)arg)->cpu = KLAT_CPU_ALL;
	if (command->number == KLAT_HIST) {
		((struct klat_hist *)arg)->cpu = KLAT_CPU_ALL;
		((struct klat_hist *)arg)->nr = KLAT_HIST_BUCKETS;
		((struct klat_hist *)arg)->buckets = (uintptr_t)buckets;
	}
	*(__u32 *)arg = command->size;
}
