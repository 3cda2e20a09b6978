/* SPDX-License-Identifier: GPL-2.0 */
/* Where a PCI device is. */
#ifndef KLAT_PCI_ADDRESS_H
#define KLAT_PCI_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#define PCI_ADDRESS_LEN	24

struct pci_address {
	unsigned int domain;
	unsigned int bus;
	unsigned int device;
	unsigned int function;
};

bool pci_address_parse(const char *text, struct pci_address *address);
void pci_address_print(const struct pci_address *address, char *buf, size_t len);

#endif
