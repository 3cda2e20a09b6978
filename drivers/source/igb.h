/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intel I210, I211 and 82576: MSI-X interrupts by the extended interrupt block.
 */
#ifndef KLAT_SOURCE_IGB_H
#define KLAT_SOURCE_IGB_H

#include "pci.h"

extern const struct klat_pci_model klat_igb_model;

#endif /* KLAT_SOURCE_IGB_H */
