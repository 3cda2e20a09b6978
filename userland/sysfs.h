/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_SYSFS_H
#define KLAT_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

__attribute__((format(printf, 3, 4)))
bool sysfs_line(char *buf, size_t len, const char *format, ...);
__attribute__((format(printf, 3, 4)))
bool sysfs_link(char *buf, size_t len, const char *format, ...);
__attribute__((format(printf, 2, 3)))
int sysfs_put(const char *text, const char *format, ...);

#endif
