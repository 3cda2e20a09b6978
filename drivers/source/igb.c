// SPDX-License-Identifier: GPL-2.0
/*
 * Pages are those of the I210 datasheet, revision 3.7.
 *
 * Vector 0 is raised through EICS. With auto-clear (EIAC) the cause goes when
 * the message is sent, so the handler need not touch the device. Auto-mask
 * (EIAM) is left unused: nothing would be gained, and emulators do not have it.
 */
#include "igb.h"
#include "igb_regs.h"
#include "igb_timer.h"

/* What arm() changes and disarm() puts back; GPIE first: others depend on it */
static const u32 saved_regs[] = {
	IGB_GPIE, IGB_EITR0, IGB_EIAC, IGB_EIAM, IGB_IVAR_MISC,
	IGB_IVAR0, IGB_IVAR0 + 4, IGB_IVAR0 + 8, IGB_IVAR0 + 12,
	IGB_IVAR0 + 16, IGB_IVAR0 + 20, IGB_IVAR0 + 24, IGB_IVAR0 + 28,
};

/* The 82576 has all IVARs, for 16 queues; the others two, and nothing after them */
#define IGB_82576		0x10c9
#define IGB_I211		0x1539
#define SAVED_REGS_TWO_IVARS	7

static const struct klat_igb_family igb_family = {
	.icr = 0x00c0,
	.ims = 0x00d0,
	.imc = 0x00d8,
};

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
	{ PCI_VDEVICE(INTEL, IGB_I211) },	/* I211 */
	{ PCI_VDEVICE(INTEL, IGB_82576) },	/* QEMU's igb */
	{ }
};

static void igb_flush(struct klat_pci *pci)
{
	klat_pci_read(pci, IGB_STATUS);
}

void klat_igb_mask(struct klat_pci *pci)
{
	klat_pci_write(pci, klat_igb_family(pci)->imc, IGB_ALL);
	klat_pci_write(pci, IGB_EIMC, IGB_ALL);
	igb_flush(pci);
}

void klat_igb_quiesce(struct klat_pci *pci)
{
	klat_igb_mask(pci);
	klat_pci_write(pci, IGB_RCTL, klat_pci_read(pci, IGB_RCTL) & ~IGB_RCTL_EN);
	klat_pci_write(pci, IGB_TCTL, klat_pci_read(pci, IGB_TCTL) & ~IGB_TCTL_EN);
	igb_flush(pci);
}

static size_t nr_saved(struct klat_pci *pci)
{
	return pci->pdev->device == IGB_82576 ? ARRAY_SIZE(saved_regs) : SAVED_REGS_TWO_IVARS;
}

/*
 * A former driver leaves throttling (162 us after igb), causes, auto-clear and
 * the assignment of causes to vectors behind, and no reset touches them (p. 418,
 * 427): all are set by hand. The mode goes first or the rest does not stick
 * (p. 325).
 */
void klat_igb_arm(struct klat_pci *pci)
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

void klat_igb_unmask(struct klat_pci *pci)
{
	/* a cause left set would swallow the next request: write 1 to clear */
	klat_pci_write(pci, IGB_EICR, IGB_ALL);
	klat_pci_write(pci, IGB_EIMS, IGB_VECTOR0);
	igb_flush(pci);
}

void klat_igb_disarm(struct klat_pci *pci)
{
	size_t i;

	klat_igb_timer_stop(pci);
	klat_pci_write(pci, IGB_EICR, IGB_ALL);
	/* the mode last: the others can be written in this one only */
	for (i = nr_saved(pci); i-- > 0;)
		klat_pci_write(pci, saved_regs[i], pci->saved[i]);
	igb_flush(pci);
}

bool klat_igb_fact(struct klat_pci *pci, unsigned int i, struct klat_source_fact *fact)
{
	bool known = false;

	if (i == 1 && pci->timer.active) {
		fact->name = "clock_read_ns";
		fact->is_asked = false;
		fact->effect = pci->timer.reading_ns;
		return true;
	}
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

/* Those of the I210 alone: of the others' no documentation was at hand */
static int igb_timer_start(struct klat_pci *pci, enum klat_source_timer timer,
			   u64 period_ns, struct klat_refusal *refusal)
{
	if (pci->pdev->device == IGB_82576 || pci->pdev->device == IGB_I211)
		return -EOPNOTSUPP;
	return klat_igb_timer_start(pci, timer, period_ns, refusal);
}

const struct klat_pci_model klat_igb_model = {
	.name = "igb",
	.devices = "I210, I211, 82576",
	.ids = igb_ids,
	.family = &igb_family,
	KLAT_IGB_MODEL,
	.timer_start = igb_timer_start,
};
