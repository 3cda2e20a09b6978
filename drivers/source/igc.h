/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intel I225 and I226: the igb family's extended interrupt block, with the legacy
 * registers elsewhere.
 */
#ifndef KLAT_SOURCE_IGC_H
#define KLAT_SOURCE_IGC_H

#include "pci.h"

extern const struct klat_pci_model klat_igc_model;

#endif /* KLAT_SOURCE_IGC_H */
