// SPDX-License-Identifier: GPL-2.0
/*
 * A device that was taken is given back. All of it can be done again, and also
 * where only a part of the taking was done.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "module.h"
#include "netdev_restore.h"
#include "restore.h"
#include "wait.h"

#define LETS_GO_MS	10000	/* the module's end of a run */

struct release_wait {
	const struct taken *t;
	const char *sys;
};

static bool is_released(void *context)
{
	const struct release_wait *w = context;
	char driver[DRIVER_LEN];

	driver_of(w->sys, w->t->bdf, driver, sizeof(driver));
	return strcmp(driver, w->t->module);
}

/* The module lets go at the end of a run; one that does not is made to */
static int wait_for_release(const struct taken *t, const char *sys, struct strlist *said)
{
	struct release_wait w = { .t = t, .sys = sys };
	char driver[DRIVER_LEN];

	if (!wait_for(is_released, &w, LETS_GO_MS))
		driver_unbind(sys, t->module, t->bdf);
	driver_of(sys, t->bdf, driver, sizeof(driver));
	if (!model_is_klat_driver(driver))
		return 0;
	strlist_add(said, "%s: driver %s does not let it go", t->bdf, driver);
	return -EBUSY;
}

/* Loading the driver is enough for the device, but not for its interface */
static int driver_is_gone(const struct taken *t, struct strlist *said)
{
	strlist_add(said, "%s: its driver %s is no longer loaded; loading it binds it", t->bdf,
		    t->driver);
	return *t->interface ? -ENOENT : 0;
}

static int bind_former(const struct taken *t, const char *sys, struct strlist *said)
{
	char driver[DRIVER_LEN];
	int ret;

	/* it never was unbound, or somebody has bound it meanwhile */
	if (!*t->driver || driver_of(sys, t->bdf, driver, sizeof(driver)))
		return 0;
	ret = driver_bind(sys, t->driver, t->bdf);
	if (ret == -ENOENT)
		return driver_is_gone(t, said);
	if (ret)
		strlist_add(said, "%s: its driver %s does not take it back: %s", t->bdf, t->driver,
			    strerror(-ret));
	return ret;
}

/* Another override than ours is not ours to change */
static int put_override_back(const struct taken *t, const char *sys, const char *value)
{
	char now[DRIVER_LEN];

	driver_override(sys, t->bdf, now, sizeof(now));
	if (*now && strcmp(now, t->module) && strcmp(now, t->override))
		return 0;
	return strcmp(now, value) ? driver_override_set(sys, t->bdf, value) : 0;
}

static bool is_present(const struct taken *t, const char *sys)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", sys, t->bdf);
	return !access(path, F_OK);
}

/*
 * A negative errno, said in words, if it should be tried again; RESTORE_GONE, said
 * too, if there is nothing left to be given back
 */
int restore(const struct taken *t, const char *sys, struct strlist *said)
{
	int ret, bound;

	if (!is_present(t, sys)) {
		strlist_add(said, "%s: it is no longer there, and not given back", t->bdf);
		return RESTORE_GONE;
	}
	ret = wait_for_release(t, sys, said);
	if (ret)
		return ret;
	/* a driver that it is not reserved for could not bind it */
	ret = put_override_back(t, sys, "");
	bound = bind_former(t, sys, said);
	if (!ret)
		ret = put_override_back(t, sys, t->override);
	if (ret)
		strlist_add(said, "%s: driver_override was not put back: %s", t->bdf,
			    strerror(-ret));
	if (bound)
		return bound;
	if (*t->driver)
		netdev_restore(t, sys, said);
	return ret;
}

/* What a run that was killed loaded; somebody else may use it by now */
static void unload(const struct taken *t)
{
	if (t->unload)
		module_remove(t->module);
}

/* 1 if it was given back or is gone, 0 if there was nothing to do, or a negative errno */
static int restore_one(const char *dir, const char *sys, const char *bdf, struct strlist *said)
{
	struct taken t;
	int fd, ret;

	fd = state_open(dir, bdf);
	/* its klat lives, or has just done it itself */
	if (fd == -EWOULDBLOCK || fd == -ENOENT)
		return 0;
	if (fd < 0) {
		strlist_add(said, "%s: was not given back: %s%s", bdf, strerror(-fd),
			    fd == -EACCES ? " (try as root)" : "");
		return fd;
	}
	ret = state_read(fd, &t);
	if (ret)
		strlist_add(said, "%s: %s/%s.json is not to be understood: see that the device "
			    "is as it should be, and delete the file", bdf, dir, bdf);
	else
		ret = restore(&t, sys, said);
	if (!ret)
		strlist_add(said, "%s: given back to %s, after a klat that was killed", bdf,
			    *t.driver ? t.driver : "nobody");
	if (ret >= 0) {
		unload(&t);
		ret = state_remove(dir, bdf);
	}
	taken_free(&t);
	close(fd);
	return ret ? ret : 1;
}

/* Gives back what killed klats have left: how many, or a negative errno if any failed */
int restore_left(const char *dir, const char *sys, struct strlist *said)
{
	struct strlist bdfs = { 0 };
	int count = 0, failed = 0;

	state_list(dir, &bdfs);
	for (size_t i = 0; i < bdfs.nr; i++) {
		int ret = restore_one(dir, sys, bdfs.items[i], said);

		if (ret < 0)
			failed = ret;
		else
			count += ret;
	}
	strlist_free(&bdfs);
	return failed ? failed : count;
}
