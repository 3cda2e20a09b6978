// SPDX-License-Identifier: GPL-2.0
/* Which device is taken, which is not, and what is left of one that was. */
#include <errno.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "fake_machine.h"
#include "netdev_restore.h"
#include "restore.h"
#include "take.h"
#include "unit.h"
#include "wait.h"

#define ENO1	2
#define ENP3S0	3

/* In the place of the tool's: of what is waited for, nothing happens to files */
bool wait_for(bool (*is_so)(void *context), void *context, unsigned int ms UNUSED)
{
	return is_so(context);
}

static void add_nic(struct fake_machine *m, const char *bdf, const char *driver,
		    const char *override, const char *netdev, int index, bool up)
{
	const struct fake_device dev = {
		.bdf = bdf,
		.vendor = 0x8086,
		.device = 0x1533,
		.class = 0x0200,
		.driver = driver,
		.override = override,
		.netdev = netdev,
		.index = index,
		.up = up,
	};

	machine_add(m, &dev);
}

/* One carries the session, one is down, one is reserved for vfio-pci */
static void add_three(struct fake_machine *m)
{
	add_nic(m, "0000:02:00.0", "igb", "(null)\n", "eno1", ENO1, true);
	add_nic(m, "0000:03:00.0", "igb", "(null)\n", "enp3s0", ENP3S0, false);
	add_nic(m, "0000:04:00.0", NULL, "vfio-pci\n", NULL, 0, false);
	machine_add_route(m, ENO1, "0.0.0.0", 0, RTPROT_DHCP);
}

static int plan(struct fake_machine *m, struct take *take, const char *bdf, bool force,
		char *why, size_t len)
{
	const struct take_options opts = { .bdf = bdf, .force = force };

	machine_scan(m, *bdf ? bdf : NULL);
	why[0] = '\0';
	return take_plan_in(take, &m->inv, &opts, "auto", "msi_lat", why, len);
}

static void refused(struct fake_machine *m, const char *bdf, const char *reason)
{
	struct take take;
	char why[1024];

	assert_int_equal(plan(m, &take, bdf, false, why, sizeof(why)), -EINVAL);
	if (!strstr(why, reason))
		fail_msg("'%s' is not in '%s'", reason, why);
	assert_false(take.wanted);
	take_free(&take);
}

/* With @asked as --bdf @bdf is taken */
static void asked_taken(struct fake_machine *m, const char *asked, bool force, const char *bdf)
{
	struct take take;
	char why[1024];

	assert_int_equal(plan(m, &take, asked, force, why, sizeof(why)), 0);
	assert_true(take.wanted);
	assert_string_equal(take.state.bdf, bdf);
	take_free(&take);
}

static void taken(struct fake_machine *m, const char *bdf, bool force)
{
	asked_taken(m, bdf, force, bdf);
}

static void test_three(void **state)
{
	struct fake_machine *m = *state;
	const struct pci_device *chosen;

	add_three(m);
	machine_scan(m, NULL);
	assert_int_equal(machine_device(m, "0000:02:00.0")->use, DEVICE_IN_USE);
	assert_string_equal(machine_device(m, "0000:02:00.0")->override, "");
	assert_int_equal(machine_device(m, "0000:03:00.0")->use, DEVICE_IDLE);
	assert_int_equal(machine_device(m, "0000:04:00.0")->use, DEVICE_IN_USE);
	assert_int_equal(inventory_choose(&m->inv, "auto", &chosen), CHOICE_IDLE);
	assert_string_equal(chosen->bdf, "0000:03:00.0");
}

static void test_three_default(void **state)
{
	add_three(*state);
	asked_taken(*state, "", false, "0000:03:00.0");
}

static void test_one_up(void **state)
{
	struct fake_machine *m = *state;

	add_nic(m, "0000:03:00.0", "igb", NULL, "enp3s0", ENP3S0, true);
	refused(m, "", "0000:03:00.0 could be taken: say --bdf 0000:03:00.0");
}

static void test_default_route(void **state)
{
	add_three(*state);
	refused(*state, "0000:02:00.0", "0000:02:00.0: eno1 carries the default route");
}

static void test_reserved(void **state)
{
	add_three(*state);
	refused(*state, "0000:04:00.0", "reserved for driver vfio-pci");
}

static void test_idle(void **state)
{
	add_three(*state);
	taken(*state, "0000:03:00.0", false);
}

static void test_force(void **state)
{
	add_three(*state);
	taken(*state, "0000:02:00.0", true);
}

static void test_several(void **state)
{
	struct fake_machine *m = *state;

	add_nic(m, "0000:02:00.0", NULL, NULL, NULL, 0, false);
	add_nic(m, "0000:03:00.0", NULL, NULL, NULL, 0, false);
	refused(m, "", "name one with --bdf: 0000:02:00.0 (I210, free); 0000:03:00.0 (I210, free)");
}

static void test_one_free(void **state)
{
	struct fake_machine *m = *state;
	struct take take;
	char why[1024];

	add_three(m);
	add_nic(m, "0000:05:00.0", NULL, "(null)\n", NULL, 0, false);
	/* it need not be taken from anybody */
	assert_int_equal(plan(m, &take, "", false, why, sizeof(why)), 0);
	assert_false(take.wanted);
	take_free(&take);
}

static void test_none(void **state)
{
	struct fake_machine *m = *state;
	struct take take;
	char why[1024];

	add_nic(m, "0000:02:00.0", "igb", NULL, "eno1", ENO1, true);
	machine_add_address(m, ENO1, "192.0.2.1", 24);
	assert_int_equal(plan(m, &take, "", false, why, sizeof(why)), -ENODEV);
	assert_non_null(strstr(why, "eno1 has the address 192.0.2.1/24"));
	take_free(&take);
}

static void in_use(struct fake_machine *m, const char *reason)
{
	refused(m, "0000:02:00.0", reason);
}

static struct fake_machine *one_up(void **state)
{
	add_nic(*state, "0000:02:00.0", "igb", NULL, "eno1", ENO1, true);
	return *state;
}

/* Addresses and routes that every interface has by itself do not count */
static void test_up_unused(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_add_address(m, ENO1, "fe80::5054:ff:fe12:3456", 64);
	machine_add_route(m, ENO1, "fe80::", 64, RTPROT_KERNEL);
	machine_add_address(m, ENP3S0, "192.0.2.1", 24);
	machine_add_route(m, ENP3S0, "0.0.0.0", 0, RTPROT_STATIC);
	taken(m, "0000:02:00.0", false);
}

static void test_address_ipv4(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_add_address(m, ENO1, "169.254.3.4", 16);
	in_use(m, "eno1 has the address 169.254.3.4/16");
}

static void test_address_ipv6(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_add_address(m, ENO1, "2001:db8::1", 64);
	in_use(m, "eno1 has the address 2001:db8::1/64");
}

static void test_route(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_add_route(m, ENO1, "198.51.100.0", 24, RTPROT_STATIC);
	in_use(m, "eno1 carries the route to 198.51.100.0/24");
}

static void test_default_route_ipv6(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_add_route(m, ENO1, "::", 0, RTPROT_RA);
	in_use(m, "eno1 carries the default route");
}

static void has_master(struct fake_machine *m, const char *name, const char *sign)
{
	char target[64];

	snprintf(target, sizeof(target), "../../../../../../class/net/%s", name);
	machine_link(m, target, "bus/pci/devices/0000:02:00.0/net/eno1/master");
	machine_link(m, target, "bus/pci/devices/0000:02:00.0/net/eno1/upper_%s", name);
	machine_file(m, "", "class/net/%s/%s/sign", name, sign);
}

static void test_bond(void **state)
{
	struct fake_machine *m = one_up(state);

	has_master(m, "bond0", "bonding");
	in_use(m, "eno1 is a port of bond bond0");
}

static void test_bridge(void **state)
{
	struct fake_machine *m = one_up(state);

	has_master(m, "br0", "bridge");
	in_use(m, "eno1 is a port of bridge br0");
}

static void test_vlan(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_link(m, "../../../../../../class/net/eno1.5",
		     "bus/pci/devices/0000:02:00.0/net/eno1/upper_eno1.5");
	machine_file(m, "DEVTYPE=vlan\nINTERFACE=eno1.5\n", "class/net/eno1.5/uevent");
	in_use(m, "eno1 carries VLAN eno1.5");
}

static void test_other_namespace(void **state)
{
	add_nic(*state, "0000:02:00.0", "igb", NULL, NULL, 0, false);
	in_use(*state, "in another network namespace");
}

/* sysfs of another namespace: the interface is seen, but rtnetlink knows it not */
static void test_other_sysfs(void **state)
{
	struct fake_machine *m = one_up(state);

	free(m->inv.rtnl.links.data);
	memset(&m->inv.rtnl.links, 0, sizeof(m->inv.rtnl.links));
	in_use(m, "eno1 is in another network namespace");
}

static void test_other_driver(void **state)
{
	add_nic(*state, "0000:02:00.0", "vfio-pci", "vfio-pci\n", NULL, 0, false);
	in_use(*state, "held by driver vfio-pci");
}

static void test_virtual_functions(void **state)
{
	struct fake_machine *m = one_up(state);

	machine_file(m, "2\n", "bus/pci/devices/0000:02:00.0/sriov_numvfs");
	in_use(m, "2 virtual functions");
}

static void test_measured(void **state)
{
	struct fake_machine *m = *state;
	struct take take;
	char why[1024];

	add_nic(m, "0000:02:00.0", "msi_lat", NULL, NULL, 0, false);
	/* the module says so itself */
	assert_int_equal(plan(m, &take, "0000:02:00.0", true, why, sizeof(why)), 0);
	assert_false(take.wanted);
	assert_int_equal(m->inv.devices[0].use, DEVICE_OURS);
	take_free(&take);
}

static void state_dir(struct fake_machine *m, char *buf, size_t len)
{
	snprintf(buf, len, "%s/run", m->sys);
}

static void file_is(struct fake_machine *m, const char *name, const char *expected)
{
	char text[256];

	machine_read_file(m, text, sizeof(text), "bus/pci/%s", name);
	assert_string_equal(text, expected);
}

#define OVERRIDE	"devices/0000:03:00.0/driver_override"

/* Of what the kernel would do with it, nothing happens to files */
static void begin(struct fake_machine *m, struct take *take, const char *dir)
{
	struct strlist said = { 0 };
	char why[1024];

	add_three(m);
	assert_int_equal(plan(m, take, "0000:03:00.0", false, why, sizeof(why)), 0);
	assert_int_equal(take_device(take, dir, m->sys, &said, why, sizeof(why)), 0);
	assert_int_equal(said.nr, 0);
	file_is(m, OVERRIDE, "msi_lat\n");
	file_is(m, "drivers/igb/unbind", "0000:03:00.0");
}

static void unbound(struct fake_machine *m)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/bus/pci/devices/0000:03:00.0/driver", m->sys);
	unlink(path);
}

/* A driver that is a link to nowhere has no files, as one that is not loaded */
static void bound_to(struct fake_machine *m, const char *driver)
{
	char target[64];

	unbound(m);
	snprintf(target, sizeof(target), "../../drivers/%s", driver);
	machine_link(m, target, "bus/pci/devices/0000:03:00.0/driver");
}

static void unloaded(struct fake_machine *m)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/bus/pci/drivers/igb/bind", m->sys);
	unlink(path);
}

static void is_said(const struct strlist *said, const char *part)
{
	for (size_t i = 0; i < said->nr; i++)
		if (strstr(said->items[i], part))
			return;
	fail_msg("nobody says '%s'", part);
}

static void is_left(const char *dir, size_t expected)
{
	struct strlist left = { 0 };

	state_list(dir, &left);
	assert_int_equal(left.nr, expected);
	strlist_free(&left);
}

static void given_back(struct fake_machine *m)
{
	file_is(m, "drivers/igb/bind", "0000:03:00.0");
	/* files are not cut by the writes of klat, as those of sysfs are */
	file_is(m, OVERRIDE, "\nsi_lat\n");
}

static void test_give_back(void **state)
{
	struct strlist said = { 0 }, left = { 0 };
	struct fake_machine *m = *state;
	struct take take;
	char dir[80];

	state_dir(m, dir, sizeof(dir));
	begin(m, &take, dir);
	state_list(dir, &left);
	assert_int_equal(left.nr, 1);
	assert_string_equal(left.items[0], "0000:03:00.0");
	strlist_free(&left);
	/* its klat lives: nobody else touches it */
	assert_int_equal(restore_left(dir, m->sys, &said), 0);
	file_is(m, OVERRIDE, "msi_lat\n");
	assert_int_equal(state_open(dir, "0000:03:00.0"), -EWOULDBLOCK);
	unbound(m);
	assert_int_equal(take_give_back(&take, dir, m->sys, &said), 0);
	assert_int_equal(take.kept, 0);
	given_back(m);
	is_left(dir, 0);
	take_free(&take);
	strlist_free(&said);
}

/* Pulled out after its klat was killed: that is all there is to be said */
static void test_gone(void **state)
{
	struct fake_machine *m = *state;
	struct strlist said = { 0 };
	struct take take;
	char dir[80], here[128], away[128];

	state_dir(m, dir, sizeof(dir));
	begin(m, &take, dir);
	close(take.fd);
	snprintf(here, sizeof(here), "%s/bus/pci/devices/0000:03:00.0", m->sys);
	snprintf(away, sizeof(away), "%s/pulled-out", m->sys);
	assert_int_equal(rename(here, away), 0);
	assert_int_equal(restore_left(dir, m->sys, &said), 1);
	assert_int_equal(said.nr, 1);
	is_said(&said, "no longer there, and not given back");
	is_left(dir, 0);
	take_free(&take);
	strlist_free(&said);
}

static void not_given_back(struct fake_machine *m, struct take *take, const char *dir,
			   int error, const char *why)
{
	struct strlist said = { 0 };

	assert_int_equal(take_give_back(take, dir, m->sys, &said), error);
	assert_int_equal(take->kept, error);
	is_said(&said, why);
	is_said(&said, "klat devices --restore");
	is_left(dir, 1);
	strlist_free(&said);
}

static void test_not_released(void **state)
{
	struct fake_machine *m = *state;
	struct strlist said = { 0 };
	struct take take;
	char dir[80];

	state_dir(m, dir, sizeof(dir));
	begin(m, &take, dir);
	bound_to(m, "msi_lat");
	not_given_back(m, &take, dir, -EBUSY, "driver msi_lat does not let it go");
	file_is(m, OVERRIDE, "msi_lat\n");
	unbound(m);
	assert_int_equal(restore_left(dir, m->sys, &said), 1);
	given_back(m);
	is_left(dir, 0);
	take_free(&take);
	strlist_free(&said);
}

/* Its interface needs more than the driver */
static void test_driver_unloaded(void **state)
{
	struct fake_machine *m = *state;
	struct strlist said = { 0 };
	struct take take;
	char dir[80];

	state_dir(m, dir, sizeof(dir));
	begin(m, &take, dir);
	unbound(m);
	unloaded(m);
	not_given_back(m, &take, dir, -ENOENT, "its driver igb is no longer loaded");
	/* but for the device that is enough */
	file_is(m, OVERRIDE, "\nsi_lat\n");
	bound_to(m, "igb");
	assert_int_equal(restore_left(dir, m->sys, &said), 1);
	is_left(dir, 0);
	take_free(&take);
	strlist_free(&said);
}

/* What is said when a device cannot even be given back is not lost */
static void test_taking_fails(void **state)
{
	struct fake_machine *m = *state;
	struct strlist said = { 0 };
	char dir[80], why[1024], path[128];
	struct take take;

	state_dir(m, dir, sizeof(dir));
	add_three(m);
	assert_int_equal(plan(m, &take, "0000:03:00.0", false, why, sizeof(why)), 0);
	snprintf(path, sizeof(path), "%s/bus/pci/drivers/igb/unbind", m->sys);
	unlink(path);
	bound_to(m, "msi_lat");
	assert_int_equal(take_device(&take, dir, m->sys, &said, why, sizeof(why)), -ENOENT);
	assert_non_null(strstr(why, "driver igb does not let it go"));
	assert_int_equal(take.kept, -EBUSY);
	is_said(&said, "driver msi_lat does not let it go");
	is_left(dir, 1);
	take_free(&take);
	strlist_free(&said);
}

/* A directory in the way */
static void test_no_state(void **state)
{
	struct fake_machine *m = *state;
	struct strlist said = { 0 };
	char dir[80], why[1024];
	struct take take;

	state_dir(m, dir, sizeof(dir));
	machine_file(m, "", "run");
	add_three(m);
	assert_int_equal(plan(m, &take, "0000:03:00.0", false, why, sizeof(why)), 0);
	assert_int_equal(take_device(&take, dir, m->sys, &said, why, sizeof(why)), -ENOTDIR);
	file_is(m, OVERRIDE, "(null)\n");
	file_is(m, "drivers/igb/unbind", "");
	take_free(&take);
}

static void test_killed(void **state)
{
	struct strlist said = { 0 }, left = { 0 };
	struct fake_machine *m = *state;
	struct take take, other;
	char dir[80], why[256];

	state_dir(m, dir, sizeof(dir));
	begin(m, &take, dir);
	unbound(m);
	/* nobody takes it a second time */
	other = take;
	assert_int_equal(take_device(&other, dir, m->sys, &said, why, sizeof(why)), -EBUSY);
	/* the kernel drops the lock of a process that was killed */
	close(take.fd);
	assert_int_equal(restore_left(dir, m->sys, &said), 1);
	given_back(m);
	state_list(dir, &left);
	assert_int_equal(left.nr, 0);
	assert_int_equal(restore_left(dir, m->sys, &said), 0);
	take_free(&take);
	strlist_free(&said);
}

static void test_state(void **state)
{
	struct fake_machine *m = *state;
	struct taken t = {
		.bdf = "0000:03:00.0", .module = "msi_lat", .unload = true, .driver = "igb",
		.override = "vfio-pci", .interface = "enp3s0", .mac = "52:54:00:12:34:56",
		.mac_set = true, .mtu = 9000, .up = true,
	}, read;
	char dir[80];
	int fd;

	state_dir(m, dir, sizeof(dir));
	strlist_add(&t.addresses, "%s", "00ff");
	strlist_add(&t.lost, "%s", "bond");
	fd = state_write(dir, &t);
	assert_true(fd >= 0);
	assert_int_equal(state_write(dir, &t), -EEXIST);
	assert_int_equal(state_read(fd, &read), 0);
	assert_string_equal(read.bdf, t.bdf);
	assert_string_equal(read.module, t.module);
	assert_string_equal(read.driver, t.driver);
	assert_string_equal(read.override, t.override);
	assert_string_equal(read.interface, t.interface);
	assert_string_equal(read.mac, t.mac);
	assert_true(read.unload && read.mac_set && read.up);
	assert_int_equal(read.mtu, 9000);
	assert_int_equal(read.addresses.nr, 1);
	assert_string_equal(read.addresses.items[0], "00ff");
	assert_int_equal(read.routes.nr, 0);
	assert_string_equal(read.lost.items[0], "bond");
	close(fd);
	taken_free(&t);
	taken_free(&read);
}

static void test_state_damaged(void **state)
{
	struct strlist said = { 0 };
	struct fake_machine *m = *state;
	char dir[80];

	state_dir(m, dir, sizeof(dir));
	machine_file(m, "{ \"version\": 1, \"bdf\":", "run/0000:03:00.0.json");
	assert_int_equal(restore_left(dir, m->sys, &said), -EINVAL);
	assert_int_equal(said.nr, 1);
	is_said(&said, "delete the file");
	strlist_free(&said);
}

static void remember(struct fake_machine *m, struct taken *t)
{
	const struct netdev n = { .name = "eno1", .index = ENO1 };

	memset(t, 0, sizeof(*t));
	netdev_remember(t, &n, &m->inv.rtnl);
}

static void test_routes(void **state)
{
	char buf[MESSAGE_MAX] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *msg = (struct nlmsghdr *)buf;
	const struct rtmsg *head = NLMSG_DATA(msg);
	struct fake_machine *m = *state;
	struct taken t;

	machine_add_route_with(m, ENO1, "198.51.100.0", 24, RTPROT_STATIC,
			       RTNH_F_ONLINK | RTNH_F_LINKDOWN, 0);
	remember(m, &t);
	assert_int_equal(t.routes.nr, 1);
	assert_true(netdev_route(t.routes.items[0], ENP3S0, buf));
	assert_int_equal(head->rtm_flags, RTNH_F_ONLINK);
	assert_int_equal(*(const int *)RTA_DATA(rtnl_attribute(msg, sizeof(*head), RTA_OIF)),
			 ENP3S0);
	assert_false(netdev_route("00ff", ENP3S0, buf));
	assert_false(netdev_route("", ENP3S0, buf));
	/* another's route is not replaced by ours; an address of ours is */
	msg->nlmsg_type = RTM_NEWROUTE;
	rtnl_prepare(msg);
	assert_int_equal(msg->nlmsg_flags & (NLM_F_CREATE | NLM_F_APPEND | NLM_F_REPLACE),
			 NLM_F_CREATE | NLM_F_APPEND);
	msg->nlmsg_type = RTM_NEWADDR;
	rtnl_prepare(msg);
	assert_int_equal(msg->nlmsg_flags & (NLM_F_CREATE | NLM_F_APPEND | NLM_F_REPLACE),
			 NLM_F_CREATE | NLM_F_REPLACE);
	taken_free(&t);
}

static void test_long_route(void **state)
{
	struct fake_machine *m = *state;
	struct taken t;

	machine_add_route_with(m, ENO1, "198.51.100.0", 24, RTPROT_STATIC, 0, MESSAGE_MAX);
	remember(m, &t);
	assert_int_equal(t.routes.nr, 0);
	is_said(&t.lost, "the route to 198.51.100.0/24");
	taken_free(&t);
}

/* No machine that this runs on has such an interface: nothing is changed there */
static void test_unreadable(void **state)
{
	struct fake_machine *m = *state;
	struct strlist said = { 0 };
	struct taken t = { .bdf = "0000:03:00.0", .interface = "klat-nowhere" };

	machine_file(m, "", "bus/pci/devices/0000:03:00.0/net/klat-nowhere/flags");
	strlist_add(&t.addresses, "%s", "00ff");
	strlist_add(&t.routes, "%s", "xyz");
	netdev_restore(&t, m->sys, &said);
	is_said(&said, "lost: an address that is not to be understood: 00ff");
	is_said(&said, "lost: a route that is not to be understood: xyz");
	taken_free(&t);
	strlist_free(&said);
}

struct answer {
	struct nlmsghdr link;
	struct ifinfomsg body;
	struct nlmsghdr done;
	int error;
};

static int answered(unsigned short link_flags, unsigned short done_flags, int error,
		    unsigned int done_len)
{
	const struct answer answer = {
		.link = { .nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
			  .nlmsg_type = RTM_NEWLINK, .nlmsg_flags = link_flags },
		.done = { .nlmsg_len = done_len, .nlmsg_type = NLMSG_DONE,
			  .nlmsg_flags = done_flags },
		.error = error,
	};
	struct rtnl_dump dump = { 0 };
	int ret = rtnl_answer(&dump, (const char *)&answer, sizeof(answer));

	free(dump.data);
	return ret;
}

/* A dump that is not whole does not pass for one */
static void test_dump(void **state UNUSED)
{
	const unsigned int len = NLMSG_LENGTH(sizeof(int));

	assert_int_equal(answered(0, 0, 0, len), 1);
	assert_int_equal(answered(0, 0, 0, NLMSG_LENGTH(0)), 1);
	assert_int_equal(answered(NLM_F_DUMP_INTR, 0, 0, len), -EAGAIN);
	assert_int_equal(answered(0, NLM_F_DUMP_INTR, 0, len), -EAGAIN);
	assert_int_equal(answered(0, 0, -ENOBUFS, len), -ENOBUFS);
}

#define MACHINE_TEST(test)	\
	cmocka_unit_test_setup_teardown(test, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE_TEST(test_three),
		MACHINE_TEST(test_three_default),
		MACHINE_TEST(test_default_route),
		MACHINE_TEST(test_reserved),
		MACHINE_TEST(test_idle),
		MACHINE_TEST(test_force),
		MACHINE_TEST(test_one_up),
		MACHINE_TEST(test_several),
		MACHINE_TEST(test_one_free),
		MACHINE_TEST(test_none),
		MACHINE_TEST(test_up_unused),
		MACHINE_TEST(test_address_ipv4),
		MACHINE_TEST(test_address_ipv6),
		MACHINE_TEST(test_route),
		MACHINE_TEST(test_default_route_ipv6),
		MACHINE_TEST(test_bond),
		MACHINE_TEST(test_bridge),
		MACHINE_TEST(test_vlan),
		MACHINE_TEST(test_other_namespace),
		MACHINE_TEST(test_other_sysfs),
		MACHINE_TEST(test_other_driver),
		MACHINE_TEST(test_virtual_functions),
		MACHINE_TEST(test_measured),
		MACHINE_TEST(test_give_back),
		MACHINE_TEST(test_gone),
		MACHINE_TEST(test_not_released),
		MACHINE_TEST(test_driver_unloaded),
		MACHINE_TEST(test_taking_fails),
		MACHINE_TEST(test_no_state),
		MACHINE_TEST(test_killed),
		MACHINE_TEST(test_state),
		MACHINE_TEST(test_state_damaged),
		MACHINE_TEST(test_routes),
		MACHINE_TEST(test_long_route),
		MACHINE_TEST(test_unreadable),
		cmocka_unit_test(test_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
