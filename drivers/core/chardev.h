/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The character device of a benchmark: the ABI of uapi/klat/klat.h.
 */
#ifndef KLAT_CORE_CHARDEV_H
#define KLAT_CORE_CHARDEV_H

#include "bench.h"

int klat_chardev_register(struct klat_bench *bench);
void klat_chardev_unregister(struct klat_bench *bench);

#endif /* KLAT_CORE_CHARDEV_H */
