// SPDX-License-Identifier: GPL-2.0
/* Reads a command line by the tables of options.h. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "options.h"

#define MAX_OPTIONS	64
/* getopt's code for long options is their index above every letter */
#define LONG_BASE	256

/* The tables of a set laid out as getopt_long wants them */
struct getopt_table {
	struct option longs[MAX_OPTIONS + 2];
	char letters[3 * MAX_OPTIONS + 4];
	const struct option_def *defs[MAX_OPTIONS];
	void *bases[MAX_OPTIONS];
	int nr;
};

static bool has_argument(const struct option_def *def)
{
	return def->type != OPTION_SET && def->type != OPTION_CLEAR;
}

static int number_parse(const char *text, int base, uint64_t *value)
{
	char *end;

	if (base == 16 && strcmp(text, "0")) {
		if (strncmp(text, "0x", 2) || !isxdigit((unsigned char)text[2]))
			return -EINVAL;
	} else if (*text < '0' || *text > '9') {
		return -EINVAL;
	}
	errno = 0;
	*value = strtoull(text, &end, base);
	if (*end)
		return -EINVAL;
	return -errno;
}

/* 512, 64K, 2M, 1G */
static int size_parse(const char *text, uint64_t *value)
{
	static const char units[] = "KMG";
	size_t len = strlen(text);
	const char *unit = len ? strchr(units, toupper((unsigned char)text[len - 1])) : NULL;
	unsigned int shift = unit ? 10 * (unsigned int)(unit - units + 1) : 0;
	char number[32];
	int ret;

	if (len >= sizeof(number))
		return -EINVAL;
	snprintf(number, sizeof(number), "%.*s", (int)(unit ? len - 1 : len), text);
	ret = number_parse(number, 10, value);
	if (ret)
		return ret;
	if (*value > UINT64_MAX >> shift)
		return -ERANGE;
	*value <<= shift;
	return 0;
}

static void size_format(uint64_t bytes, char *buf, size_t len)
{
	static const char *const units[] = { "", "K", "M", "G" };
	unsigned int unit = 0;

	while (bytes && !(bytes % 1024) && unit < 3) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buf, len, "%" PRIu64 "%s", bytes, units[unit]);
}

static void value_format(const struct option_def *def, uint64_t value, char *buf, size_t len)
{
	switch (def->type) {
	case OPTION_DURATION:
		duration_format(value, buf, len);
		return;
	case OPTION_SIZE:
		size_format(value, buf, len);
		return;
	case OPTION_HEX:
		snprintf(buf, len, "0x%" PRIx64, value);
		return;
	default:
		snprintf(buf, len, "%" PRIu64, value);
	}
}

static void range_text(const struct option_def *def, char *buf, size_t len)
{
	char min[32], max[32];

	value_format(def, def->min, min, sizeof(min));
	value_format(def, def->max, max, sizeof(max));
	snprintf(buf, len, "%s .. %s", min, max);
}

static int parse(const struct option_def *def, const char *text, uint64_t *value)
{
	if (def->type == OPTION_DURATION)
		return duration_parse(text, value);
	if (def->type == OPTION_SIZE)
		return size_parse(text, value);
	return number_parse(text, def->type == OPTION_HEX ? 16 : 10, value);
}

static const char *wanted(const struct option_def *def)
{
	if (def->type == OPTION_DURATION)
		return "is no duration, such as 100us (units: ns us ms s m h d; ";
	if (def->type == OPTION_SIZE)
		return "is no size in bytes, such as 4096 or 64K (units: K M G; ";
	if (def->type == OPTION_HEX)
		return "is no hexadecimal number with 0x before it, such as 0x1f8 (";
	return "is no whole number (";
}

static int store_number(const struct option_def *def, const char *text, uint64_t *value,
			char *why, size_t len)
{
	int ret = parse(def, text, value);
	char range[80];

	range_text(def, range, sizeof(range));
	if (ret == -EINVAL) {
		snprintf(why, len, "%s%s)", wanted(def), range);
		return ret;
	}
	if (ret || *value < def->min || *value > def->max) {
		snprintf(why, len, "is out of range (%s)", range);
		return -ERANGE;
	}
	return 0;
}

static int store_choice(const struct option_def *def, const char *text, unsigned int *value,
			char *why, size_t len)
{
	size_t used;

	for (unsigned int i = 0; def->choices[i]; i++) {
		if (strcmp(def->choices[i], text))
			continue;
		*value = i;
		return 0;
	}
	used = (size_t)snprintf(why, len, "is none of:");
	for (unsigned int i = 0; def->choices[i] && used < len; i++)
		used += (size_t)snprintf(why + used, len - used, " %s", def->choices[i]);
	return -EINVAL;
}

/* Reads @text by @def into @base; where it cannot, the reason goes to @why */
int option_store(const struct option_def *def, void *base, const char *text,
		 char *why, size_t len)
{
	void *to = (char *)base + def->offset;
	uint64_t value;
	int ret;

	switch (def->type) {
	case OPTION_SET:
	case OPTION_CLEAR:
		*(bool *)to = def->type == OPTION_SET;
		return 0;
	case OPTION_NUMBER:
	case OPTION_HEX:
	case OPTION_DURATION:
	case OPTION_SIZE:
		return store_number(def, text, to, why, len);
	case OPTION_CPU:
		ret = store_number(def, text, &value, why, len);
		if (!ret)
			*(int *)to = (int)value;
		return ret;
	case OPTION_CHOICE:
		return store_choice(def, text, to, why, len);
	case OPTION_TEXT:
		if (!*text || strlen(text) > def->max) {
			snprintf(why, len, "must have 1 .. %" PRIu64 " characters", def->max);
			return -ERANGE;
		}
		*(const char **)to = text;
		return 0;
	}
	return -EINVAL;
}

static void table_add(struct getopt_table *table, const struct option_def *def, void *base)
{
	struct option *opt = &table->longs[table->nr];
	char *letters = table->letters + strlen(table->letters);

	if (table->nr == MAX_OPTIONS)
		abort();
	opt->name = def->name;
	opt->has_arg = has_argument(def) ? required_argument : no_argument;
	opt->val = LONG_BASE + table->nr;
	if (def->letter)
		snprintf(letters, 3, "%c%s", def->letter, has_argument(def) ? ":" : "");
	table->defs[table->nr] = def;
	table->bases[table->nr++] = base;
}

static void table_fill(struct getopt_table *table, const struct option_set *set)
{
	struct option *help;

	memset(table, 0, sizeof(*table));
	for (const struct option_group *g = set->groups; g->title; g++)
		for (const struct option_def *def = g->defs; def->name; def++)
			table_add(table, def, g->base);
	help = &table->longs[table->nr];
	help->name = "help";
	help->val = 'h';
	strcat(table->letters, "h");
}

static int table_index(const struct getopt_table *table, int code)
{
	if (code >= LONG_BASE)
		return code - LONG_BASE;
	for (int i = 0; i < table->nr; i++)
		if (table->defs[i]->letter == code)
			return i;
	return -1;
}

static void print_help(const struct option_set *set)
{
	char left[64];

	printf("Usage: klat %s [OPTION]...%s%s\n\n%s\n", set->command,
	       *set->operands ? " " : "", set->operands, set->summary);
	for (const struct option_group *g = set->groups; g->title; g++) {
		if (*g->title)
			printf("\n%s\n", g->title);
		for (const struct option_def *def = g->defs; def->name; def++) {
			char letter[5] = "    ";

			if (def->letter)
				snprintf(letter, sizeof(letter), "-%c, ", def->letter);
			snprintf(left, sizeof(left), "%s--%s%s%s", letter, def->name,
				 has_argument(def) ? "=" : "", has_argument(def) ? def->arg : "");
			printf("  %-28s %s\n", left, def->help);
		}
	}
	printf("\nOther\n  %-28s %s\n", "-h, --help", "print this help");
}

/*
 * For programs, such as the completion of command lines: a line for each option, and
 * one for the operand, with its long and short names, argument and choices; - for none.
 */
static void print_list(const struct option_set *set)
{
	for (const struct option_group *g = set->groups; g->title; g++) {
		for (const struct option_def *def = g->defs; def->name; def++) {
			const char letter[] = { '-', def->letter, '\0' };

			printf("--%s %s %s", def->name, letter, has_argument(def) ? def->arg : "-");
			for (unsigned int i = 0; def->choices && def->choices[i]; i++)
				printf(" %s", def->choices[i]);
			printf("\n");
		}
	}
	if (*set->operands)
		printf("operand - %s\n", set->operands);
}

static enum options_result wrong(const struct option_set *set)
{
	fprintf(stderr, "klat: see 'klat %s --help'\n", set->command);
	return OPTIONS_WRONG;
}

/* On OPTIONS_GO optind is the first operand */
enum options_result options_parse(const struct option_set *set, int argc, char **argv)
{
	struct getopt_table table;
	char name[64], why[256];
	int code, i;

	if (argc == 2 && !strcmp(argv[1], "--list-options")) {
		print_list(set);
		return OPTIONS_HELP;
	}
	table_fill(&table, set);
	snprintf(name, sizeof(name), "klat %s", set->command);
	argv[0] = name;
	optind = 0;
	while ((code = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
		if (code == 'h') {
			print_help(set);
			return OPTIONS_HELP;
		}
		i = table_index(&table, code);
		if (code == '?' || i < 0)
			return wrong(set);
		if (option_store(table.defs[i], table.bases[i], optarg, why, sizeof(why))) {
			fprintf(stderr, "klat %s: --%s: '%s' %s\n", set->command,
				table.defs[i]->name, optarg, why);
			return wrong(set);
		}
	}
	argv[0] = "klat";
	if (optind < argc && !*set->operands) {
		fprintf(stderr, "klat %s: unexpected argument '%s'\n", set->command, argv[optind]);
		return wrong(set);
	}
	return OPTIONS_GO;
}

/* For a subcommand: true to go on; else @code is what it ends with */
bool options_go(const struct option_set *set, int argc, char **argv, enum exit_code *code)
{
	switch (options_parse(set, argc, argv)) {
	case OPTIONS_GO:
		return true;
	case OPTIONS_HELP:
		*code = EXIT_FINE;
		return false;
	case OPTIONS_WRONG:
		break;
	}
	*code = EXIT_USAGE;
	return false;
}
