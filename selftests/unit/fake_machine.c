// SPDX-License-Identifier: GPL-2.0
/* A machine as a tree of sysfs and messages of rtnetlink, for the tool to read. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_machine.h"
#include "unit.h"

#define PATH_LEN	256

struct message {
	struct nlmsghdr head;
	char rest[4096];
};

int machine_setup(void **state)
{
	struct fake_machine *m = calloc(1, sizeof(*m));

	if (!m)
		return -1;
	snprintf(m->sys, sizeof(m->sys), "/tmp/klat-unit-XXXXXX");
	if (!mkdtemp(m->sys))
		return -1;
	m->inv.sys = m->sys;
	machine_file(m, "", "class/net/.keep");
	machine_file(m, "", "bus/pci/devices/.keep");
	*state = m;
	return 0;
}

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
		      struct FTW *ftw UNUSED)
{
	return remove(path);
}

int machine_teardown(void **state)
{
	struct fake_machine *m = *state;

	inventory_free(&m->inv);
	nftw(m->sys, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(m);
	return 0;
}

static void make_dirs(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static void write_file(struct fake_machine *m, const char *name, const void *data, size_t len)
{
	char path[PATH_LEN];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", m->sys, name);
	make_dirs(path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

void machine_bytes(struct fake_machine *m, const void *data, size_t len, const char *format, ...)
{
	char name[PATH_LEN / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	write_file(m, name, data, len);
}

void machine_file(struct fake_machine *m, const char *text, const char *format, ...)
{
	char name[PATH_LEN / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	write_file(m, name, text, strlen(text));
}

void machine_link(struct fake_machine *m, const char *target, const char *format, ...)
{
	char name[PATH_LEN / 2], path[PATH_LEN];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "%s/%s", m->sys, name);
	make_dirs(path);
	assert_int_equal(symlink(target, path), 0);
}

void machine_read_file(struct fake_machine *m, char *buf, size_t len, const char *format, ...)
{
	char name[PATH_LEN / 2], path[PATH_LEN];
	va_list args;
	ssize_t got;
	int fd;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "%s/%s", m->sys, name);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	got = read(fd, buf, len - 1);
	assert_true(got >= 0);
	buf[got] = '\0';
	close(fd);
}

void config_put(uint8_t *config, unsigned int at, unsigned int bytes, uint32_t value)
{
	for (unsigned int i = 0; i < bytes; i++)
		config[at + i] = (uint8_t)(value >> 8 * i);
}

static void add_config(struct fake_machine *m, const struct fake_device *dev)
{
	uint8_t config[CONFIG_SIZE];
	char name[PATH_LEN / 2];

	memcpy(config, dev->config, sizeof(config));
	config_put(config, 0x00, 2, dev->vendor);
	config_put(config, 0x02, 2, dev->device);
	config_put(config, 0x0a, 2, dev->class);
	snprintf(name, sizeof(name), "bus/pci/devices/%s/config", dev->bdf);
	write_file(m, name, config, sizeof(config));
}

static void add_resource(struct fake_machine *m, const struct fake_device *dev)
{
	char text[1024] = "";

	for (unsigned int i = 0; i < 7; i++) {
		const struct fake_region *r = &dev->regions[i];
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "0x%016llx 0x%016llx 0x%016llx\n",
			 (unsigned long long)r->start,
			 (unsigned long long)(r->size ? r->start + r->size - 1 : 0),
			 (unsigned long long)r->flags);
	}
	machine_file(m, text, "bus/pci/devices/%s/resource", dev->bdf);
}

static void add_number(struct fake_machine *m, const char *bdf, const char *name,
		       const char *format, unsigned int value)
{
	char text[32];

	snprintf(text, sizeof(text), format, value);
	machine_file(m, text, "bus/pci/devices/%s/%s", bdf, name);
}

static void add_link(struct fake_machine *m, int index)
{
	struct message msg = {
		.head.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
		.head.nlmsg_type = RTM_NEWLINK,
	};

	((struct ifinfomsg *)NLMSG_DATA(&msg.head))->ifi_index = index;
	rtnl_add(&m->inv.rtnl.links, &msg.head);
}

static void add_netdev(struct fake_machine *m, const struct fake_device *dev)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "%s/net/%s", dev->bdf, dev->netdev);
	add_number(m, dir, "ifindex", "%u\n", (unsigned int)dev->index);
	add_number(m, dir, "flags", "0x%x\n", dev->up ? 0x1003 : 0x1002);
	add_number(m, dir, "mtu", "%u\n", 1500);
	machine_file(m, dev->up ? "up\n" : "down\n", "bus/pci/devices/%s/operstate", dir);
	machine_file(m, "52:54:00:12:34:56\n", "bus/pci/devices/%s/address", dir);
	add_link(m, dev->index);
}

void machine_add(struct fake_machine *m, const struct fake_device *dev)
{
	char target[64];

	add_config(m, dev);
	add_resource(m, dev);
	add_number(m, dev->bdf, "vendor", "0x%04x\n", dev->vendor);
	add_number(m, dev->bdf, "device", "0x%04x\n", dev->device);
	add_number(m, dev->bdf, "class", "0x%04x00\n", dev->class);
	add_number(m, dev->bdf, "irq", "%u\n", (unsigned int)dev->irq);
	machine_file(m, "-1\n", "bus/pci/devices/%s/numa_node", dev->bdf);
	machine_file(m, dev->override ? dev->override : "(null)\n",
		     "bus/pci/devices/%s/driver_override", dev->bdf);
	if (dev->driver) {
		snprintf(target, sizeof(target), "../../drivers/%s", dev->driver);
		machine_link(m, target, "bus/pci/devices/%s/driver", dev->bdf);
		machine_file(m, "", "bus/pci/drivers/%s/bind", dev->driver);
		machine_file(m, "", "bus/pci/drivers/%s/unbind", dev->driver);
	}
	if (dev->netdev)
		add_netdev(m, dev);
}

static void add_attribute(struct nlmsghdr *msg, unsigned short type, const void *data, size_t len)
{
	struct rtattr *attr = (struct rtattr *)((char *)msg + NLMSG_ALIGN(msg->nlmsg_len));

	attr->rta_type = type;
	attr->rta_len = (unsigned short)RTA_LENGTH(len);
	memcpy(RTA_DATA(attr), data, len);
	msg->nlmsg_len = NLMSG_ALIGN(msg->nlmsg_len) + attr->rta_len;
}

/* Of both families; the number of bytes */
static size_t parse_ip(const char *text, unsigned char ip[16], unsigned char *family)
{
	*family = strchr(text, ':') ? AF_INET6 : AF_INET;
	assert_int_equal(inet_pton(*family, text, ip), 1);
	return *family == AF_INET ? 4 : 16;
}

void machine_add_address(struct fake_machine *m, int index, const char *address, int prefix)
{
	struct message msg = {
		.head.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifaddrmsg)),
		.head.nlmsg_type = RTM_NEWADDR,
	};
	struct ifaddrmsg *head = NLMSG_DATA(&msg.head);
	unsigned char ip[16];
	size_t len = parse_ip(address, ip, &head->ifa_family);

	head->ifa_prefixlen = (unsigned char)prefix;
	head->ifa_index = (unsigned int)index;
	if (!strncmp(address, "fe80:", 5))
		head->ifa_scope = RT_SCOPE_LINK;
	add_attribute(&msg.head, IFA_ADDRESS, ip, len);
	rtnl_add(&m->inv.rtnl.addresses, &msg.head);
}

/* @flags: RTNH_F_*; @padding: bytes of an attribute that nobody knows */
void machine_add_route_with(struct fake_machine *m, int index, const char *to, int prefix,
			    int protocol, unsigned int flags, size_t padding)
{
	static const char nothing[4000];
	struct message msg = {
		.head.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
		.head.nlmsg_type = RTM_NEWROUTE,
	};
	struct rtmsg *head = NLMSG_DATA(&msg.head);
	unsigned char ip[16];
	size_t len = parse_ip(to, ip, &head->rtm_family);

	head->rtm_dst_len = (unsigned char)prefix;
	head->rtm_type = RTN_UNICAST;
	head->rtm_protocol = (unsigned char)protocol;
	head->rtm_flags = flags;
	if (prefix)
		add_attribute(&msg.head, RTA_DST, ip, len);
	add_attribute(&msg.head, RTA_OIF, &index, sizeof(index));
	if (padding)
		add_attribute(&msg.head, RTA_UNSPEC, nothing, padding);
	rtnl_add(&m->inv.rtnl.routes, &msg.head);
}

void machine_add_route(struct fake_machine *m, int index, const char *to, int prefix,
		       int protocol)
{
	machine_add_route_with(m, index, to, prefix, protocol, 0, 0);
}

/* Reads it as klat does; @only: just that device, NULL: all that klat knows */
void machine_scan(struct fake_machine *m, const char *only)
{
	struct pci_address address;

	if (only)
		assert_true(pci_address_parse(only, &address));
	assert_true(inventory_scan(&m->inv, only ? &address : NULL));
}

const struct pci_device *machine_device(struct fake_machine *m, const char *bdf)
{
	for (size_t i = 0; i < m->inv.nr; i++)
		if (!strcmp(m->inv.devices[i].bdf, bdf))
			return &m->inv.devices[i];
	fail_msg("no device %s", bdf);
	return NULL;
}
