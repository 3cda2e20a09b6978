/* SPDX-License-Identifier: GPL-2.0 */
/* Which driver has a PCI device, and giving it to another. */
#ifndef KLAT_DRIVER_H
#define KLAT_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

bool driver_of(const char *sys, const char *bdf, char *buf, size_t len);
bool driver_override(const char *sys, const char *bdf, char *buf, size_t len);
int driver_override_set(const char *sys, const char *bdf, const char *driver);
int driver_bind(const char *sys, const char *driver, const char *bdf);
int driver_unbind(const char *sys, const char *driver, const char *bdf);

#endif
