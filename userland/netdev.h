/* SPDX-License-Identifier: GPL-2.0 */
/* The network interface of a PCI device, and what it is used for. */
#ifndef KLAT_NETDEV_H
#define KLAT_NETDEV_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

#include "rtnl.h"
#include "strlist.h"

#define MAC_TEXT	64

/**
 * struct netdev - an interface
 * @name: "" if the device has none that we can see
 * @elsewhere: it is in a network namespace other than ours
 * @carrier: -1 if it is not known, as of an interface that is down
 * @mac_set: by an administrator; otherwise it comes back by itself
 * @master: what it is a port of, "" for nothing, and of which @kind that is
 * @uppers: what stands on it, as in "VLAN eno1.5"
 * @addresses: without those that IPv6 makes by itself
 * @routes: without those that an address brings
 */
struct netdev {
	char name[IFNAMSIZ];
	int index;
	bool elsewhere;
	bool up;
	int carrier;
	char operstate[16];
	char mac[MAC_TEXT];
	bool mac_set;
	unsigned int mtu;
	char master[IFNAMSIZ];
	const char *kind;
	struct strlist uppers;
	struct strlist addresses;
	struct strlist routes;
	bool default_route;
};

bool netdev_find(const char *device_dir, char name[IFNAMSIZ]);
void netdev_read(struct netdev *n, const char *device_dir, const struct rtnl *rtnl);
void netdev_free(struct netdev *n);
void netdev_uses(const struct netdev *n, struct strlist *uses);
void netdev_summary(const struct netdev *n, char *buf, size_t len);

#endif
