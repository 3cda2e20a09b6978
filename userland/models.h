/* SPDX-License-Identifier: GPL-2.0 */
/* The PCI devices that klat knows by their ids. */
#ifndef KLAT_MODELS_H
#define KLAT_MODELS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pci_model - devices of one id
 * @family: what people call it
 * @source: of the modules, which measures it
 * @driver: its ordinary driver, "" if there is none
 * @blank: its NVM was never programmed: it is named, but not used
 */
struct pci_model {
	uint16_t vendor;
	uint16_t device;
	const char *family;
	const char *source;
	const char *driver;
	bool blank;
};

const struct pci_model *model_find(uint16_t vendor, uint16_t device);
bool model_is_klat_driver(const char *driver);

#endif
