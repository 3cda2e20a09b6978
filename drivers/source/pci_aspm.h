/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Active state power management: a link that may sleep wakes up within whatever
 * is measured across it.
 */
#ifndef KLAT_SOURCE_PCI_ASPM_H
#define KLAT_SOURCE_PCI_ASPM_H

#include <linux/pci.h>

/* PCI_EXP_LNKCTL_ASPMC of one end of a link; 0 if @pdev is NULL or has none */
static inline u16 klat_pci_aspm(struct pci_dev *pdev)
{
	u16 control = 0;

	if (pdev && pci_is_pcie(pdev))
		pcie_capability_read_word(pdev, PCI_EXP_LNKCTL, &control);
	return control & PCI_EXP_LNKCTL_ASPMC;
}

#endif /* KLAT_SOURCE_PCI_ASPM_H */
