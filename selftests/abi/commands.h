/* SPDX-License-Identifier: GPL-2.0 */
/* All commands: size, and an argument that each accepts on an idle device. */
#ifndef KLAT_ABI_COMMANDS_H
#define KLAT_ABI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

struct command {
	const char *name;
	unsigned int number;
	size_t size;
	bool answers;
	/* what a good call gives on a device that is idle */
	int idle;
};

#define NR_COMMANDS	9
#define ARGUMENT_ROOM	4096

/* Command @i; its size is the module's */
struct command command_at(int i);

/* A good argument of ARGUMENT_ROOM bytes, zeros behind it */
void good_argument(const struct command *command, void *arg);

#endif
