// SPDX-License-Identifier: GPL-2.0
/*
 * The 82574 has no extended interrupt block: the causes of receive queue 0 and
 * the like are bits of the legacy registers, which IVAR assigns to MSI-X vectors.
 * Only one cause is assigned, so that a request gives one interrupt. With
 * auto-clear (EIAC) the cause goes when the message is sent, so the handler need
 * not touch the device; but its mask goes as well, and is set again ahead of each
 * request, as Linux' driver does after each interrupt. Not verified on silicon.
 */
#include "e1000e.h"

enum e1000e_reg {
	E1000E_STATUS	= 0x0008,
	E1000E_CTRL_EXT	= 0x0018,
	E1000E_ICR	= 0x00c0,
	E1000E_ICS	= 0x00c8,
	E1000E_IMS	= 0x00d0,
	E1000E_IMC	= 0x00d8,
	E1000E_EIAC	= 0x00dc,
	E1000E_IAM	= 0x00e0,
	E1000E_IVAR	= 0x00e4,
	E1000E_EITR0	= 0x00e8,
	E1000E_RCTL	= 0x0100,
	E1000E_TCTL	= 0x0400,
};

#define E1000E_CAUSE_RXQ0	BIT(20)
#define E1000E_ALL		0xffffffffU
#define E1000E_RCTL_EN		BIT(1)
#define E1000E_TCTL_EN		BIT(1)
#define E1000E_CTRL_EXT_EIAME	BIT(24)
#define E1000E_CTRL_EXT_IAME	BIT(27)
#define E1000E_CTRL_EXT_PBA	BIT(31)
/* receive queue 0 to vector 0; bit 3 says that the field is valid */
#define E1000E_IVAR_RXQ0	0x8

/* What arm() changes and disarm() puts back */
static const u32 saved_regs[] = {
	E1000E_CTRL_EXT, E1000E_EIAC, E1000E_IAM, E1000E_IVAR, E1000E_EITR0,
};

static const struct pci_device_id e1000e_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x10d3) },	/* 82574L; QEMU's e1000e */
	{ PCI_VDEVICE(INTEL, 0x10f6) },	/* 82574LA */
	{ }
};

static void e1000e_flush(struct klat_pci *pci)
{
	klat_pci_read(pci, E1000E_STATUS);
}

static void e1000e_mask(struct klat_pci *pci)
{
	klat_pci_write(pci, E1000E_IMC, E1000E_ALL);
	e1000e_flush(pci);
}

static void e1000e_quiesce(struct klat_pci *pci)
{
	e1000e_mask(pci);
	klat_pci_write(pci, E1000E_RCTL, klat_pci_read(pci, E1000E_RCTL) & ~E1000E_RCTL_EN);
	klat_pci_write(pci, E1000E_TCTL, klat_pci_read(pci, E1000E_TCTL) & ~E1000E_TCTL_EN);
	e1000e_flush(pci);
}

/* A former driver's throttling and assignments would outlive it */
static void e1000e_arm(struct klat_pci *pci)
{
	u32 control;
	size_t i;

	BUILD_BUG_ON(ARRAY_SIZE(saved_regs) > KLAT_PCI_SAVED_REGS);
	for (i = 0; i < ARRAY_SIZE(saved_regs); i++)
		pci->saved[i] = klat_pci_read(pci, saved_regs[i]);
	control = pci->saved[0] & ~(E1000E_CTRL_EXT_EIAME | E1000E_CTRL_EXT_IAME);
	klat_pci_write(pci, E1000E_CTRL_EXT, control | E1000E_CTRL_EXT_PBA);
	klat_pci_write(pci, E1000E_EITR0, 0);
	klat_pci_write(pci, E1000E_IAM, 0);
	klat_pci_write(pci, E1000E_IVAR, E1000E_IVAR_RXQ0);
	klat_pci_write(pci, E1000E_EIAC, E1000E_CAUSE_RXQ0);
}

static void e1000e_unmask(struct klat_pci *pci)
{
	/* a cause left set would swallow the next request: write 1 to clear */
	klat_pci_write(pci, E1000E_ICR, E1000E_ALL);
	klat_pci_write(pci, E1000E_IMS, E1000E_CAUSE_RXQ0);
	e1000e_flush(pci);
}

static void e1000e_disarm(struct klat_pci *pci)
{
	size_t i;

	klat_pci_write(pci, E1000E_ICR, E1000E_ALL);
	for (i = ARRAY_SIZE(saved_regs); i-- > 0;)
		klat_pci_write(pci, saved_regs[i], pci->saved[i]);
	e1000e_flush(pci);
}

const struct klat_pci_model klat_e1000e_model = {
	.name = "e1000e",
	.devices = "82574",
	.ids = e1000e_ids,
	.irq_types = PCI_IRQ_MSIX,
	.request_reg = E1000E_ICS,
	.request_value = E1000E_CAUSE_RXQ0,
	.ready_reg = E1000E_IMS,
	.ready_value = E1000E_CAUSE_RXQ0,
	.flush_reg = E1000E_STATUS,
	.quiesce = e1000e_quiesce,
	.arm = e1000e_arm,
	.disarm = e1000e_disarm,
	.mask = e1000e_mask,
	.unmask = e1000e_unmask,
};
