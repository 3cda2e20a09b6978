// SPDX-License-Identifier: GPL-2.0
/* An interface that came back is made what it was. */
#include <errno.h>
#include <limits.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netdev_restore.h"
#include "wait.h"

#define APPEARS_MS	10000	/* a driver's probe and the kernel's registration */
#define RENAMES_MS	2000	/* udev's part */

/* @msg as hexadecimal; false if it is longer than any that we expect */
static bool add_message(struct strlist *list, const struct nlmsghdr *msg)
{
	const unsigned char *bytes = (const unsigned char *)msg;
	char text[2 * MESSAGE_MAX + 1];

	if (msg->nlmsg_len > MESSAGE_MAX)
		return false;
	for (size_t i = 0; i < msg->nlmsg_len; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	strlist_add(list, "%s", text);
	return true;
}

static bool read_message(const char *text, char *buf)
{
	struct nlmsghdr *msg = (struct nlmsghdr *)buf;
	size_t len = strlen(text) / 2;

	if (len < sizeof(*msg) || len > MESSAGE_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		unsigned int byte;

		if (sscanf(text + 2 * i, "%2x", &byte) != 1)
			return false;
		buf[i] = (char)byte;
	}
	return msg->nlmsg_len == len;
}

static void remember_routes(struct taken *t, const struct netdev *n, const struct rtnl *rtnl)
{
	const struct nlmsghdr *msg = NULL;
	char text[64];

	while ((msg = rtnl_next(&rtnl->routes, msg))) {
		const struct rtmsg *head = NLMSG_DATA(msg);

		if (!rtnl_route_is_of(msg, n->index))
			continue;
		/* a router's advertisement will bring it again */
		if (head->rtm_protocol == RTPROT_RA)
			continue;
		rtnl_route_print(msg, text, sizeof(text));
		if (!rtnl_attribute(msg, sizeof(*head), RTA_OIF))
			strlist_add(&t->lost, "the route to %s over several interfaces", text);
		else if (!add_message(&t->routes, msg))
			strlist_add(&t->lost, "the route to %s: %u bytes", text, msg->nlmsg_len);
	}
}

static void remember_addresses(struct taken *t, const struct netdev *n, const struct rtnl *rtnl)
{
	const struct nlmsghdr *msg = NULL;
	char text[64];

	while ((msg = rtnl_next(&rtnl->addresses, msg))) {
		const struct ifaddrmsg *head = NLMSG_DATA(msg);

		if (!rtnl_address_is_of(msg, n->index))
			continue;
		/* the kernel makes temporary ones anew */
		if (head->ifa_family == AF_INET6 && head->ifa_flags & IFA_F_TEMPORARY)
			continue;
		rtnl_address_print(msg, text, sizeof(text));
		if (!add_message(&t->addresses, msg))
			strlist_add(&t->lost, "the address %s: %u bytes", text, msg->nlmsg_len);
	}
}

/* What netdev_restore() will need, and what it cannot do */
void netdev_remember(struct taken *t, const struct netdev *n, const struct rtnl *rtnl)
{
	if (!*n->name)
		return;
	if (n->elsewhere) {
		strlist_add(&t->lost, "%s in its network namespace", n->name);
		return;
	}
	snprintf(t->interface, sizeof(t->interface), "%s", n->name);
	snprintf(t->mac, sizeof(t->mac), "%s", n->mac);
	t->mac_set = n->mac_set;
	t->mtu = n->mtu;
	t->up = n->up;
	remember_addresses(t, n, rtnl);
	remember_routes(t, n, rtnl);
	if (*n->master)
		strlist_add(&t->lost, "%s as a port of %s %s", n->name, n->kind, n->master);
	for (size_t i = 0; i < n->uppers.nr; i++)
		strlist_add(&t->lost, "%s on %s", n->uppers.items[i], n->name);
}

struct interface_wait {
	char dir[PATH_MAX];
	const char *wanted;	/* NULL: any name will do */
	char name[IFNAMSIZ];
};

static bool interface_is_there(void *context)
{
	struct interface_wait *w = context;

	return netdev_find(w->dir, w->name) && (!w->wanted || !strcmp(w->name, w->wanted));
}

static int change(unsigned long request, struct ifreq *req)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;

	if (fd < 0)
		return -errno;
	ret = ioctl(fd, request, req) ? -errno : 0;
	close(fd);
	return ret;
}

static void complain(struct strlist *said, const char *what, const char *name, int ret)
{
	if (ret)
		strlist_add(said, "%s of %s was not put back: %s", what, name, strerror(-ret));
}

static int set_up(const char *name, bool up)
{
	struct ifreq req = { 0 };
	int ret;

	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", name);
	ret = change(SIOCGIFFLAGS, &req);
	if (ret)
		return ret;
	if (up)
		req.ifr_flags |= IFF_UP;
	else
		req.ifr_flags &= ~IFF_UP;
	return change(SIOCSIFFLAGS, &req);
}

/* Kernels before 6.2 rename an interface only when it is down */
static int set_name(const char *name, const char *wanted)
{
	struct ifreq req = { 0 };
	int ret = set_up(name, false);

	if (ret)
		return ret;
	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", name);
	snprintf(req.ifr_newname, sizeof(req.ifr_newname), "%s", wanted);
	return change(SIOCSIFNAME, &req);
}

static int set_mtu(const char *name, unsigned int mtu)
{
	struct ifreq req = { .ifr_mtu = (int)mtu };

	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", name);
	return change(SIOCSIFMTU, &req);
}

static int set_mac(const char *name, const char *mac)
{
	struct ifreq req = { .ifr_hwaddr.sa_family = ARPHRD_ETHER };
	unsigned int byte[6];

	if (sscanf(mac, "%x:%x:%x:%x:%x:%x", &byte[0], &byte[1], &byte[2], &byte[3], &byte[4],
		   &byte[5]) != 6)
		return -EINVAL;
	for (int i = 0; i < 6; i++)
		req.ifr_hwaddr.sa_data[i] = (char)byte[i];
	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", name);
	return change(SIOCSIFHWADDR, &req);
}

static void put_name_back(const struct taken *t, struct interface_wait *w, struct strlist *said)
{
	int ret;

	w->wanted = t->interface;
	if (wait_for(interface_is_there, w,
		     access("/run/udev/control", F_OK) ? 0 : RENAMES_MS))
		return;
	ret = set_name(w->name, t->interface);
	if (ret)
		strlist_add(said, "%s is now called %s: %s", t->interface, w->name, strerror(-ret));
	else
		snprintf(w->name, sizeof(w->name), "%s", t->interface);
}

static void put_address_back(const char *text, int index, struct strlist *said)
{
	char buf[MESSAGE_MAX] __attribute__((aligned(NLMSG_ALIGNTO))), words[64];
	struct nlmsghdr *msg = (struct nlmsghdr *)buf;
	struct ifaddrmsg *head = NLMSG_DATA(msg);

	if (!read_message(text, buf)) {
		strlist_add(said, "lost: an address that is not to be understood: %s", text);
		return;
	}
	head->ifa_index = (unsigned int)index;
	rtnl_address_print(msg, words, sizeof(words));
	complain(said, "address", words, rtnl_send(msg));
}

/* The route as it was, over the interface @index; false if @text is none */
bool netdev_route(const char *text, int index, char *buf)
{
	struct nlmsghdr *msg = (struct nlmsghdr *)buf;
	struct rtmsg *head = NLMSG_DATA(msg);
	struct rtattr *oif;

	if (!read_message(text, buf))
		return false;
	oif = (struct rtattr *)rtnl_attribute(msg, sizeof(*head), RTA_OIF);
	if (!oif)
		return false;
	*(int *)RTA_DATA(oif) = index;
	/* the others say in what state it is */
	head->rtm_flags &= RTNH_F_ONLINK;
	return true;
}

/* @gateways: routes that need others, otherwise those that need none */
static void put_route_back(const char *text, int index, bool gateways, struct strlist *said)
{
	char buf[MESSAGE_MAX] __attribute__((aligned(NLMSG_ALIGNTO))), words[64];
	struct nlmsghdr *msg = (struct nlmsghdr *)buf;

	if (!netdev_route(text, index, buf)) {
		if (!gateways)
			strlist_add(said, "lost: a route that is not to be understood: %s", text);
		return;
	}
	if (gateways != !!rtnl_attribute(msg, sizeof(struct rtmsg), RTA_GATEWAY))
		return;
	rtnl_route_print(msg, words, sizeof(words));
	complain(said, "route", words, rtnl_send(msg));
}

static void put_network_back(const struct taken *t, const char *name, struct strlist *said)
{
	int index = (int)if_nametoindex(name);

	for (size_t i = 0; i < t->addresses.nr; i++)
		put_address_back(t->addresses.items[i], index, said);
	for (int gateways = 0; gateways < 2; gateways++)
		for (size_t i = 0; i < t->routes.nr; i++)
			put_route_back(t->routes.items[i], index, gateways, said);
}

/* Waits for the interface, and says what could not be put back */
void netdev_restore(const struct taken *t, const char *sys, struct strlist *said)
{
	struct interface_wait w = { 0 };

	for (size_t i = 0; i < t->lost.nr; i++)
		strlist_add(said, "%s: lost: %s", t->bdf, t->lost.items[i]);
	if (!*t->interface)
		return;
	snprintf(w.dir, sizeof(w.dir), "%s/bus/pci/devices/%s", sys, t->bdf);
	if (!wait_for(interface_is_there, &w, APPEARS_MS)) {
		strlist_add(said, "%s: %s did not come back", t->bdf, t->interface);
		return;
	}
	put_name_back(t, &w, said);
	if (t->mac_set)
		complain(said, "MAC address", w.name, set_mac(w.name, t->mac));
	complain(said, "MTU", w.name, set_mtu(w.name, t->mtu));
	complain(said, "state", w.name, set_up(w.name, t->up));
	put_network_back(t, w.name, said);
}
