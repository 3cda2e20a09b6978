// SPDX-License-Identifier: GPL-2.0
/* Whether klat may take a device, and which one it takes. */
#include <stdio.h>
#include <string.h>

#include "inventory.h"
#include "klog.h"

#define CLASS_NETWORK	0x02	/* the upper half of a PCI class */

static void judge_driver(struct pci_device *dev)
{
	if (model_is_klat_driver(dev->driver)) {
		dev->use = DEVICE_OURS;
		strlist_add(&dev->reasons, "held by driver %s: it is being measured", dev->driver);
		return;
	}
	if (*dev->driver && strcmp(dev->driver, dev->model->driver))
		strlist_add(&dev->reasons, "held by driver %s, which is not the one we know",
			    dev->driver);
	else if (*dev->driver && !*dev->net.name && dev->class >> 8 == CLASS_NETWORK)
		strlist_add(&dev->reasons, "driver %s has it, but its interface is not to be seen: "
			    "it is in another network namespace", dev->driver);
	if (*dev->override && strcmp(dev->override, dev->driver) &&
	    !model_is_klat_driver(dev->override))
		strlist_add(&dev->reasons, "reserved for driver %s by driver_override",
			    dev->override);
	if (dev->virtual_functions)
		strlist_add(&dev->reasons, "its %u virtual functions would vanish",
			    dev->virtual_functions);
	netdev_uses(&dev->net, &dev->reasons);
}

/* A device that its driver could not use may do for us */
static void note_probe_failure(struct pci_device *dev, const char *log)
{
	char why[256];

	if (*dev->driver || !*dev->model->driver ||
	    !klog_probe_failure(log, dev->model->driver, dev->bdf, why, sizeof(why)))
		return;
	strlist_add(&dev->notes, "%s could not use it (%s)", dev->model->driver, why);
}

/* Fills in use, reasons and notes */
void device_judge(struct pci_device *dev, const char *log)
{
	if (!dev->model) {
		dev->use = DEVICE_UNSUPPORTED;
		strlist_add(&dev->reasons, "klat cannot measure with a %04x:%04x", dev->vendor,
			    dev->device);
		return;
	}
	note_probe_failure(dev, log);
	if (dev->model->blank) {
		dev->use = DEVICE_UNSUPPORTED;
		strlist_add(&dev->reasons, "%s without programmed NVM", dev->model->family);
		return;
	}
	judge_driver(dev);
	if (dev->use == DEVICE_OURS)
		return;
	if (dev->reasons.nr)
		dev->use = DEVICE_IN_USE;
	else
		dev->use = *dev->driver ? DEVICE_IDLE : DEVICE_FREE;
}

bool device_is_of_source(const struct pci_device *dev, const char *source)
{
	return dev->model && (!strcmp(source, "auto") || !strcmp(source, dev->model->source));
}

/* Without an address: the one device that is free; @chosen also for CHOICE_IDLE */
enum choice inventory_choose(const struct inventory *inv, const char *source,
			     const struct pci_device **chosen)
{
	const struct pci_device *free = NULL, *idle = NULL;
	unsigned int nr_free = 0, nr_idle = 0;

	*chosen = NULL;
	for (size_t i = 0; i < inv->nr; i++) {
		const struct pci_device *dev = &inv->devices[i];

		if (!device_is_of_source(dev, source))
			continue;
		if (dev->use == DEVICE_FREE) {
			free = dev;
			nr_free++;
		} else if (dev->use == DEVICE_IDLE) {
			idle = dev;
			nr_idle++;
		}
	}
	if (nr_free > 1 || (!nr_free && nr_idle > 1))
		return CHOICE_SEVERAL;
	*chosen = free ? free : idle;
	if (free)
		return CHOICE_FREE;
	return idle ? CHOICE_IDLE : CHOICE_NONE;
}

const char *device_use_text(enum device_use use)
{
	switch (use) {
	case DEVICE_FREE:
		return "free";
	case DEVICE_IDLE:
		return "idle";
	case DEVICE_IN_USE:
		return "in use";
	case DEVICE_OURS:
		return "measuring";
	case DEVICE_UNSUPPORTED:
		return "unsupported";
	}
	return "unknown";
}

const char *device_family(const struct pci_device *dev)
{
	return dev->model ? dev->model->family : "unknown";
}

/* "; " between the sentences; cut where it does not fit */
void strlist_join(const struct strlist *list, char *buf, size_t len)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < list->nr && used < len; i++)
		used += (size_t)snprintf(buf + used, len - used, "%s%s", i ? "; " : "",
					 list->items[i]);
}
