/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QEMU's teaching device: one MSI, raised by a register write.
 */
#ifndef KLAT_SOURCE_EDU_H
#define KLAT_SOURCE_EDU_H

#include "pci.h"

extern const struct klat_pci_model klat_edu_model;

#endif /* KLAT_SOURCE_EDU_H */
