// SPDX-License-Identifier: GPL-2.0
/* The PCI devices of a machine, and who has them. */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "exit_code.h"
#include "inventory.h"
#include "klog.h"
#include "libpci.h"
#include "pci_name.h"
#include "sysfs.h"

#define FILL	(PCI_FILL_IDENT | PCI_FILL_CLASS | PCI_FILL_IRQ | PCI_FILL_BASES | \
		 PCI_FILL_SIZES | PCI_FILL_IO_FLAGS | PCI_FILL_CAPS | PCI_FILL_NUMA_NODE)

struct scan {
	struct inventory *inv;
	const struct pci_address *only;
};

static void read_owner(struct pci_device *dev, const struct inventory *inv)
{
	char line[32], dir[PATH_MAX];

	driver_of(inv->sys, dev->bdf, dev->driver, sizeof(dev->driver));
	driver_override(inv->sys, dev->bdf, dev->override, sizeof(dev->override));
	snprintf(dir, sizeof(dir), "%s/bus/pci/devices/%s", inv->sys, dev->bdf);
	if (sysfs_line(line, sizeof(line), "%s/sriov_numvfs", dir))
		dev->virtual_functions = (unsigned int)strtoul(line, NULL, 10);
	netdev_read(&dev->net, dir, &inv->rtnl);
}

static void read_device(struct pci_access *pci, struct pci_dev *found, struct inventory *inv)
{
	struct pci_device *all, *dev;

	all = reallocarray(inv->devices, inv->nr + 1, sizeof(*all));
	if (!all)
		err(EXIT_DOUBT, "out of memory");
	inv->devices = all;
	dev = &all[inv->nr];
	memset(dev, 0, sizeof(*dev));
	dev->address = (struct pci_address) {
		.domain = (unsigned int)found->domain,
		.bus = found->bus,
		.device = found->dev,
		.function = found->func,
	};
	pci_address_print(&dev->address, dev->bdf, sizeof(dev->bdf));
	pci_fill_info(found, FILL);
	dev->vendor = found->vendor_id;
	dev->device = found->device_id;
	dev->class = found->device_class;
	dev->node = found->numa_node;
	dev->model = model_find(dev->vendor, dev->device);
	pci_name_of_ids(pci, dev->vendor, dev->device, dev->name, sizeof(dev->name));
	pci_bars_read(found, dev->bars);
	pci_interrupts_read(found, &dev->irq);
	read_owner(dev, inv);
	device_judge(dev, inv->log);
	/* one that vanished on the way here, out of libpci, is none */
	inv->nr++;
}

static bool is_at(const struct pci_dev *dev, const struct pci_address *a)
{
	return (unsigned int)dev->domain == a->domain && dev->bus == a->bus &&
	       dev->dev == a->device && dev->func == a->function;
}

static void scan(struct pci_access *pci, void *context)
{
	struct scan *s = context;

	pci_scan_bus(pci);
	for (struct pci_dev *dev = pci->devices; dev; dev = dev->next) {
		if (s->only && !is_at(dev, s->only))
			continue;
		if (!s->only) {
			pci_fill_info(dev, PCI_FILL_IDENT);
			if (!model_find(dev->vendor_id, dev->device_id))
				continue;
		}
		read_device(pci, dev, s->inv);
	}
}

static int by_address(const void *a, const void *b)
{
	return strcmp(((const struct pci_device *)a)->bdf, ((const struct pci_device *)b)->bdf);
}

/*
 * Looks at the machine that sys, rtnl and log of @inv describe: all devices that
 * klat knows, or the one at @only, whatever it is. False if it has no PCI, or a
 * device vanished meanwhile: what was read until then is there.
 */
bool inventory_scan(struct inventory *inv, const struct pci_address *only)
{
	struct scan s = { .inv = inv, .only = only };
	bool done = libpci_with(inv->sys, scan, &s);

	if (inv->nr)
		qsort(inv->devices, inv->nr, sizeof(*inv->devices), by_address);
	return done;
}

/* This machine; a negative errno if its network cannot be read */
int inventory_read(struct inventory *inv, const struct pci_address *only)
{
	int ret;

	memset(inv, 0, sizeof(*inv));
	inv->sys = SYS;
	ret = rtnl_read(&inv->rtnl);
	if (ret) {
		rtnl_free(&inv->rtnl);
		return ret;
	}
	inv->log = klog_read();
	inventory_scan(inv, only);
	return 0;
}

void inventory_free(struct inventory *inv)
{
	for (size_t i = 0; i < inv->nr; i++) {
		netdev_free(&inv->devices[i].net);
		strlist_free(&inv->devices[i].reasons);
		strlist_free(&inv->devices[i].notes);
	}
	free(inv->devices);
	free(inv->log);
	rtnl_free(&inv->rtnl);
	memset(inv, 0, sizeof(*inv));
}
