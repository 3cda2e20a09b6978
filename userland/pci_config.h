/* SPDX-License-Identifier: GPL-2.0 */
/* BARs and interrupts of a PCI device, from its resources and configuration. */
#ifndef KLAT_PCI_CONFIG_H
#define KLAT_PCI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

struct pci_dev;

#define PCI_BARS	6

enum pci_bar_state {
	PCI_BAR_NONE,		/* there is no such BAR */
	PCI_BAR_ENABLED,
	PCI_BAR_DISABLED,	/* it has an address, but the device does not answer there */
	PCI_BAR_UNASSIGNED,	/* it has no address */
	PCI_BAR_IGNORED,	/* it has one, which the kernel does not use */
};

/**
 * struct pci_bar - a base address register; a ROM is none
 * @io: I/O ports, otherwise memory
 * @wide: 64 bits, and takes the next slot, too
 * @size: 0 if the kernel does not know
 */
struct pci_bar {
	enum pci_bar_state state;
	bool io;
	bool wide;
	bool prefetchable;
	uint64_t base;
	uint64_t size;
};

/**
 * struct pci_interrupts - by which ways a device can interrupt
 * @line: IRQ of the interrupt pin, 0 if none is routed
 * @known: the capabilities could be read, which takes root
 * @msi_vectors: 0 if it has no MSI; @msix_vectors likewise
 * @table_bar: where the MSI-X table is
 */
struct pci_interrupts {
	int line;
	bool known;
	unsigned int msi_vectors;
	bool msi_enabled;
	bool msi_maskable;
	unsigned int msix_vectors;
	bool msix_enabled;
	unsigned int table_bar;
	uint32_t table_offset;
};

void pci_bars_read(struct pci_dev *dev, struct pci_bar bars[PCI_BARS]);
void pci_interrupts_read(struct pci_dev *dev, struct pci_interrupts *irq);
const char *pci_bar_state_text(const struct pci_bar *bar);
const char *pci_bar_refusal(const struct pci_bar *bar);
const char *pci_bar_warning(const struct pci_bar *bar);

#endif
