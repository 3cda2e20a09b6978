/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_CPULIST_H
#define KLAT_CPULIST_H

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>

void cpulist_parse(const char *text, hwloc_bitmap_t set);
bool cpulist_has(const char *text, int cpu);
void cpulist_print(hwloc_const_bitmap_t set, char *buf, size_t len);

#endif
