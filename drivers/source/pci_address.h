/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PCI addresses as people write them.
 */
#ifndef KLAT_SOURCE_PCI_ADDRESS_H
#define KLAT_SOURCE_PCI_ADDRESS_H

#include <linux/types.h>

struct klat_pci_address {
	unsigned int domain;
	unsigned int bus;
	unsigned int devfn;
};

/* "[DDDD:]BB:DD.F"; the domain is 0 if left out */
bool klat_pci_parse_address(const char *text, struct klat_pci_address *address);

#endif /* KLAT_SOURCE_PCI_ADDRESS_H */
