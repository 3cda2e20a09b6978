/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_PCI_NAME_H
#define KLAT_PCI_NAME_H

#include <stddef.h>

void pci_name(const char *text, char *buf, size_t len);

#endif
