// SPDX-License-Identifier: GPL-2.0
/* BARs and interrupts of a PCI device, from its resources and configuration. */
#include <pci/pci.h>
#include <string.h>

#include "pci_config.h"

/* Of sysfs: the kernel has not given it an address (IORESOURCE_UNSET) */
#define RESOURCE_UNSET	0x20000000

#define STANDARD_HEADER	0x40	/* bytes; the capabilities come after it */

/* What the register itself holds; it is not always what the kernel goes by */
static uint64_t register_address(struct pci_dev *dev, unsigned int nr, const struct pci_bar *bar,
				 uint32_t low)
{
	uint64_t high = 0;

	if (bar->io)
		return low & (uint32_t)PCI_BASE_ADDRESS_IO_MASK;
	if (bar->wide)
		high = pci_read_long(dev, PCI_BASE_ADDRESS_0 + 4 * (int)nr + 4);
	return high << 32 | (low & (uint32_t)PCI_BASE_ADDRESS_MEM_MASK);
}

static enum pci_bar_state bar_state(const struct pci_bar *bar, uint16_t command,
				    uint64_t in_register)
{
	uint16_t enable = bar->io ? PCI_COMMAND_IO : PCI_COMMAND_MEMORY;

	if (!bar->base)
		return in_register ? PCI_BAR_IGNORED : PCI_BAR_UNASSIGNED;
	return command & enable ? PCI_BAR_ENABLED : PCI_BAR_DISABLED;
}

static void bar_read(struct pci_dev *dev, unsigned int nr, uint16_t command, struct pci_bar *bar)
{
	uint32_t low = pci_read_long(dev, PCI_BASE_ADDRESS_0 + 4 * (int)nr);
	pciaddr_t flags = dev->flags[nr];
	uint32_t type = low ? low : (uint32_t)flags;

	/* a device that has fallen off the bus */
	if (low == 0xffffffff || (!low && !flags && !dev->size[nr]))
		return;
	bar->io = type & PCI_BASE_ADDRESS_SPACE_IO;
	bar->wide = !bar->io && (type & PCI_BASE_ADDRESS_MEM_TYPE_MASK) ==
		    PCI_BASE_ADDRESS_MEM_TYPE_64;
	bar->prefetchable = !bar->io && type & PCI_BASE_ADDRESS_MEM_PREFETCH;
	bar->size = dev->size[nr];
	if (!(flags & RESOURCE_UNSET))
		bar->base = dev->base_addr[nr] & (bar->io ? ~(pciaddr_t)3 : ~(pciaddr_t)15);
	bar->state = bar_state(bar, command, register_address(dev, nr, bar, low));
}

/* PCI_FILL_BASES, _SIZES and _IO_FLAGS have been filled */
void pci_bars_read(struct pci_dev *dev, struct pci_bar bars[PCI_BARS])
{
	uint16_t command = pci_read_word(dev, PCI_COMMAND);

	memset(bars, 0, PCI_BARS * sizeof(*bars));
	for (unsigned int i = 0; i < PCI_BARS; i++) {
		bar_read(dev, i, command, &bars[i]);
		if (bars[i].wide)
			i++;
	}
}

static void msi_read(struct pci_dev *dev, int at, struct pci_interrupts *irq)
{
	uint16_t flags = pci_read_word(dev, at + PCI_MSI_FLAGS);

	irq->msi_vectors = 1u << ((flags & PCI_MSI_FLAGS_QMASK) >> 1);
	irq->msi_enabled = flags & PCI_MSI_FLAGS_ENABLE;
	irq->msi_maskable = flags & PCI_MSI_FLAGS_MASK_BIT;
}

static void msix_read(struct pci_dev *dev, int at, struct pci_interrupts *irq)
{
	uint16_t flags = pci_read_word(dev, at + PCI_MSI_FLAGS);
	uint32_t table = pci_read_long(dev, at + PCI_MSIX_TABLE);

	irq->msix_vectors = (flags & PCI_MSIX_TABSIZE) + 1;
	irq->msix_enabled = flags & PCI_MSIX_ENABLE;
	irq->table_bar = table & PCI_MSIX_BIR;
	irq->table_offset = table & ~(uint32_t)PCI_MSIX_BIR;
}

/* PCI_FILL_IRQ and _CAPS have been filled */
void pci_interrupts_read(struct pci_dev *dev, struct pci_interrupts *irq)
{
	const struct pci_cap *cap;
	uint8_t byte;

	memset(irq, 0, sizeof(*irq));
	irq->line = dev->irq;
	/* whoever is not root sees the standard header only */
	irq->known = pci_read_block(dev, STANDARD_HEADER, &byte, 1);
	cap = pci_find_cap(dev, PCI_CAP_ID_MSI, PCI_CAP_NORMAL);
	if (cap)
		msi_read(dev, (int)cap->addr, irq);
	cap = pci_find_cap(dev, PCI_CAP_ID_MSIX, PCI_CAP_NORMAL);
	if (cap)
		msix_read(dev, (int)cap->addr, irq);
}

const char *pci_bar_state_text(const struct pci_bar *bar)
{
	switch (bar->state) {
	case PCI_BAR_NONE:
		return "none";
	case PCI_BAR_ENABLED:
		return "enabled";
	case PCI_BAR_DISABLED:
		return "disabled";
	case PCI_BAR_UNASSIGNED:
		return "unassigned";
	case PCI_BAR_IGNORED:
		return "ignored";
	}
	return "unknown";
}

/* Why its registers cannot be read; NULL if they can */
const char *pci_bar_refusal(const struct pci_bar *bar)
{
	switch (bar->state) {
	case PCI_BAR_NONE:
		return "there is no such BAR";
	case PCI_BAR_DISABLED:
		return "not enabled - bind a driver or enable it first";
	case PCI_BAR_UNASSIGNED:
		return "no address was assigned to it";
	case PCI_BAR_IGNORED:
		return "the kernel ignores its address";
	case PCI_BAR_ENABLED:
		break;
	}
	return bar->io ? "it is I/O ports, not memory" : NULL;
}

/* What makes the latency of a read from it doubtful; NULL if nothing does */
const char *pci_bar_warning(const struct pci_bar *bar)
{
	return bar->prefetchable ?
		"prefetchable: reads may be merged, or answered before they are asked" : NULL;
}
