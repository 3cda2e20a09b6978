/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The driver that user space reserved a PCI device for: the name moved from
 * struct pci_dev into struct device.
 */
#ifndef KLAT_COMPAT_PCI_H
#define KLAT_COMPAT_PCI_H

#include <linux/pci.h>
#include <linux/string.h>

/* Copies the name into @name; false if there is none. Under device_lock. */
static inline bool klat_pci_driver_override(struct pci_dev *pdev, char *name, size_t size)
{
#ifdef KLAT_HAVE_DEVICE_OVERRIDE
	bool found;

	spin_lock(&pdev->dev.driver_override.lock);
	found = pdev->dev.driver_override.name;
	if (found)
		strscpy(name, pdev->dev.driver_override.name, size);
	spin_unlock(&pdev->dev.driver_override.lock);
	return found;
#else
	if (!pdev->driver_override)
		return false;
	strscpy(name, pdev->driver_override, size);
	return true;
#endif
}

#endif /* KLAT_COMPAT_PCI_H */
