/* SPDX-License-Identifier: GPL-2.0 */
/* Options as tables: one entry gives parsing, range check and help. */
#ifndef KLAT_OPTIONS_H
#define KLAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exit_code.h"

enum option_type {
	OPTION_SET,		/* bool: true */
	OPTION_CLEAR,		/* bool: false */
	OPTION_NUMBER,		/* uint64_t */
	OPTION_HEX,		/* uint64_t, with 0x, so that nobody takes it for decimal */
	OPTION_DURATION,	/* uint64_t, ns */
	OPTION_SIZE,		/* uint64_t, bytes; K, M and G are powers of 1024 */
	OPTION_CPU,		/* int; -1 where not given */
	OPTION_TEXT,		/* const char *; max: longest, without the NUL */
	OPTION_CHOICE,		/* unsigned int: index into choices */
};

/**
 * struct option_def - one option
 * @letter: short name, 0 for none
 * @name: long name; NULL ends a table
 * @arg: name of the argument in the help
 * @help: one line
 * @type: how the argument is read and stored
 * @offset: where it is stored in the group's base
 * @min: least value
 * @max: largest value
 * @choices: names, NULL at the end
 */
struct option_def {
	char letter;
	const char *name;
	const char *arg;
	const char *help;
	enum option_type type;
	size_t offset;
	uint64_t min;
	uint64_t max;
	const char *const *choices;
};

/* A group without a title goes on with the one before */
struct option_group {
	const char *title;
	const struct option_def *defs;
	void *base;
};

/**
 * struct option_set - all that a subcommand takes
 * @command: its name
 * @operands: what follows the options, "" for nothing
 * @summary: what it does, for the help
 * @groups: tables, title NULL at the end
 */
struct option_set {
	const char *command;
	const char *operands;
	const char *summary;
	const struct option_group *groups;
};

enum options_result {
	OPTIONS_GO,
	OPTIONS_HELP,		/* was printed */
	OPTIONS_WRONG,		/* a message was printed */
};

enum options_result options_parse(const struct option_set *set, int argc, char **argv);
bool options_go(const struct option_set *set, int argc, char **argv, enum exit_code *code);
int option_store(const struct option_def *def, void *base, const char *text,
		 char *why, size_t len);

#endif
