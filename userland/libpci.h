/* SPDX-License-Identifier: GPL-2.0 */
/* libpci, whose errors would otherwise end the program. */
#ifndef KLAT_LIBPCI_H
#define KLAT_LIBPCI_H

#include <pci/pci.h>
#include <stdbool.h>

bool libpci_with(const char *sys, void (*use)(struct pci_access *pci, void *context),
		 void *context);

#endif
