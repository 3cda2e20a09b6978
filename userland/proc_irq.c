// SPDX-License-Identifier: GPL-2.0
/* /proc/interrupts. */
#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "proc_irq.h"

static void *grow(void *array, size_t nr, size_t size)
{
	array = reallocarray(array, nr, size);
	if (!array)
		err(EXIT_DOUBT, "out of memory");
	return array;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static bool header_read(struct irq_table *table, const char *line)
{
	int cpu, used;

	for (const char *at = line; sscanf(at, " CPU%d%n", &cpu, &used) == 1; at += used) {
		table->cpus = grow(table->cpus, table->nr_cpus + 1, sizeof(*table->cpus));
		table->cpus[table->nr_cpus++] = cpu;
	}
	return table->nr_cpus;
}

/* A whole word of digits: "8-0020" is the name of a chip */
static bool is_counter(const char *at)
{
	size_t digits = strspn(at, "0123456789");

	return digits && (!at[digits] || isspace((unsigned char)at[digits]));
}

static const char *counts_read(struct irq_row *row, const char *at, unsigned int columns)
{
	char *end;

	row->counts = grow(NULL, columns, sizeof(*row->counts));
	for (at = skip_blanks(at); row->nr < columns && is_counter(at); at = skip_blanks(end))
		row->counts[row->nr++] = strtoull(at, &end, 10);
	return at;
}

/*
 * The kernel puts two blanks before the names. Those of an interrupt without a
 * number have no chip before them.
 */
static void words_read(struct irq_row *row, const char *at)
{
	const char *names = at, *gap;

	if (row->number >= 0) {
		snprintf(row->chip, sizeof(row->chip), "%.*s", (int)strcspn(at, " \t"), at);
		for (gap = strstr(at, "  "); gap; gap = strstr(names, "  "))
			names = skip_blanks(gap);
		/* nobody has requested it */
		if (names == at)
			names = "";
	}
	snprintf(row->names, sizeof(row->names), "%s", names);
}

static void row_read(struct irq_table *table, char *line)
{
	char *colon = strchr(line, ':'), *end;
	struct irq_row *row;
	const char *label;

	if (!colon)
		return;
	for (size_t n = strlen(line); n && isspace((unsigned char)line[n - 1]); n--)
		line[n - 1] = '\0';
	table->rows = grow(table->rows, table->nr + 1, sizeof(*table->rows));
	row = &table->rows[table->nr++];
	memset(row, 0, sizeof(*row));
	*colon = '\0';
	label = skip_blanks(line);
	snprintf(row->label, sizeof(row->label), "%s", label);
	row->number = (int)strtol(label, &end, 10);
	if (!*label || *end)
		row->number = -1;
	words_read(row, counts_read(row, colon + 1, table->nr_cpus));
}

/* False if it does not begin with the CPUs */
bool irq_table_read(struct irq_table *table, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	bool good;

	memset(table, 0, sizeof(*table));
	good = getline(&line, &size, file) > 0 && header_read(table, line);
	while (good && getline(&line, &size, file) > 0)
		row_read(table, line);
	free(line);
	return good;
}

void irq_table_free(struct irq_table *table)
{
	for (size_t i = 0; i < table->nr; i++)
		free(table->rows[i].counts);
	free(table->rows);
	free(table->cpus);
	memset(table, 0, sizeof(*table));
}

const struct irq_row *irq_table_find(const struct irq_table *table, const char *label)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!strcmp(table->rows[i].label, label))
			return &table->rows[i];
	return NULL;
}

/* Is @name one of the names, between which there are ", "? */
static bool has_name(const char *names, const char *name)
{
	size_t len = strlen(name);

	while (*names) {
		size_t n = strcspn(names, ",");

		if (n == len && !strncmp(names, name, len))
			return true;
		names += n;
		names += strspn(names, ", ");
	}
	return false;
}

/* The interrupt that @name has requested */
const struct irq_row *irq_table_find_name(const struct irq_table *table, const char *name)
{
	for (size_t i = 0; i < table->nr; i++)
		if (table->rows[i].number >= 0 && has_name(table->rows[i].names, name))
			return &table->rows[i];
	return NULL;
}

/* False if the row has no counter of that CPU */
bool irq_row_count(const struct irq_table *table, const struct irq_row *row, int cpu,
		   uint64_t *count)
{
	for (unsigned int i = 0; i < row->nr; i++) {
		if (table->cpus[i] != cpu)
			continue;
		*count = row->counts[i];
		return true;
	}
	return false;
}
