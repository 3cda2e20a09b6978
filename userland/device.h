/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/klat/<module>: its module, its node, its commands. */
#ifndef KLAT_DEVICE_H
#define KLAT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <klat/klat.h>

#include "module.h"
#include "series.h"
#include "strlist.h"

#define DEVICE_DIR	"/dev/klat"

/**
 * struct device - an open device of a benchmark
 * @fd: of its node, -1 if closed
 * @info: as KLAT_INFO gave it
 * @module: the module, where this program loaded it
 * @error: after a failed call: a sentence that says why
 */
struct device {
	int fd;
	struct klat_info info;
	struct module module;
	char error[256];
};

int device_open(struct device *dev, const char *name);
void device_close(struct device *dev);
int device_info(int fd, struct klat_info *info);
int device_config(struct device *dev, void *config);
int device_start(struct device *dev);
int device_stop(struct device *dev);
int device_status(int fd, struct klat_status *status);
int device_series(struct device *dev, uint32_t nr, struct series *s);
int device_stats(struct device *dev, uint32_t nr, uint32_t cpu, struct klat_stats *stats);
int device_cpu(struct device *dev, uint32_t nr, struct klat_cpu *cpu);
void device_list(struct strlist *names);
void device_running(struct strlist *names, const char *except);

#endif
