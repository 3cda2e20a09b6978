// SPDX-License-Identifier: GPL-2.0
/* A PCI device in words. */
#include <stdio.h>

#include "libpci.h"
#include "pci_address.h"
#include "pci_name.h"

struct request {
	struct pci_address address;
	char *buf;
	size_t len;
};

/* libpci's words for the ids; "" where it has none */
void pci_name_of_ids(struct pci_access *pci, uint16_t vendor, uint16_t device, char *buf,
		     size_t len)
{
	char name[128] = "";
	const char *found;

	found = pci_lookup_name(pci, name, sizeof(name), PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE,
				vendor, device);
	snprintf(buf, len, "%s", found ? found : "");
}

static void lookup(struct pci_access *pci, struct pci_dev *dev, char *buf, size_t len)
{
	char name[128];

	if (!(pci_fill_info(dev, PCI_FILL_IDENT) & PCI_FILL_IDENT))
		return;
	pci_name_of_ids(pci, dev->vendor_id, dev->device_id, name, sizeof(name));
	snprintf(buf, len, "%s [%04x:%04x]", name, dev->vendor_id, dev->device_id);
}

static void find_and_lookup(struct pci_access *pci, void *context)
{
	const struct request *r = context;
	const struct pci_address *a = &r->address;
	struct pci_dev *dev;

	dev = pci_get_dev(pci, (int)a->domain, (int)a->bus, (int)a->device, (int)a->function);
	if (!dev)
		return;
	lookup(pci, dev, r->buf, r->len);
	pci_free_dev(dev);
}

/* "" in @buf for what is no PCI address, or not there */
void pci_name(const char *text, char *buf, size_t len)
{
	struct request r = { .buf = buf, .len = len };

	buf[0] = '\0';
	if (pci_address_parse(text, &r.address))
		libpci_with("/sys", find_and_lookup, &r);
}
