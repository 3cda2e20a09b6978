// SPDX-License-Identifier: GPL-2.0
/* /dev/klat/<module>: its module, its node, its commands. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

#define NODE_TRIES	200
#define NODE_PAUSE_NS	10000000L

static int node_open(const char *name, int flags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), DEVICE_DIR "/%s", name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* A node that udev or devtmpfs has yet to make */
static int node_wait(const char *name)
{
	const struct timespec pause = { .tv_nsec = NODE_PAUSE_NS };
	int fd;

	for (int i = 0; i < NODE_TRIES; i++) {
		fd = node_open(name, O_RDWR);
		if (fd != -ENOENT)
			return fd;
		nanosleep(&pause, NULL);
	}
	return -ENOENT;
}

static int check_abi(struct device *dev, const char *name)
{
	int ret = device_info(dev->fd, &dev->info);

	if (ret) {
		snprintf(dev->error, sizeof(dev->error), DEVICE_DIR "/%s: %s", name,
			 strerror(-ret));
		return ret;
	}
	if (dev->info.abi == KLAT_ABI_VERSION && dev->info.nr_buckets == KLAT_HIST_BUCKETS &&
	    dev->info.sample_size >= sizeof(struct klat_sample) &&
	    dev->info.nr_series <= KLAT_MAX_SERIES)
		return 0;
	snprintf(dev->error, sizeof(dev->error),
		 "module %s (%s) speaks version %u of the interface, this program version %u",
		 name, dev->info.version, dev->info.abi, KLAT_ABI_VERSION);
	return -EPROTO;
}

/* Loads the module, without a run of its own, if its device is not there */
int device_open(struct device *dev, const char *name)
{
	int ret;

	memset(dev, 0, sizeof(*dev));
	dev->fd = node_open(name, O_RDWR);
	if (dev->fd == -ENOENT || dev->fd == -ENXIO) {
		ret = module_load(&dev->module, name, "autostart=0", dev->error,
				  sizeof(dev->error));
		if (ret)
			return ret;
		dev->fd = node_wait(name);
	}
	if (dev->fd < 0) {
		ret = dev->fd;
		snprintf(dev->error, sizeof(dev->error), DEVICE_DIR "/%s: %s%s", name,
			 strerror(-ret), ret == -EACCES ? " (try as root)" : "");
	} else {
		ret = check_abi(dev, name);
	}
	if (ret)
		device_close(dev);
	return ret;
}

void device_close(struct device *dev)
{
	if (dev->fd >= 0)
		close(dev->fd);
	dev->fd = -1;
	module_unload(&dev->module);
}

static int command(int fd, unsigned long nr, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, nr, arg);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

/* Puts the kernel's own sentence, or else the errno's, into dev->error */
static int refused(struct device *dev, const char *what, int ret)
{
	struct klat_status status;

	if (!device_status(dev->fd, &status) && *status.refusal)
		snprintf(dev->error, sizeof(dev->error), "%s%s", what, status.refusal);
	else
		snprintf(dev->error, sizeof(dev->error), "%s%s", what, strerror(-ret));
	return ret;
}

int device_info(int fd, struct klat_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return command(fd, KLAT_INFO, info);
}

/* @config: the struct of the module's own header, its size set */
int device_config(struct device *dev, void *config)
{
	int ret = command(dev->fd, KLAT_CONFIG, config);
	char in_use[64] = "";

	if (ret == -EBUSY)
		snprintf(in_use, sizeof(in_use), DEVICE_DIR "/%s is in use: ",
			 dev->info.module);
	return ret ? refused(dev, in_use, ret) : 0;
}

int device_start(struct device *dev)
{
	struct klat_simple arg = { .size = sizeof(arg) };
	int ret = command(dev->fd, KLAT_START, &arg);

	return ret ? refused(dev, "", ret) : 0;
}

/* A run that has already ended is fine */
int device_stop(struct device *dev)
{
	struct klat_simple arg = { .size = sizeof(arg) };
	int ret = command(dev->fd, KLAT_STOP, &arg);

	return ret == -EALREADY ? 0 : ret;
}

int device_status(int fd, struct klat_status *status)
{
	memset(status, 0, sizeof(*status));
	status->size = sizeof(*status);
	return command(fd, KLAT_STATUS, status);
}

/* Of @cpu, or KLAT_CPU_ALL */
int device_stats(struct device *dev, uint32_t nr, uint32_t cpu, struct klat_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	stats->series = nr;
	stats->cpu = cpu;
	return command(dev->fd, KLAT_STATS, stats);
}

/* -EINVAL: the kernel has no such CPU, whether present or not */
int device_cpu(struct device *dev, uint32_t nr, struct klat_cpu *cpu)
{
	memset(cpu, 0, sizeof(*cpu));
	cpu->size = sizeof(*cpu);
	cpu->cpu = nr;
	return command(dev->fd, KLAT_CPU, cpu);
}

/* Statistics and histogram of series @nr, whose buckets are allocated */
int device_series(struct device *dev, uint32_t nr, struct series *s)
{
	struct klat_hist hist = {
		.size = sizeof(hist),
		.series = nr,
		.cpu = KLAT_CPU_ALL,
		.nr = KLAT_HIST_BUCKETS,
		.buckets = (uintptr_t)s->buckets,
	};
	int ret = device_stats(dev, nr, KLAT_CPU_ALL, &s->stats);

	return ret ? ret : command(dev->fd, KLAT_HIST, &hist);
}

/* The modules that have a device now */
void device_list(struct strlist *names)
{
	DIR *dir = opendir(DEVICE_DIR);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			strlist_add(names, "%s", entry->d_name);
	if (dir)
		closedir(dir);
}

/* The modules other than @except that have a run RUNNING */
void device_running(struct strlist *names, const char *except)
{
	struct klat_status status;
	struct strlist all = { 0 };

	device_list(&all);
	for (size_t i = 0; i < all.nr; i++) {
		int fd;

		if (!strcmp(all.items[i], except))
			continue;
		fd = node_open(all.items[i], O_RDONLY);
		if (fd < 0)
			continue;
		if (!device_status(fd, &status) && status.state == KLAT_RUNNING)
			strlist_add(names, "%s", all.items[i]);
		close(fd);
	}
	strlist_free(&all);
}
