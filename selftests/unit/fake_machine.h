/* SPDX-License-Identifier: GPL-2.0 */
/* A machine as a tree of sysfs and messages of rtnetlink, for the tool to read. */
#ifndef KLAT_UNIT_FAKE_MACHINE_H
#define KLAT_UNIT_FAKE_MACHINE_H

#include <stdint.h>

#include "inventory.h"

#define CONFIG_SIZE	256

/* What a device's resource file has for one region */
struct fake_region {
	uint64_t start;
	uint64_t size;
	uint64_t flags;		/* of <linux/ioport.h> */
};

/**
 * struct fake_device - a PCI device
 * @config: the configuration space beyond ids and class
 * @regions: six BARs and the ROM
 * @driver: NULL for none; @override: as sysfs prints it
 * @netdev: NULL for none; @index: of it; @up: it is
 */
struct fake_device {
	const char *bdf;
	uint16_t vendor;
	uint16_t device;
	uint16_t class;
	int irq;
	uint8_t config[CONFIG_SIZE];
	struct fake_region regions[7];
	const char *driver;
	const char *override;
	const char *netdev;
	int index;
	bool up;
};

struct fake_machine {
	char sys[64];
	struct inventory inv;
};

int machine_setup(void **state);
int machine_teardown(void **state);
void machine_add(struct fake_machine *m, const struct fake_device *dev);
__attribute__((format(printf, 4, 5)))
void machine_bytes(struct fake_machine *m, const void *data, size_t len, const char *format, ...);
__attribute__((format(printf, 3, 4)))
void machine_file(struct fake_machine *m, const char *text, const char *format, ...);
__attribute__((format(printf, 3, 4)))
void machine_link(struct fake_machine *m, const char *target, const char *format, ...);
__attribute__((format(printf, 4, 5)))
void machine_read_file(struct fake_machine *m, char *buf, size_t len, const char *format, ...);
void machine_add_address(struct fake_machine *m, int index, const char *address, int prefix);
void machine_add_route(struct fake_machine *m, int index, const char *to, int prefix,
		       int protocol);
void machine_add_route_with(struct fake_machine *m, int index, const char *to, int prefix,
			    int protocol, unsigned int flags, size_t padding);
void machine_scan(struct fake_machine *m, const char *only);
const struct pci_device *machine_device(struct fake_machine *m, const char *bdf);

void config_put(uint8_t *config, unsigned int at, unsigned int bytes, uint32_t value);

#endif
