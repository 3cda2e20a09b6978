/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intel I210, I211 and 82576: MSI-X interrupts by the extended interrupt block.
 * Later controllers have the same block at the same place; what differs is in
 * struct klat_igb_family.
 */
#ifndef KLAT_SOURCE_IGB_H
#define KLAT_SOURCE_IGB_H

#include "pci.h"

/* Where the legacy interrupt registers are */
struct klat_igb_family {
	u32 icr;
	u32 ims;
	u32 imc;
};

extern const struct klat_pci_model klat_igb_model;

static inline const struct klat_igb_family *klat_igb_family(const struct klat_pci *pci)
{
	return pci->model->family;
}

/* For models of the same kind: members of struct klat_pci_model */
void klat_igb_quiesce(struct klat_pci *pci);
void klat_igb_arm(struct klat_pci *pci);
void klat_igb_disarm(struct klat_pci *pci);
void klat_igb_mask(struct klat_pci *pci);
void klat_igb_unmask(struct klat_pci *pci);
bool klat_igb_fact(struct klat_pci *pci, unsigned int i, struct klat_source_fact *fact);

/* What they have in common; igb_regs.h and igb_timer.h go with it */
#define KLAT_IGB_MODEL					\
	.irq_types = PCI_IRQ_MSIX,			\
	.request_reg = IGB_EICS,			\
	.request_value = IGB_VECTOR0,			\
	.flush_reg = IGB_STATUS,			\
	.quiesce = klat_igb_quiesce,			\
	.arm = klat_igb_arm,				\
	.disarm = klat_igb_disarm,			\
	.mask = klat_igb_mask,				\
	.unmask = klat_igb_unmask,			\
	.fact = klat_igb_fact,				\
	.timer_served = klat_igb_timer_served

#endif /* KLAT_SOURCE_IGB_H */
