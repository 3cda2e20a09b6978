// SPDX-License-Identifier: GPL-2.0
/* The PCI devices that klat knows by their ids; the ids are those of drivers/source. */
#include <stddef.h>
#include <string.h>

#include "models.h"

#define INTEL	0x8086
#define QEMU	0x1234

static const struct pci_model models[] = {
	{ INTEL, 0x1533, "I210", "igb", "igb", false },
	{ INTEL, 0x1534, "I210", "igb", "igb", false },
	{ INTEL, 0x1535, "I210", "igb", "igb", false },
	{ INTEL, 0x1536, "I210", "igb", "igb", false },
	{ INTEL, 0x1537, "I210", "igb", "igb", false },
	{ INTEL, 0x1538, "I210", "igb", "igb", false },
	{ INTEL, 0x157b, "I210", "igb", "igb", false },
	{ INTEL, 0x157c, "I210", "igb", "igb", false },
	{ INTEL, 0x15f6, "I210", "igb", "igb", false },
	{ INTEL, 0x1531, "I210", "igb", "igb", true },
	{ INTEL, 0x1539, "I211", "igb", "igb", false },
	{ INTEL, 0x1532, "I211", "igb", "igb", true },
	{ INTEL, 0x10c9, "82576", "igb", "igb", false },
	{ INTEL, 0x15f2, "I225", "igc", "igc", false },
	{ INTEL, 0x15f3, "I225", "igc", "igc", false },
	{ INTEL, 0x15f8, "I225", "igc", "igc", false },
	{ INTEL, 0x3100, "I225", "igc", "igc", false },
	{ INTEL, 0x3101, "I225", "igc", "igc", false },
	{ INTEL, 0x5502, "I225", "igc", "igc", false },
	{ INTEL, 0x0d9f, "I225", "igc", "igc", false },
	{ INTEL, 0x125b, "I226", "igc", "igc", false },
	{ INTEL, 0x125c, "I226", "igc", "igc", false },
	{ INTEL, 0x125d, "I226", "igc", "igc", false },
	{ INTEL, 0x3102, "I226", "igc", "igc", false },
	{ INTEL, 0x5503, "I226", "igc", "igc", false },
	{ INTEL, 0x10d3, "82574", "e1000e", "e1000e", false },
	{ INTEL, 0x10f6, "82574", "e1000e", "e1000e", false },
	{ QEMU, 0x11e8, "QEMU edu", "edu", "", false },
};

/* Their PCI drivers have the modules' names */
static const char *const klat_drivers[] = { "msi_lat", "msi_jitter", "mmio_latency" };

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* NULL for what klat cannot measure */
const struct pci_model *model_find(uint16_t vendor, uint16_t device)
{
	for (size_t i = 0; i < COUNT(models); i++)
		if (models[i].vendor == vendor && models[i].device == device)
			return &models[i];
	return NULL;
}

bool model_is_klat_driver(const char *driver)
{
	for (size_t i = 0; i < COUNT(klat_drivers); i++)
		if (!strcmp(klat_drivers[i], driver))
			return true;
	return false;
}
