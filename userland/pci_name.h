/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_PCI_NAME_H
#define KLAT_PCI_NAME_H

#include <stddef.h>
#include <stdint.h>

struct pci_access;

void pci_name(const char *text, char *buf, size_t len);
void pci_name_of_ids(struct pci_access *pci, uint16_t vendor, uint16_t device, char *buf,
		     size_t len);

#endif
