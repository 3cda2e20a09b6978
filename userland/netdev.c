// SPDX-License-Identifier: GPL-2.0
/* The network interface of a PCI device, and what it is used for. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netdev.h"
#include "sysfs.h"

#define ADDRESS_SET	3	/* NET_ADDR_SET of <linux/netdevice.h> */

/* False if the device in @device_dir has no interface that can be seen here */
bool netdev_find(const char *device_dir, char name[IFNAMSIZ])
{
	struct dirent *entry;
	char path[PATH_MAX];
	DIR *dir;

	name[0] = '\0';
	snprintf(path, sizeof(path), "%s/net", device_dir);
	dir = opendir(path);
	while (dir && !*name && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strlen(entry->d_name) < IFNAMSIZ)
			strcpy(name, entry->d_name);
	if (dir)
		closedir(dir);
	return *name;
}

static const char *kind_of_master(const char *path)
{
	static const struct {
		const char *sign;
		const char *kind;
	} kinds[] = {
		{ "bonding", "bond" },
		{ "bridge", "bridge" },
	};
	char sign[PATH_MAX + 32];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(sign, sizeof(sign), "%s/master/%s", path, kinds[i].sign);
		if (!access(sign, F_OK))
			return kinds[i].kind;
	}
	return "interface";
}

static const char *kind_of_upper(const char *path, const char *link)
{
	static const struct {
		const char *type;
		const char *kind;
	} kinds[] = {
		{ "DEVTYPE=vlan\n", "VLAN" },
		{ "DEVTYPE=macvlan\n", "macvlan" },
	};
	char line[64], name[PATH_MAX + NAME_MAX + 16];
	const char *kind = "interface";
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s/uevent", path, link);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (!strcmp(line, kinds[i].type))
				kind = kinds[i].kind;
	if (file)
		fclose(file);
	return kind;
}

static void read_uppers(struct netdev *n, const char *path)
{
	const char *prefix = "upper_";
	struct dirent *entry;
	DIR *dir = opendir(path);

	if (sysfs_link(n->master, sizeof(n->master), "%s/master", path))
		n->kind = kind_of_master(path);
	while (dir && (entry = readdir(dir))) {
		const char *upper = entry->d_name + strlen(prefix);

		if (strncmp(entry->d_name, prefix, strlen(prefix)) || !strcmp(upper, n->master))
			continue;
		strlist_add(&n->uppers, "%s %s", kind_of_upper(path, entry->d_name), upper);
	}
	if (dir)
		closedir(dir);
}

static long read_number(const char *path, const char *name, int base, long otherwise)
{
	char line[64], *end;
	long value;

	if (!sysfs_line(line, sizeof(line), "%s/%s", path, name))
		return otherwise;
	value = strtol(line, &end, base);
	return end == line ? otherwise : value;
}

static void read_link(struct netdev *n, const char *path)
{
	n->index = (int)read_number(path, "ifindex", 10, 0);
	n->up = read_number(path, "flags", 16, 0) & IFF_UP;
	n->carrier = (int)read_number(path, "carrier", 10, -1);
	n->mtu = (unsigned int)read_number(path, "mtu", 10, 0);
	n->mac_set = read_number(path, "addr_assign_type", 10, 0) == ADDRESS_SET;
	sysfs_line(n->operstate, sizeof(n->operstate), "%s/operstate", path);
	sysfs_line(n->mac, sizeof(n->mac), "%s/address", path);
}

static void read_addresses(struct netdev *n, const struct rtnl *rtnl)
{
	const struct nlmsghdr *msg = NULL;
	char text[64];

	while ((msg = rtnl_next(&rtnl->addresses, msg))) {
		if (!rtnl_address_is_of(msg, n->index))
			continue;
		rtnl_address_print(msg, text, sizeof(text));
		strlist_add(&n->addresses, "%s", text);
	}
}

static void read_routes(struct netdev *n, const struct rtnl *rtnl)
{
	const struct nlmsghdr *msg = NULL;
	char text[64];

	while ((msg = rtnl_next(&rtnl->routes, msg))) {
		if (!rtnl_route_is_of(msg, n->index))
			continue;
		rtnl_route_print(msg, text, sizeof(text));
		strlist_add(&n->routes, "%s", text);
		n->default_route |= rtnl_route_is_default(msg);
	}
}

void netdev_read(struct netdev *n, const char *device_dir, const struct rtnl *rtnl)
{
	char path[PATH_MAX];

	memset(n, 0, sizeof(*n));
	n->kind = "";
	n->carrier = -1;
	if (!netdev_find(device_dir, n->name))
		return;
	snprintf(path, sizeof(path), "%s/net/%s", device_dir, n->name);
	read_link(n, path);
	read_uppers(n, path);
	/* sysfs shows the namespace that it was mounted in, which need not be ours */
	n->elsewhere = !rtnl_has_link(rtnl, n->index);
	read_addresses(n, rtnl);
	read_routes(n, rtnl);
}

void netdev_free(struct netdev *n)
{
	strlist_free(&n->uppers);
	strlist_free(&n->addresses);
	strlist_free(&n->routes);
}

/* Why the interface must not vanish, one reason an item, the gravest first */
void netdev_uses(const struct netdev *n, struct strlist *uses)
{
	if (n->elsewhere) {
		strlist_add(uses, "%s is in another network namespace", n->name);
		return;
	}
	if (n->default_route)
		strlist_add(uses, "%s carries the default route", n->name);
	for (size_t i = 0; i < n->routes.nr; i++)
		if (strcmp(n->routes.items[i], "default"))
			strlist_add(uses, "%s carries the route to %s", n->name,
				    n->routes.items[i]);
	for (size_t i = 0; i < n->addresses.nr; i++)
		strlist_add(uses, "%s has the address %s", n->name, n->addresses.items[i]);
	if (*n->master)
		strlist_add(uses, "%s is a port of %s %s", n->name, n->kind, n->master);
	for (size_t i = 0; i < n->uppers.nr; i++)
		strlist_add(uses, "%s carries %s", n->name, n->uppers.items[i]);
}

void netdev_summary(const struct netdev *n, char *buf, size_t len)
{
	snprintf(buf, len, "%s %s%s", n->name, n->up ? "up" : "down",
		 !n->up || n->carrier < 0 ? "" : n->carrier ? ", carrier" : ", no carrier");
}
