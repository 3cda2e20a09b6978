/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_SORT_H
#define KLAT_UNIT_LINUX_SORT_H

#include <stdlib.h>

#define sort(base, number, size, compare, swap)	qsort(base, number, size, compare)

#endif
