/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the sources that are PCI devices share: choosing the device, taking it
 * through the driver core, mapping it, its interrupt, its power states, and
 * putting all of it back.
 */
#ifndef KLAT_SOURCE_PCI_H
#define KLAT_SOURCE_PCI_H

#include <linux/mutex.h>
#include <linux/pci.h>

#include "pci_address.h"
#include "source.h"

struct klat_pci;

/* A family of devices that are asked for interrupts in the same way */
struct klat_pci_model {
	const char *name;		/* of the source */
	const char *devices;		/* for messages */
	const struct pci_device_id *ids;	/* zero at its end */
	const void *family;		/* the model's own */
	unsigned int irq_types;		/* PCI_IRQ_* */
	/* Registers, as offsets in BAR 0 */
	u32 request_reg;		/* a write of request_value asks */
	u32 request_value;
	u32 ready_reg;			/* not 0: a write of ready_value, ahead of each */
	u32 ready_value;		/* request, readies the device for it */
	u32 flush_reg;			/* a read without side effects */
	/* Makes the device silent: no DMA, no interrupts */
	void (*quiesce)(struct klat_pci *pci);
	/* Remembers the registers it changes, and readies the interrupt */
	void (*arm)(struct klat_pci *pci);
	/* Puts the remembered registers back; the device is still quiet */
	void (*disarm)(struct klat_pci *pci);
	/* Interrupts of the device off, and on with none pending */
	void (*mask)(struct klat_pci *pci);
	void (*unmask)(struct klat_pci *pci);
	/* As in klat_source_ops, for facts of the model; may be NULL */
	bool (*fact)(struct klat_pci *pci, unsigned int i, struct klat_source_fact *fact);
	/* As in klat_source_ops; NULL if no device of the model has a timer */
	int (*timer_start)(struct klat_pci *pci, enum klat_source_timer timer,
			   u64 period_ns, struct klat_refusal *refusal);
	bool (*timer_served)(struct klat_pci *pci, u64 stamp, struct klat_source_tick *tick);
};

#define KLAT_PCI_SAVED_REGS	16

#define KLAT_PCI_TIMER_SAVED_REGS	5

/* The device's clock, in its nanoseconds, while it keeps the cycle */
struct klat_pci_timer {
	enum klat_source_timer kind;
	bool active;
	u32 saved[KLAT_PCI_TIMER_SAVED_REGS];
	bool placed;	/* due is known */
	u64 period;
	u64 due;	/* the place of the interrupt to come */
	u32 skipped;	/* cycles before it that could not be met */
	u64 reading_ns;	/* how long reading the device's clock takes, the least */
};

/* A device while it is ours */
struct klat_pci {
	struct klat_source *source;
	const struct klat_pci_model *model;
	struct pci_dev *pdev;		/* the chosen one, referenced */
	struct pci_driver driver;
	void __iomem *bar;
	bool bound;			/* probe() succeeded and remove() is to come */
	/*
	 * Held over every access outside of the hot path, and while the interrupt
	 * is freed. Not device_lock(): who waits for that may hold up CPU hotplug,
	 * which waits for runs to end.
	 */
	struct mutex lock;
	bool gone;			/* no more access to the device */
	/* why probe() failed: the driver core keeps that to itself */
	int probe_error;
	struct klat_refusal *refusal;
	/* as found */
	u16 command;
	u16 aspm_device;
	u16 aspm_bridge;
	pci_power_t power;
	u32 saved[KLAT_PCI_SAVED_REGS];	/* the model's */
	struct klat_pci_timer timer;
};

const struct klat_pci_model *klat_pci_find_model(const char *name);
/* For messages: "igb, igc, ..." */
void klat_pci_model_names(char *list, size_t size);

/*
 * Finds the device and readies @source to open it: of model @name (NULL: any),
 * at @bdf ("": the only one that is free).
 */
int klat_pci_choose(struct klat_source *source, const char *name, const char *bdf,
		    struct klat_refusal *refusal);

static inline u32 klat_pci_read(struct klat_pci *pci, u32 reg)
{
	return readl(pci->bar + reg);
}

static inline void klat_pci_write(struct klat_pci *pci, u32 reg, u32 value)
{
	writel(value, pci->bar + reg);
}

#endif /* KLAT_SOURCE_PCI_H */
