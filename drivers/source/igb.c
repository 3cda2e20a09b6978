// SPDX-License-Identifier: GPL-2.0
/*
 * Pages are those of the I210 datasheet, revision 3.7.
 *
 * Vector 0 is raised through EICS. With auto-clear (EIAC) the cause goes when
 * the message is sent, so the handler need not touch the device. Auto-mask
 * (EIAM) is left unused: nothing would be gained, and emulators do not have it.
 */
#include "igb.h"

enum igb_reg {
	IGB_CTRL	= 0x0000,
	IGB_STATUS	= 0x0008,
	IGB_RCTL	= 0x0100,
	IGB_TCTL	= 0x0400,
	IGB_IMC		= 0x00d8,
	IGB_GPIE	= 0x1514,
	IGB_EICS	= 0x1520,
	IGB_EIMS	= 0x1524,
	IGB_EIMC	= 0x1528,
	IGB_EIAC	= 0x152c,
	IGB_EIAM	= 0x1530,
	IGB_EICR	= 0x1580,
	IGB_EITR0	= 0x1680,
	IGB_IVAR0	= 0x1700,	/* and on, one for two queues */
	IGB_IVAR_MISC	= 0x1740,
};

#define IGB_VECTOR0		BIT(0)
#define IGB_ALL			0xffffffffU

#define IGB_RCTL_EN		BIT(1)
#define IGB_TCTL_EN		BIT(1)

#define IGB_GPIE_NSICR		BIT(0)
#define IGB_GPIE_MULTIPLE_MSIX	BIT(4)
#define IGB_GPIE_EIAME		BIT(30)
#define IGB_GPIE_PBA		BIT(31)

/*
 * Microseconds. A write without bit 31 (CNT_IGNR) also sets the running counter,
 * so writing 0 makes the next request fire at once (p. 327).
 */
#define IGB_EITR_INTERVAL	GENMASK(14, 2)

/* What arm() changes and disarm() puts back; GPIE first: others depend on it */
static const u32 saved_regs[] = {
	IGB_GPIE, IGB_EITR0, IGB_EIAC, IGB_EIAM, IGB_IVAR_MISC,
	IGB_IVAR0, IGB_IVAR0 + 4, IGB_IVAR0 + 8, IGB_IVAR0 + 12,
	IGB_IVAR0 + 16, IGB_IVAR0 + 20, IGB_IVAR0 + 24, IGB_IVAR0 + 28,
};

/* The 82576 has all IVARs, for 16 queues; the I210 two, and nothing after them */
#define IGB_82576		0x10c9
#define SAVED_REGS_I210		7

static const struct pci_device_id igb_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x1533) },	/* I210 copper */
	{ PCI_VDEVICE(INTEL, 0x1534) },
	{ PCI_VDEVICE(INTEL, 0x1535) },
	{ PCI_VDEVICE(INTEL, 0x1536) },	/* I210 fiber */
	{ PCI_VDEVICE(INTEL, 0x1537) },	/* I210 SerDes */
	{ PCI_VDEVICE(INTEL, 0x1538) },	/* I210 SGMII */
	{ PCI_VDEVICE(INTEL, 0x157b) },	/* I210 copper, no flash */
	{ PCI_VDEVICE(INTEL, 0x157c) },	/* I210 SerDes, no flash */
	{ PCI_VDEVICE(INTEL, 0x15f6) },	/* I210 SGMII, no flash */
	{ PCI_VDEVICE(INTEL, 0x1539) },	/* I211 */
	{ PCI_VDEVICE(INTEL, IGB_82576) },	/* QEMU's igb */
	{ }
};

static void igb_flush(struct klat_pci *pci)
{
	klat_pci_read(pci, IGB_STATUS);
}

static void igb_mask(struct klat_pci *pci)
{
	klat_pci_write(pci, IGB_IMC, IGB_ALL);
	klat_pci_write(pci, IGB_EIMC, IGB_ALL);
	igb_flush(pci);
}

static void igb_quiesce(struct klat_pci *pci)
{
	igb_mask(pci);
	klat_pci_write(pci, IGB_RCTL, klat_pci_read(pci, IGB_RCTL) & ~IGB_RCTL_EN);
	klat_pci_write(pci, IGB_TCTL, klat_pci_read(pci, IGB_TCTL) & ~IGB_TCTL_EN);
	igb_flush(pci);
}

static size_t nr_saved(struct klat_pci *pci)
{
	return pci->pdev->device == IGB_82576 ? ARRAY_SIZE(saved_regs) : SAVED_REGS_I210;
}

/*
 * A former driver leaves throttling (162 us after igb), causes, auto-clear and
 * the assignment of causes to vectors behind, and no reset touches them (p. 418,
 * 427): all are set by hand. The mode goes first or the rest does not stick
 * (p. 325).
 */
static void igb_arm(struct klat_pci *pci)
{
	size_t i;

	BUILD_BUG_ON(ARRAY_SIZE(saved_regs) > KLAT_PCI_SAVED_REGS);
	for (i = 0; i < nr_saved(pci); i++)
		pci->saved[i] = klat_pci_read(pci, saved_regs[i]);
	klat_pci_write(pci, IGB_GPIE, IGB_GPIE_MULTIPLE_MSIX | IGB_GPIE_PBA |
				      IGB_GPIE_EIAME | IGB_GPIE_NSICR);
	for (i = 1; i < nr_saved(pci); i++)
		klat_pci_write(pci, saved_regs[i], 0);
	klat_pci_write(pci, IGB_EIAC, IGB_VECTOR0);
}

static void igb_unmask(struct klat_pci *pci)
{
	/* a cause left set would swallow the next request: write 1 to clear */
	klat_pci_write(pci, IGB_EICR, IGB_ALL);
	klat_pci_write(pci, IGB_EIMS, IGB_VECTOR0);
	igb_flush(pci);
}

static void igb_disarm(struct klat_pci *pci)
{
	size_t i;

	klat_pci_write(pci, IGB_EICR, IGB_ALL);
	/* the mode last: the others can be written in this one only */
	for (i = nr_saved(pci); i-- > 0;)
		klat_pci_write(pci, saved_regs[i], pci->saved[i]);
	igb_flush(pci);
}

static bool igb_fact(struct klat_pci *pci, unsigned int i, struct klat_source_fact *fact)
{
	bool known = false;

	if (i)
		return false;
	fact->name = "throttle_us";
	rcu_read_lock();	/* remove() waits for us before it unmaps */
	if (!READ_ONCE(pci->gone)) {
		fact->effect = (klat_pci_read(pci, IGB_EITR0) & IGB_EITR_INTERVAL) >> 2;
		known = true;
	}
	rcu_read_unlock();
	return known;
}

const struct klat_pci_model klat_igb_model = {
	.name = "igb",
	.ids = igb_ids,
	.irq_types = PCI_IRQ_MSIX,
	.request_reg = IGB_EICS,
	.request_value = IGB_VECTOR0,
	.flush_reg = IGB_STATUS,
	.quiesce = igb_quiesce,
	.arm = igb_arm,
	.disarm = igb_disarm,
	.mask = igb_mask,
	.unmask = igb_unmask,
	.fact = igb_fact,
};
