// SPDX-License-Identifier: GPL-2.0
/* A PCI device in words. */
#include <pci/pci.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

#include "pci_name.h"

/*
 * Where libpci's fatal errors lead, for which its own handler ends the program:
 * a device that was pulled out is one of them.
 */
static jmp_buf fatal;

static _Noreturn void escape(char *format, ...)
{
	(void)format;
	longjmp(fatal, 1);
}

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

static void find_and_lookup(struct pci_access *pci, const unsigned int address[4], char *buf,
			    size_t len)
{
	struct pci_dev *dev;

	if (setjmp(fatal))
		return;
	pci_init(pci);
	dev = pci_get_dev(pci, (int)address[0], (int)address[1], (int)address[2],
			  (int)address[3]);
	if (!dev)
		return;
	lookup(pci, dev, buf, len);
	pci_free_dev(dev);
}

/* "" in @buf for what is no PCI address, or not there */
void pci_name(const char *text, char *buf, size_t len)
{
	unsigned int address[4];
	struct pci_access *pci;

	buf[0] = '\0';
	if (sscanf(text, "%x:%x:%x.%x", &address[0], &address[1], &address[2],
		   &address[3]) != 4)
		return;
	/* without any PCI there is nothing that libpci could clean up */
	if (access("/sys/bus/pci/devices", R_OK))
		return;
	pci = pci_alloc();
	if (!pci)
		return;
	pci->warning = ignore;
	pci->error = escape;
	find_and_lookup(pci, address, buf, len);
	pci_cleanup(pci);
}
