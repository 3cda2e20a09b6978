// SPDX-License-Identifier: GPL-2.0
/* A PCI device in words. */
#include <pci/pci.h>
#include <stdio.h>
#include <unistd.h>

#include "pci_name.h"

static void ignore(char *format, ...)
{
	(void)format;
}

static void lookup(struct pci_access *pci, struct pci_dev *dev, char *buf, size_t len)
{
	char name[128] = "";
	const char *found;

	if (!(pci_fill_info(dev, PCI_FILL_IDENT) & PCI_FILL_IDENT))
		return;
	found = pci_lookup_name(pci, name, sizeof(name), PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE,
				dev->vendor_id, dev->device_id);
	snprintf(buf, len, "%s [%04x:%04x]", found ? found : "", dev->vendor_id,
		 dev->device_id);
}

/* "" in @buf for what is no PCI address, or not there */
void pci_name(const char *address, char *buf, size_t len)
{
	unsigned int domain, bus, slot, function;
	struct pci_access *pci;
	struct pci_dev *dev;

	buf[0] = '\0';
	if (sscanf(address, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4)
		return;
	/* libpci ends the program where it finds no PCI at all */
	if (access("/sys/bus/pci/devices", R_OK))
		return;
	pci = pci_alloc();
	if (!pci)
		return;
	pci->warning = ignore;
	pci_init(pci);
	dev = pci_get_dev(pci, (int)domain, (int)bus, (int)slot, (int)function);
	if (dev) {
		lookup(pci, dev, buf, len);
		pci_free_dev(dev);
	}
	pci_cleanup(pci);
}
