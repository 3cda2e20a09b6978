/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration that a kernel was built with. */
#ifndef KLAT_KCONFIG_H
#define KLAT_KCONFIG_H

#include <stdbool.h>
#include <stddef.h>

enum kconfig_state {
	KCONFIG_UNKNOWN,	/* no configuration was found */
	KCONFIG_NO,
	KCONFIG_MODULE,
	KCONFIG_YES,
};

/**
 * struct kconfig - a configuration
 * @text: NULL if none was found
 * @path: where it was found
 * @exact: it is known to be of that kernel
 */
struct kconfig {
	char *text;
	char path[256];
	bool exact;
};

bool kconfig_read(struct kconfig *c, const char *root, const char *release, bool running);
void kconfig_free(struct kconfig *c);
enum kconfig_state kconfig_state(const struct kconfig *c, const char *option);
bool kconfig_value(const struct kconfig *c, const char *option, char *buf, size_t len);

#endif
