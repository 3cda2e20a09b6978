// SPDX-License-Identifier: GPL-2.0
/* The interrupt that is measured, as sysfs and /proc know it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "sysfs.h"

/* Is @action one of the comma-separated names of the interrupt's handlers? */
static bool has_action(const char *irq, const char *action)
{
	char line[256], *save, *name;

	if (!sysfs_line(line, sizeof(line), "/sys/kernel/irq/%s/actions", irq))
		return false;
	for (name = strtok_r(line, ",", &save); name; name = strtok_r(NULL, ",", &save))
		if (!strcmp(name, action))
			return true;
	return false;
}

void irq_facts_read(struct irq_facts *irq, const char *action)
{
	DIR *dir = opendir("/sys/kernel/irq");
	struct dirent *entry;

	memset(irq, 0, sizeof(*irq));
	irq->number = -1;
	while (dir && irq->number < 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && has_action(entry->d_name, action))
			irq->number = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	if (irq->number < 0)
		return;
	sysfs_line(irq->chip, sizeof(irq->chip), "/sys/kernel/irq/%d/chip_name", irq->number);
	sysfs_line(irq->affinity, sizeof(irq->affinity),
		   "/proc/irq/%d/effective_affinity_list", irq->number);
}

bool irq_remapped(const struct irq_facts *irq)
{
	return !strncmp(irq->chip, "IR-", 3) || !strncmp(irq->chip, "DMAR-MSI-IR", 11);
}
