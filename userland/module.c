// SPDX-License-Identifier: GPL-2.0
/* Loads a benchmark's module, and takes out only what it loaded. */
#include <errno.h>
#include <libkmod.h>
#include <stdio.h>
#include <string.h>

#include "module.h"

const char *const module_names[] = {
	"msi_lat",
	"msi_jitter",
	"mmio_latency",
	"hwlat_detector",
	"caterpillar",
	NULL
};

static void ignore_log(void *data, int priority, const char *file, int line,
		       const char *fn, const char *format, va_list args)
{
	(void)data, (void)priority, (void)file, (void)line;
	(void)fn, (void)format, (void)args;
}

/* What goes wrong is said by the caller, once */
void module_quiet(struct kmod_ctx *ctx)
{
	kmod_set_log_fn(ctx, ignore_log, NULL);
}

static int module_find(struct module *m, const char *name)
{
	struct kmod_list *found = NULL;

	memset(m, 0, sizeof(*m));
	m->ctx = kmod_new(NULL, NULL);
	if (!m->ctx)
		return -ENOMEM;
	module_quiet(m->ctx);
	if (kmod_module_new_from_lookup(m->ctx, name, &found) < 0 || !found)
		return -ENOENT;
	m->mod = kmod_module_get_module(found);
	kmod_module_unref_list(found);
	return kmod_module_get_path(m->mod) ? 0 : -ENOENT;
}

static void module_put(struct module *m)
{
	kmod_module_unref(m->mod);
	kmod_unref(m->ctx);
	memset(m, 0, sizeof(*m));
}

static void explain(const char *name, int error, char *why, size_t len)
{
	switch (error) {
	case -ENOENT:
		snprintf(why, len, "module %s is neither loaded nor installed for this kernel",
			 name);
		return;
	case -EPERM:
		snprintf(why, len, "module %s may not be loaded: that takes root, and a kernel "
			 "that is not locked down", name);
		return;
	case -EKEYREJECTED:
	case -ENOKEY:
		snprintf(why, len, "the kernel refused the signature of module %s "
			 "(Secure Boot?)", name);
		return;
	default:
		snprintf(why, len, "module %s could not be loaded: %s (see the kernel log)",
			 name, strerror(-error));
	}
}

/* A negative errno and the reason in @why if it cannot be loaded */
int module_load(struct module *m, const char *name, const char *options,
		char *why, size_t len)
{
	int ret = module_find(m, name);

	if (!ret)
		ret = kmod_module_probe_insert_module(m->mod, 0, options, NULL, NULL, NULL);
	if (ret) {
		explain(name, ret, why, len);
		module_put(m);
		return ret;
	}
	m->loaded = true;
	return 0;
}

void module_unload(struct module *m)
{
	if (!m->loaded)
		return;
	kmod_module_remove_module(m->mod, 0);
	module_put(m);
}

/* One that another process loaded, unless it is in use */
void module_remove(const char *name)
{
	struct module m;

	module_find(&m, name);
	if (m.mod || (m.ctx && !kmod_module_new_from_name(m.ctx, name, &m.mod)))
		kmod_module_remove_module(m.mod, 0);
	module_put(&m);
}

enum module_state module_look(const char *name)
{
	enum module_state state = MODULE_ABSENT;
	struct module m;

	if (!module_find(&m, name))
		state = MODULE_INSTALLED;
	if (m.mod || (m.ctx && !kmod_module_new_from_name(m.ctx, name, &m.mod))) {
		int init = kmod_module_get_initstate(m.mod);

		if (init == KMOD_MODULE_LIVE || init == KMOD_MODULE_BUILTIN)
			state = MODULE_LOADED;
	}
	module_put(&m);
	return state;
}

const char *module_state_text(enum module_state state)
{
	switch (state) {
	case MODULE_ABSENT:
		return "not installed";
	case MODULE_INSTALLED:
		return "installed, not loaded";
	case MODULE_LOADED:
		return "loaded";
	}
	return "unknown";
}
