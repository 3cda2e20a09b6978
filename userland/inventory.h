/* SPDX-License-Identifier: GPL-2.0 */
/* The PCI devices that klat can measure, who has them, and whether it may take them. */
#ifndef KLAT_INVENTORY_H
#define KLAT_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models.h"
#include "netdev.h"
#include "pci_address.h"
#include "pci_config.h"
#include "rtnl.h"
#include "strlist.h"

#define SYS		"/sys"
#define DRIVER_LEN	64

enum device_use {
	DEVICE_FREE,		/* nobody has it */
	DEVICE_IDLE,		/* its driver has it, but nothing would be missed */
	DEVICE_IN_USE,		/* only by force */
	DEVICE_OURS,		/* a module of klat's has it */
	DEVICE_UNSUPPORTED,	/* klat cannot measure it */
};

/**
 * struct pci_device - a device
 * @bdf: its address, as sysfs has it
 * @name: what the ids are, in words; "" if unknown
 * @model: NULL if klat does not know it
 * @node: NUMA node, -1 if unknown
 * @driver: who has it, "" for nobody
 * @override: whom it is reserved for, "" for nobody
 * @virtual_functions: how many of them are switched on
 * @use: whether klat may take it; @reasons: why not; @notes: what to know besides
 */
struct pci_device {
	struct pci_address address;
	char bdf[PCI_ADDRESS_LEN];
	uint16_t vendor;
	uint16_t device;
	uint16_t class;
	char name[128];
	const struct pci_model *model;
	int node;
	char driver[DRIVER_LEN];
	char override[DRIVER_LEN];
	unsigned int virtual_functions;
	struct pci_bar bars[PCI_BARS];
	struct pci_interrupts irq;
	struct netdev net;
	enum device_use use;
	struct strlist reasons;
	struct strlist notes;
};

/**
 * struct inventory - the devices of a machine
 * @sys: where its sysfs is
 * @rtnl: its links, addresses and routes
 * @log: its kernel log, NULL if it cannot be read
 * @devices: in the order of their addresses
 */
struct inventory {
	const char *sys;
	struct rtnl rtnl;
	char *log;
	struct pci_device *devices;
	size_t nr;
};

enum choice {
	CHOICE_FREE,		/* the one device that is free */
	CHOICE_IDLE,		/* none is free, and one could be taken */
	CHOICE_SEVERAL,
	CHOICE_NONE,
};

int inventory_read(struct inventory *inv, const struct pci_address *only);
bool inventory_scan(struct inventory *inv, const struct pci_address *only);
void inventory_free(struct inventory *inv);
enum choice inventory_choose(const struct inventory *inv, const char *source,
			     const struct pci_device **chosen);

void device_judge(struct pci_device *dev, const char *log);
bool device_is_of_source(const struct pci_device *dev, const char *source);
const char *device_use_text(enum device_use use);
const char *device_family(const struct pci_device *dev);
void strlist_join(const struct strlist *list, char *buf, size_t len);

#endif
