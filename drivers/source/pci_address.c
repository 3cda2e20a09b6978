// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/string.h>

#include "pci_address.h"

/* The whole of @text is [DDDD:]BB:DD.F in hexadecimal */
bool klat_pci_parse_address(const char *text, struct klat_pci_address *address)
{
	unsigned int device, function;
	int used = 0;

	/* sscanf() would also take blanks, signs and "0x" */
	if (text[strspn(text, "0123456789abcdefABCDEF:.")])
		return false;
	if (sscanf(text, "%x:%x:%x.%x%n", &address->domain, &address->bus, &device,
		   &function, &used) != 4) {
		address->domain = 0;
		used = 0;
		if (sscanf(text, "%x:%x.%x%n", &address->bus, &device, &function,
			   &used) != 3)
			return false;
	}
	if (!used || text[used])
		return false;
	if (address->bus > 0xff || device > 0x1f || function > 7)
		return false;
	address->devfn = PCI_DEVFN(device, function);
	return true;
}
