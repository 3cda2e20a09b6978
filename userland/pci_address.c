// SPDX-License-Identifier: GPL-2.0
/* Where a PCI device is. */
#include <stdio.h>
#include <string.h>

#include "pci_address.h"

/*
 * The whole of @text is [DDDD:]BB:DD.F in hexadecimal, as the modules have it.
 * The path of bridges that `lspci -P` puts before it is passed over.
 */
bool pci_address_parse(const char *text, struct pci_address *a)
{
	const char *path = strrchr(text, '/');
	int used = 0;

	if (path)
		text = path + 1;
	/* sscanf() would also take blanks, signs and "0x" */
	if (text[strspn(text, "0123456789abcdefABCDEF:.")])
		return false;
	if (sscanf(text, "%x:%x:%x.%x%n", &a->domain, &a->bus, &a->device, &a->function,
		   &used) != 4) {
		a->domain = 0;
		used = 0;
		if (sscanf(text, "%x:%x.%x%n", &a->bus, &a->device, &a->function, &used) != 3)
			return false;
	}
	return used && !text[used] && a->bus <= 0xff && a->device <= 0x1f && a->function <= 7;
}

/* As sysfs names it */
void pci_address_print(const struct pci_address *a, char *buf, size_t len)
{
	snprintf(buf, len, "%04x:%02x:%02x.%x", a->domain, a->bus, a->device, a->function);
}
