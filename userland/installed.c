// SPDX-License-Identifier: GPL-2.0
/* klat's modules as they are installed for a kernel, by their files. */
#include <fts.h>
#include <libkmod.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "installed.h"
#include "module.h"

static void copy_info(struct installed_module *m, const char *key, const char *value)
{
	if (!strcmp(key, "vermagic"))
		snprintf(m->vermagic, sizeof(m->vermagic), "%s", value);
	else if (!strcmp(key, "sig_id"))
		m->is_signed = true;
	else if (!strcmp(key, "signer"))
		snprintf(m->signer, sizeof(m->signer), "%s", value);
	else if (!strcmp(key, "intree"))
		m->intree = !strcmp(value, "Y");
}

static void read_info(struct installed_module *m, struct kmod_module *mod)
{
	struct kmod_list *info = NULL, *entry;

	if (kmod_module_get_info(mod, &info) < 0)
		return;
	m->readable = true;
	for (entry = info; entry; entry = kmod_list_next(info, entry))
		copy_info(m, kmod_module_info_get_key(entry), kmod_module_info_get_value(entry));
	kmod_module_info_free_list(info);
}

/* @dir: of the release; a context of its own, as libkmod takes a name for one file only */
static void read_file(struct installed_module *m, const char *dir)
{
	static const char *const no_config[] = { NULL };
	struct kmod_ctx *ctx = kmod_new(dir, no_config);
	struct kmod_module *mod;
	char path[PATH_MAX];

	if (!ctx)
		return;
	snprintf(path, sizeof(path), "%s/%s", dir, m->path);
	module_quiet(ctx);
	if (!kmod_module_new_from_path(ctx, path, &mod)) {
		read_info(m, mod);
		kmod_module_unref(mod);
	}
	kmod_unref(ctx);
}

/* The name of the module in that file, "" if there is none: .ko, and the packed ones */
static void module_name(const char *file, char *buf, size_t len)
{
	const char *end = strstr(file, ".ko");

	buf[0] = '\0';
	if (!end || (end[3] && end[3] != '.'))
		return;
	snprintf(buf, len, "%.*s", (int)(end - file), file);
	for (char *dash = strchr(buf, '-'); dash; dash = strchr(dash, '-'))
		*dash = '_';
}

static void look_at(struct installed *all, const char *dir, const char *path, const char *file)
{
	struct installed_module *m = &all->reference;
	char name[64];

	module_name(file, name, sizeof(name));
	if (!*name)
		return;
	for (size_t i = 0; i < all->nr; i++) {
		struct installed_module *ours = &all->modules[i];

		if (strcmp(ours->name, name))
			continue;
		if (*ours->path)
			return;
		snprintf(ours->path, sizeof(ours->path), "%s", path);
		read_file(ours, dir);
		all->found++;
		return;
	}
	if (m->intree || strncmp(path, "kernel/", strlen("kernel/")))
		return;
	snprintf(m->path, sizeof(m->path), "%s", path);
	read_file(m, dir);
	if (!m->intree)
		memset(m, 0, sizeof(*m));
}

/* Of two files with a module, modprobe's choice is the one in updates/ */
static int by_name_backwards(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*b)->fts_name, (*a)->fts_name);
}

/* By a walk, so that also those are found that depmod has not seen */
void installed_read(struct installed *all, const char *root, const char *release)
{
	char dir[PATH_MAX], *paths[] = { dir, NULL };
	FTSENT *entry;
	size_t skip;
	FTS *walk;

	memset(all, 0, sizeof(*all));
	all->release = release;
	for (; module_names[all->nr]; all->nr++)
		all->modules[all->nr].name = module_names[all->nr];
	skip = (size_t)snprintf(dir, sizeof(dir), "%s/lib/modules/%s", root, release) + 1;
	walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name_backwards);
	while (walk && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL)
			look_at(all, dir, entry->fts_path + skip, entry->fts_name);
	if (walk)
		fts_close(walk);
}

/* What comes behind the release */
static const char *tail_of(const char *vermagic)
{
	return vermagic + strcspn(vermagic, " ");
}

static bool is_of_release(const char *vermagic, const char *release)
{
	size_t len = strcspn(vermagic, " ");

	return len == strlen(release) && !strncmp(vermagic, release, len);
}

/* The kernel's own vermagic is seen in any module that came with it */
bool installed_is_other(const struct installed *all, const struct installed_module *m)
{
	const char *wanted = all->reference.vermagic;

	if (!*m->path || !m->readable)
		return false;
	if (*wanted)
		return strcmp(m->vermagic, wanted);
	return !is_of_release(m->vermagic, all->release);
}

/* With modversions the kernel compares what is behind the release, and the symbols */
bool installed_is_refused(const struct installed *all, const struct installed_module *m)
{
	const char *wanted = all->reference.vermagic;

	return installed_is_other(all, m) &&
	       !(strstr(m->vermagic, " modversions ") && *wanted &&
		 !strcmp(tail_of(m->vermagic), tail_of(wanted)));
}
