/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a device was before it was taken, in a file that outlives a killed klat.
 *
 * One file a device, in STATE_DIR. It is written before anything is changed and
 * removed when all is as before. Whoever has taken the device holds a lock on
 * the file, which the kernel drops with the process.
 */
#ifndef KLAT_STATE_H
#define KLAT_STATE_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

#include "inventory.h"
#include "strlist.h"

#define STATE_DIR	"/run/klat"

/**
 * struct taken - a device as it was found
 * @module: for which it is taken
 * @unload: that module was not loaded before
 * @driver: who had it, "" for nobody
 * @override: whom it was reserved for, "" for nobody
 * @interface: the name of its interface, "" if there was none in sight
 * @addresses: messages of rtnetlink that bring them back, in hexadecimal
 * @routes: likewise
 * @lost: what is not put back, in words
 */
struct taken {
	char bdf[PCI_ADDRESS_LEN];
	char module[DRIVER_LEN];
	bool unload;
	char driver[DRIVER_LEN];
	char override[DRIVER_LEN];
	char interface[IFNAMSIZ];
	char mac[MAC_TEXT];
	bool mac_set;
	unsigned int mtu;
	bool up;
	struct strlist addresses;
	struct strlist routes;
	struct strlist lost;
};

void taken_free(struct taken *t);

int state_write(const char *dir, const struct taken *t);
int state_open(const char *dir, const char *bdf);
int state_read(int fd, struct taken *t);
int state_remove(const char *dir, const char *bdf);
void state_list(const char *dir, struct strlist *bdfs);

#endif
