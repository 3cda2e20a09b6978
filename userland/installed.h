/* SPDX-License-Identifier: GPL-2.0 */
/* klat's modules as they are installed for a kernel, by their files. */
#ifndef KLAT_INSTALLED_H
#define KLAT_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

#define INSTALLED_MAX	8

/**
 * struct installed_module - the file of a module
 * @name: of the module, or of any of the kernel's own
 * @path: under /lib/modules/RELEASE, "" if it is not installed
 * @readable: what follows could be read
 * @vermagic: what it was built for
 * @signer: who signed it; @is_signed: it is signed
 * @intree: it came with the kernel
 */
struct installed_module {
	const char *name;
	char path[256];
	bool readable;
	char vermagic[128];
	bool is_signed;
	char signer[128];
	bool intree;
};

/**
 * struct installed - the modules of klat for a kernel
 * @modules: all of them, also those that are not there; @nr: how many
 * @found: how many are installed
 * @reference: a module that came with that kernel, "" as path if there is none
 * @release: of the kernel
 */
struct installed {
	struct installed_module modules[INSTALLED_MAX];
	size_t nr;
	size_t found;
	struct installed_module reference;
	const char *release;
};

void installed_read(struct installed *all, const char *root, const char *release);
/* Its vermagic is not quite that of the kernel; and the kernel refuses it therefore */
bool installed_is_other(const struct installed *all, const struct installed_module *m);
bool installed_is_refused(const struct installed *all, const struct installed_module *m);

#endif
