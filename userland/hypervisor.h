/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_HYPERVISOR_H
#define KLAT_HYPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct hypervisor - what stands between the kernel and the hardware
 * @present: something does
 * @emulator: it executes instructions in software
 * @name: its name
 */
struct hypervisor {
	bool present;
	bool emulator;
	char name[64];
};

void hypervisor_detect(struct hypervisor *hv);

#endif
