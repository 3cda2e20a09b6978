/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-ins for the kernel's headers, first on the include path of the unit
 * tests: just what drivers/core/series.c and ring.c and the detector's group.c
 * use, so that the very code of the modules runs in a program. Not a copy of the
 * kernel's definitions.
 */
#ifndef KLAT_UNIT_LINUX_TYPES_H
#define KLAT_UNIT_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define U64_MAX	((u64)~0ULL)

#endif
