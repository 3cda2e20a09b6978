// SPDX-License-Identifier: GPL-2.0
/* What a device was before it was taken, in a file that outlives a killed klat. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "state.h"

#define SUFFIX	".json"
#define VERSION	1

void taken_free(struct taken *t)
{
	strlist_free(&t->addresses);
	strlist_free(&t->routes);
	strlist_free(&t->lost);
}

static void path_of(char *path, size_t len, const char *dir, const char *bdf)
{
	snprintf(path, len, "%s/%s" SUFFIX, dir, bdf);
}

static json_t *list_to_json(const struct strlist *list)
{
	json_t *json = json_array();

	for (size_t i = 0; i < list->nr; i++)
		json_array_append_new(json, json_text(list->items[i]));
	return json;
}

static json_t *taken_to_json(const struct taken *t)
{
	json_t *json = json_object();

	json_object_set_new(json, "version", json_integer(VERSION));
	json_object_set_new(json, "bdf", json_text(t->bdf));
	json_object_set_new(json, "module", json_text(t->module));
	json_object_set_new(json, "unload", json_boolean(t->unload));
	json_object_set_new(json, "driver", json_text(t->driver));
	json_object_set_new(json, "override", json_text(t->override));
	json_object_set_new(json, "interface", json_text(t->interface));
	json_object_set_new(json, "mac", json_text(t->mac));
	json_object_set_new(json, "mac_set", json_boolean(t->mac_set));
	json_object_set_new(json, "mtu", json_integer(t->mtu));
	json_object_set_new(json, "up", json_boolean(t->up));
	json_object_set_new(json, "addresses", list_to_json(&t->addresses));
	json_object_set_new(json, "routes", list_to_json(&t->routes));
	json_object_set_new(json, "lost", list_to_json(&t->lost));
	return json;
}

static int sync_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = fsync(fd) ? -errno : 0;
	close(fd);
	return ret;
}

static int fill(int fd, const struct taken *t)
{
	json_t *json = taken_to_json(t);
	int ret = json_dumpfd(json, fd, JSON_INDENT(2)) ? -EIO : 0;

	json_decref(json);
	if (ret)
		return ret;
	if (flock(fd, LOCK_EX | LOCK_NB) || fsync(fd))
		return -errno;
	return 0;
}

/*
 * The file's descriptor, which holds the lock until it is closed. -EEXIST if
 * there is such a file already. Others see the file whole and locked.
 */
int state_write(const char *dir, const struct taken *t)
{
	char path[PATH_MAX], new[PATH_MAX];
	int fd, ret;

	if (mkdir(dir, 0700) && errno != EEXIST)
		return -errno;
	path_of(path, sizeof(path), dir, t->bdf);
	snprintf(new, sizeof(new), "%s/.new.%d", dir, (int)getpid());
	fd = open(new, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	ret = fill(fd, t);
	if (!ret && link(new, path))
		ret = -errno;
	unlink(new);
	if (!ret) {
		ret = sync_dir(dir);
		if (!ret)
			return fd;
		/* nothing was changed yet, and nothing will be */
		unlink(path);
	}
	close(fd);
	return ret;
}

/* Is @fd still what lies at @path? Its owner may have removed it just now. */
static bool is_at_path(int fd, const char *path)
{
	struct stat ours, there;

	return !fstat(fd, &ours) && !stat(path, &there) && ours.st_ino == there.st_ino &&
	       ours.st_dev == there.st_dev;
}

/*
 * A file that no living klat owns, locked: its descriptor. -EWOULDBLOCK if one
 * does, -ENOENT if there is none.
 */
int state_open(const char *dir, const char *bdf)
{
	char path[PATH_MAX];
	int fd, ret = 0;

	path_of(path, sizeof(path), dir, bdf);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB))
		ret = -errno;
	else if (!is_at_path(fd, path))
		ret = -ENOENT;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static void copy_text(char *buf, size_t len, const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	snprintf(buf, len, "%s", text ? text : "");
}

static void copy_list(struct strlist *list, const json_t *json, const char *key)
{
	const json_t *array = json_object_get(json, key), *item;
	size_t i;

	json_array_foreach(array, i, item)
		if (json_is_string(item))
			strlist_add(list, "%s", json_string_value(item));
}

static void taken_from_json(struct taken *t, const json_t *json)
{
	copy_text(t->bdf, sizeof(t->bdf), json, "bdf");
	copy_text(t->module, sizeof(t->module), json, "module");
	t->unload = json_is_true(json_object_get(json, "unload"));
	copy_text(t->driver, sizeof(t->driver), json, "driver");
	copy_text(t->override, sizeof(t->override), json, "override");
	copy_text(t->interface, sizeof(t->interface), json, "interface");
	copy_text(t->mac, sizeof(t->mac), json, "mac");
	t->mac_set = json_is_true(json_object_get(json, "mac_set"));
	t->mtu = (unsigned int)json_integer_value(json_object_get(json, "mtu"));
	t->up = json_is_true(json_object_get(json, "up"));
	copy_list(&t->addresses, json, "addresses");
	copy_list(&t->routes, json, "routes");
	copy_list(&t->lost, json, "lost");
}

/* -EINVAL for what is no state of ours */
int state_read(int fd, struct taken *t)
{
	json_t *json;
	int ret = 0;

	memset(t, 0, sizeof(*t));
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	json = json_loadfd(fd, 0, NULL);
	if (json_integer_value(json_object_get(json, "version")) == VERSION)
		taken_from_json(t, json);
	if (!*t->bdf || !*t->module)
		ret = -EINVAL;
	json_decref(json);
	return ret;
}

int state_remove(const char *dir, const char *bdf)
{
	char path[PATH_MAX];

	path_of(path, sizeof(path), dir, bdf);
	return unlink(path) ? -errno : sync_dir(dir);
}

/* The devices that have one */
void state_list(const char *dir, struct strlist *bdfs)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		size_t len = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || len <= strlen(SUFFIX) ||
		    strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX))
			continue;
		strlist_add(bdfs, "%.*s", (int)(len - strlen(SUFFIX)), entry->d_name);
	}
	if (d)
		closedir(d);
}
