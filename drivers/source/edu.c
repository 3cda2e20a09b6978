// SPDX-License-Identifier: GPL-2.0
/*
 * As QEMU's documentation of the device (docs/specs/edu.rst) has it: a write to
 * the raise register sets bits of the interrupt status and sends the MSI, a write
 * to the acknowledge register clears them. The device has no mask and does no DMA
 * unless asked for each transfer.
 */
#include "edu.h"

enum edu_reg {
	EDU_ID		= 0x00,
	EDU_RAISE	= 0x60,
	EDU_ACK		= 0x64,
};

#define EDU_REQUEST	BIT(0)
#define EDU_ALL		0xffffffffU

static const struct pci_device_id edu_ids[] = {
	{ PCI_DEVICE(0x1234, 0x11e8) },
	{ }
};

/* No interrupt is pending after it; none comes unless one is asked for */
static void edu_acknowledge_all(struct klat_pci *pci)
{
	klat_pci_write(pci, EDU_ACK, EDU_ALL);
	klat_pci_read(pci, EDU_ID);
}

/* Nothing else to remember or to ready */
static void edu_nothing(struct klat_pci *pci)
{
}

const struct klat_pci_model klat_edu_model = {
	.name = "edu",
	.devices = "QEMU's edu",
	.ids = edu_ids,
	.irq_types = PCI_IRQ_MSI,
	.request_reg = EDU_RAISE,
	.request_value = EDU_REQUEST,
	.ready_reg = EDU_ACK,
	.ready_value = EDU_REQUEST,
	.flush_reg = EDU_ID,
	.quiesce = edu_acknowledge_all,
	.arm = edu_nothing,
	.disarm = edu_acknowledge_all,
	.mask = edu_acknowledge_all,
	.unmask = edu_acknowledge_all,
};
