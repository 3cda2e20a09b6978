// SPDX-License-Identifier: GPL-2.0
/* Which device is measured, and taking it from its driver. */
#include <errno.h>
#include <klat/klat.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"
#include "module.h"
#include "netdev_restore.h"
#include "restore.h"
#include "take.h"

#define SENTENCES	1024

const struct option_def take_option_defs[] = {
	{ 'b', "bdf", "ADDRESS", "PCI address of the device; it is taken from its driver, and "
	  "given back", OPTION_TEXT, offsetof(struct take_options, bdf), 0,
	  KLAT_NAME_LEN - 1, NULL },
	{ 0, "force", NULL, "take it even if it is in use: its network is cut off", OPTION_SET,
	  offsetof(struct take_options, force), 0, 0, NULL },
	{ 0 }
};

/* "0000:01:00.0 (I210, held by driver igb, eth0 up, carrier)" */
static void describe(const struct pci_device *dev, struct strlist *list)
{
	char net[64] = "", why[SENTENCES];

	strlist_join(&dev->reasons, why, sizeof(why));
	if (*dev->net.name)
		netdev_summary(&dev->net, net, sizeof(net));
	if (*why)
		strlist_add(list, "%s (%s; %s)", dev->bdf, device_family(dev), why);
	else if (*dev->driver)
		strlist_add(list, "%s (%s, held by driver %s%s%s)", dev->bdf, device_family(dev),
			    dev->driver, *net ? ", " : "", net);
	else
		strlist_add(list, "%s (%s, free)", dev->bdf, device_family(dev));
}

/* All of @source, those too that may not be taken: people look for theirs */
static void describe_all(const struct inventory *inv, const char *source, char *buf, size_t len)
{
	struct strlist list = { 0 };

	for (size_t i = 0; i < inv->nr; i++)
		if (device_is_of_source(&inv->devices[i], source))
			describe(&inv->devices[i], &list);
	strlist_join(&list, buf, len);
	strlist_free(&list);
}

static void plan_taking(struct take *take, const struct pci_device *dev,
			const struct rtnl *rtnl, const char *module)
{
	struct taken *t = &take->state;

	take->wanted = true;
	snprintf(t->bdf, sizeof(t->bdf), "%s", dev->bdf);
	snprintf(t->module, sizeof(t->module), "%s", module);
	snprintf(t->driver, sizeof(t->driver), "%s", dev->driver);
	snprintf(t->override, sizeof(t->override), "%s", dev->override);
	if (dev->virtual_functions)
		strlist_add(&t->lost, "%u virtual functions", dev->virtual_functions);
	if (*dev->driver && !*dev->net.name && dev->model && *dev->model->driver &&
	    !strcmp(dev->model->driver, dev->driver))
		strlist_add(&t->lost, "its interface in another network namespace");
	netdev_remember(t, &dev->net, rtnl);
}

/*
 * Without an address only the one device is taken whose interface is down, as
 * nobody can be using that.
 */
static int plan_default(struct take *take, const struct inventory *inv, const char *source,
			const char *module, char *why, size_t len)
{
	const struct pci_device *chosen;
	char all[SENTENCES];

	describe_all(inv, source, all, sizeof(all));
	/* that there is none at all the module says itself */
	if (!*all)
		return 0;
	switch (inventory_choose(inv, source, &chosen)) {
	case CHOICE_FREE:
		return 0;
	case CHOICE_IDLE:
		if (*chosen->net.name && !chosen->net.up) {
			plan_taking(take, chosen, &inv->rtnl, module);
			return 0;
		}
		snprintf(why, len, "no device is free, but %s could be taken: say --bdf %s: %s",
			 chosen->bdf, chosen->bdf, all);
		return -EINVAL;
	case CHOICE_SEVERAL:
		snprintf(why, len, "there are several devices, name one with --bdf: %s", all);
		return -EINVAL;
	case CHOICE_NONE:
		break;
	}
	snprintf(why, len, "no device is free, and none can be taken: %s; --source soft measures "
		 "without one", all);
	return -ENODEV;
}

static int plan_named(struct take *take, const struct inventory *inv,
		      const struct take_options *opts, const char *source, const char *module,
		      char *why, size_t len)
{
	const struct pci_device *dev = inv->nr ? &inv->devices[0] : NULL;
	char reasons[SENTENCES];

	/* what cannot be measured the module refuses, and says why */
	if (!dev || !device_is_of_source(dev, source))
		return 0;
	switch (dev->use) {
	case DEVICE_FREE:
	case DEVICE_OURS:
	case DEVICE_UNSUPPORTED:
		return 0;
	case DEVICE_IN_USE:
		if (opts->force)
			break;
		strlist_join(&dev->reasons, reasons, sizeof(reasons));
		snprintf(why, len, "%s: %s (--force takes it all the same)", dev->bdf, reasons);
		return -EINVAL;
	case DEVICE_IDLE:
		break;
	}
	plan_taking(take, dev, &inv->rtnl, module);
	return 0;
}

/*
 * Decides what is to be taken; changes nothing. -EINVAL if the user must decide,
 * -ENODEV if there is nothing to be had; the reason goes to @why.
 */
int take_plan_in(struct take *take, const struct inventory *inv, const struct take_options *opts,
		 const char *source, const char *module, char *why, size_t len)
{
	memset(take, 0, sizeof(*take));
	take->fd = -1;
	take->named = *opts->bdf;
	if (take->named)
		return plan_named(take, inv, opts, source, module, why, len);
	return plan_default(take, inv, source, module, why, len);
}

/*
 * A device that comes back appears in the first network namespace, and so would
 * be gone from ours.
 */
static bool in_first_namespace(void)
{
	struct stat first, ours;

	return stat("/proc/1/ns/net", &first) || stat("/proc/self/ns/net", &ours) ||
	       (first.st_ino == ours.st_ino && first.st_dev == ours.st_dev);
}

/* On this machine */
int take_plan(struct take *take, const struct take_options *opts, const char *source,
	      const char *module, char *why, size_t len)
{
	struct pci_address address;
	struct inventory inv;
	bool named = *opts->bdf;
	int ret;

	memset(take, 0, sizeof(*take));
	take->fd = -1;
	if (named && !pci_address_parse(opts->bdf, &address))
		return 0;	/* the module says what an address is */
	ret = inventory_read(&inv, named ? &address : NULL);
	if (ret) {
		snprintf(why, len, "what the network is used for cannot be read: %s",
			 strerror(-ret));
		return ret;
	}
	ret = take_plan_in(take, &inv, opts, source, module, why, len);
	take->state.unload = module_look(module) != MODULE_LOADED;
	if (!ret && take->wanted && *take->state.interface && !opts->force &&
	    !in_first_namespace()) {
		snprintf(why, len, "%s: %s would come back in the first network namespace, which "
			 "is not ours (--force takes it all the same)", take->state.bdf,
			 take->state.interface);
		ret = -EINVAL;
	}
	inventory_free(&inv);
	return ret;
}

static int take_over(const struct taken *t, const char *sys, char *why, size_t len)
{
	int ret = driver_override_set(sys, t->bdf, t->module);

	if (ret) {
		snprintf(why, len, "%s: driver_override: %s", t->bdf, strerror(-ret));
		return ret;
	}
	ret = *t->driver ? driver_unbind(sys, t->driver, t->bdf) : 0;
	if (ret)
		snprintf(why, len, "%s: driver %s does not let it go: %s", t->bdf, t->driver,
			 strerror(-ret));
	return ret;
}

/*
 * Nothing is changed if it fails, with the reason in @why; but what could not be
 * put back is said
 */
int take_device(struct take *take, const char *dir, const char *sys, struct strlist *said,
		char *why, size_t len)
{
	int ret;

	if (!take->wanted)
		return 0;
	take->fd = state_write(dir, &take->state);
	if (take->fd == -EEXIST) {
		snprintf(why, len, "%s: another klat has it, or it could not be given back "
			 "(klat devices --restore)", take->state.bdf);
		return -EBUSY;
	}
	if (take->fd < 0) {
		snprintf(why, len, "%s: no state file can be written in %s: %s%s",
			 take->state.bdf, dir, strerror(-take->fd),
			 take->fd == -EACCES ? " (try as root)" : "");
		return take->fd;
	}
	ret = take_over(&take->state, sys, why, len);
	if (ret)
		take_give_back(take, dir, sys, said);
	else if (!take->named)
		strlist_add(said, "%s: taken from driver %s, as %s was down and no other device "
			    "was to be had", take->state.bdf, take->state.driver,
			    take->state.interface);
	return ret;
}

/* Says what could not be put back; if it should be tried again, the state's file stays */
int take_give_back(struct take *take, const char *dir, const char *sys, struct strlist *said)
{
	int ret;

	if (take->fd < 0)
		return 0;
	ret = restore(&take->state, sys, said);
	if (ret >= 0)
		ret = state_remove(dir, take->state.bdf);
	if (ret)
		strlist_add(said, "%s: try again with klat devices --restore", take->state.bdf);
	close(take->fd);
	take->fd = -1;
	take->kept = ret;
	return ret;
}

void take_free(struct take *take)
{
	taken_free(&take->state);
}
