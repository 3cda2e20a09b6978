// SPDX-License-Identifier: GPL-2.0
/* The interrupt that is measured, as /proc and sysfs know it. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "proc_irq.h"
#include "sysfs.h"

static void find(struct irq_facts *irq, const char *action)
{
	FILE *file = fopen("/proc/interrupts", "re");
	const struct irq_row *row = NULL;
	struct irq_table table;

	if (!file)
		return;
	if (irq_table_read(&table, file))
		row = irq_table_find_name(&table, action);
	if (row) {
		irq->number = row->number;
		snprintf(irq->chip, sizeof(irq->chip), "%s", row->chip);
	}
	irq_table_free(&table);
	fclose(file);
}

void irq_facts_read(struct irq_facts *irq, const char *action)
{
	memset(irq, 0, sizeof(*irq));
	irq->number = -1;
	find(irq, action);
	if (irq->number >= 0)
		sysfs_line(irq->affinity, sizeof(irq->affinity),
			   "/proc/irq/%d/effective_affinity_list", irq->number);
}

bool irq_remapped(const struct irq_facts *irq)
{
	return !strncmp(irq->chip, "IR-", 3) || !strncmp(irq->chip, "DMAR-MSI-IR", 11);
}
