/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_MODULE_H
#define KLAT_MODULE_H

#include <stdbool.h>
#include <stddef.h>

struct kmod_ctx;
struct kmod_module;

/* A kernel module; loaded by us, or by nobody we know */
struct module {
	struct kmod_ctx *ctx;
	struct kmod_module *mod;
	bool loaded;
};

enum module_state {
	MODULE_ABSENT,		/* neither loaded nor installed for this kernel */
	MODULE_INSTALLED,
	MODULE_LOADED,
};

/* Those of klat, NULL at the end */
extern const char *const module_names[];

void module_quiet(struct kmod_ctx *ctx);
int module_load(struct module *m, const char *name, const char *options,
		char *why, size_t len);
void module_unload(struct module *m);
void module_remove(const char *name);
enum module_state module_look(const char *name);
const char *module_state_text(enum module_state state);

#endif
