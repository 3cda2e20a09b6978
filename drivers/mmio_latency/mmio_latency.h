/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mmio_latency: how long one read of a device register takes.
 *
 *   params.c    what insmod takes
 *   config.c    what KLAT_CONFIG takes; both end in struct klat_mmio_latency_config
 *   main.c      the module, and a run's start and stop
 *   device.c    the device that the register belongs to, and its coming and going
 *   reader.c    the thread that reads
 *   count.h     what is counted of each read
 *   text.c      /dev/mmio_latency, the text for people
 */
#ifndef KLAT_MMIO_LATENCY_H
#define KLAT_MMIO_LATENCY_H

#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <klat/mmio_latency.h>

#include "../core/bench.h"
#include "../core/watch.h"

#define MMIO_LATENCY_VERSION		"0.1"
#define MMIO_LATENCY_RING_DEFAULT	8192

/*
 * The device while a run reads from it. @lock is held during each burst, so
 * whoever has it knows that nobody reads. It is taken under bench->lock and
 * under device_lock(); neither is waited for while it is held.
 */
struct mmio_device {
	struct mutex lock;		/* while it is read from, and for who takes it away */
	struct pci_dev *pdev;		/* referenced; NULL: none is held */
	struct resource *region;	/* NULL: not ours, or a driver's */
	u8 __iomem *reg;
	u64 bar_value;			/* what the BAR's registers must read */
	u64 offset;			/* of the register in the BAR */
	unsigned int bar;
	char name[KLAT_NAME_LEN];	/* also when it is gone */
	bool taken;			/* mapped, and kept out of low power states */
	bool gone;			/* no more access to it */
	bool down;			/* nor to any: the system is shutting down */
	bool probing;			/* a driver is being tried: no access meanwhile */
	struct notifier_block bus_notifier;
	struct notifier_block reboot_notifier;
};

struct mmio_reading {
	u64 start;
	u64 end;
};

/* One kind of value, in ticks */
struct mmio_values {
	struct klat_series *series;
	u64 outlier;			/* what is longer is one */
	u64 outliers;
	/* what is longer is an outlier, or belongs on the worst list */
	u64 notable;
};

/* The reading thread's */
struct mmio_reader {
	struct task_struct *thread;
	struct mmio_values read;
	struct mmio_values gap;
	struct klat_ring *ring;
	u64 limit;			/* ticks, U64_MAX: none */
	u64 fired;
	u64 discarded;			/* read while the device may have been away */
	u64 last;			/* value that was read last */
	u64 value;			/* and last while the device was there */
	struct mmio_reading reading[KLAT_MMIO_LATENCY_BURST_MAX];
};

struct mmio_latency {
	struct klat_bench bench;
	struct klat_mmio_latency_config config;
	struct mmio_device device;
	struct miscdevice text;
	struct klat_watch watch;
	struct mmio_reader reader ____cacheline_aligned;
};

static inline struct mmio_latency *mmio_latency_of(struct klat_bench *bench)
{
	return container_of(bench, struct mmio_latency, bench);
}

/* params.c */
void mmio_latency_params(struct klat_mmio_latency_config *config);
enum klat_verbosity mmio_latency_param_verbosity(void);
bool mmio_latency_param_autostart(void);

/* config.c */
int mmio_latency_configure(struct klat_bench *bench, const void *config,
			   struct klat_refusal *refusal);
/* Is it said which register to read, in one way only? */
int mmio_latency_check_where(const struct klat_mmio_latency_config *config,
			     struct klat_refusal *refusal);

/* device.c */
int mmio_device_init(struct mmio_device *device);
void mmio_device_exit(struct mmio_device *device);
/* Finds the register of the configuration, and readies it to be read */
int mmio_device_hold(struct mmio_latency *mmio, struct klat_refusal *refusal);
void mmio_device_release(struct mmio_latency *mmio);
void mmio_device_settings(struct mmio_device *device, struct klat_settings *settings);
/* Why the register cannot be read now, NULL if it can; under device->lock */
const char *mmio_device_away(const struct mmio_device *device);

/* reader.c */
int mmio_latency_reader(void *arg);

/* text.c */
int mmio_latency_text_register(struct mmio_latency *mmio);
void mmio_latency_text_unregister(struct mmio_latency *mmio);

#endif /* KLAT_MMIO_LATENCY_H */
