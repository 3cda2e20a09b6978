/* SPDX-License-Identifier: GPL-2.0 */
/* What `klat devices` says. */
#ifndef KLAT_DEVICES_H
#define KLAT_DEVICES_H

#include <stdio.h>

#include "inventory.h"

/**
 * struct devices - the devices, and what killed klats left
 * @inv: those that are shown
 * @chosen: what is measured where no address is given, "" if that takes a choice
 * @taken: addresses of devices that a klat has taken, or had taken when it was killed
 */
struct devices {
	struct inventory inv;
	char chosen[PCI_ADDRESS_LEN];
	struct strlist taken;
};

void devices_text(const struct devices *d, FILE *to);
void devices_json(const struct devices *d, FILE *to);

#endif
