/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intel 82574: MSI-X interrupts by the legacy causes.
 */
#ifndef KLAT_SOURCE_E1000E_H
#define KLAT_SOURCE_E1000E_H

#include "pci.h"

extern const struct klat_pci_model klat_e1000e_model;

#endif /* KLAT_SOURCE_E1000E_H */
