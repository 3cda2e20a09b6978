/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel log says of a device. */
#ifndef KLAT_KLOG_H
#define KLAT_KLOG_H

#include <stdbool.h>
#include <stddef.h>

char *klog_read(void);
bool klog_probe_failure(const char *log, const char *driver, const char *bdf, char *buf,
			size_t len);

#endif
