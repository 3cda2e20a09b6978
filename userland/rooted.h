/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of a machine whose tree begins at @root: "" for the machine that we are on.
 * An absolute link leads out of any other root.
 */
#ifndef KLAT_ROOTED_H
#define KLAT_ROOTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3)))
bool rooted_exists(const char *root, const char *format, ...);
__attribute__((format(printf, 4, 5)))
bool rooted_line(const char *root, char *buf, size_t len, const char *format, ...);
__attribute__((format(printf, 4, 5)))
bool rooted_link(const char *root, char *buf, size_t len, const char *format, ...);
__attribute__((format(printf, 3, 4)))
char *rooted_read(const char *root, size_t *len, const char *format, ...);

#endif
