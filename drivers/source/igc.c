// SPDX-License-Identifier: GPL-2.0
/* Not verified on silicon, and no emulator has it. */
#include "igb.h"
#include "igb_regs.h"
#include "igb_timer.h"
#include "igc.h"

static const struct klat_igb_family igc_family = {
	.icr = 0x1500,
	.ims = 0x1508,
	.imc = 0x150c,
};

static const struct pci_device_id igc_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x15f2) },	/* I225-LM */
	{ PCI_VDEVICE(INTEL, 0x15f3) },	/* I225-V */
	{ PCI_VDEVICE(INTEL, 0x15f8) },	/* I225-I */
	{ PCI_VDEVICE(INTEL, 0x3100) },	/* I225-K */
	{ PCI_VDEVICE(INTEL, 0x3101) },	/* I225-K2 */
	{ PCI_VDEVICE(INTEL, 0x5502) },	/* I225-LMvP */
	{ PCI_VDEVICE(INTEL, 0x0d9f) },	/* I225-IT */
	{ PCI_VDEVICE(INTEL, 0x125b) },	/* I226-LM */
	{ PCI_VDEVICE(INTEL, 0x125c) },	/* I226-V */
	{ PCI_VDEVICE(INTEL, 0x125d) },	/* I226-IT */
	{ PCI_VDEVICE(INTEL, 0x3102) },	/* I226-K */
	{ PCI_VDEVICE(INTEL, 0x5503) },	/* I226-LMvP */
	{ }
};

static int igc_timer_start(struct klat_pci *pci, enum klat_source_timer timer,
			   u64 period_ns, struct klat_refusal *refusal)
{
	if (timer != KLAT_SOURCE_TARGETTIME)
		return -EOPNOTSUPP;
	return klat_igb_timer_start(pci, timer, period_ns, refusal);
}

const struct klat_pci_model klat_igc_model = {
	.name = "igc",
	.devices = "I225, I226",
	.ids = igc_ids,
	.family = &igc_family,
	KLAT_IGB_MODEL,
	.timer_start = igc_timer_start,
};
