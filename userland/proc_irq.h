/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/interrupts. */
#ifndef KLAT_PROC_IRQ_H
#define KLAT_PROC_IRQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct irq_row - a line
 * @label: before the colon: a number, or as in "NMI"
 * @number: -1 if the label is none
 * @counts: of the CPUs of the header, in its order
 * @nr: how many there are: some lines are short
 * @chip: what comes after them, up to a blank
 * @names: whose it is, the last column
 */
struct irq_row {
	char label[16];
	int number;
	uint64_t *counts;
	unsigned int nr;
	char chip[64];
	char names[128];
};

/**
 * struct irq_table - all of it
 * @cpus: the CPU of each column: those that are offline have none
 */
struct irq_table {
	int *cpus;
	unsigned int nr_cpus;
	struct irq_row *rows;
	size_t nr;
};

bool irq_table_read(struct irq_table *table, FILE *file);
void irq_table_free(struct irq_table *table);
const struct irq_row *irq_table_find(const struct irq_table *table, const char *label);
const struct irq_row *irq_table_find_name(const struct irq_table *table, const char *name);
bool irq_row_count(const struct irq_table *table, const struct irq_row *row, int cpu,
		   uint64_t *count);

#endif
