// SPDX-License-Identifier: GPL-2.0
/* Whether the modules are where modprobe looks, are for that kernel, and can be read from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "rooted.h"

/* Those of klat's modules of which @is holds, with ", " between them; how many */
static size_t names_where(const struct doctor *d,
			  bool (*is)(const struct doctor *d, const struct installed_module *m),
			  char *buf, size_t len)
{
	size_t nr = 0, used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < d->installed.nr; i++) {
		const struct installed_module *m = &d->installed.modules[i];

		if (!is(d, m))
			continue;
		if (used < len)
			used += (size_t)snprintf(buf + used, len - used, "%s%s", nr ? ", " : "",
						 m->name);
		nr++;
	}
	return nr;
}

static bool is_missing(const struct doctor *d, const struct installed_module *m)
{
	(void)d;
	return !*m->path;
}

static bool is_loaded(const struct doctor *d, const struct installed_module *m)
{
	return d->running && rooted_exists(d->root, "sys/module/%s", m->name);
}

static void check_installed(struct doctor *d)
{
	char missing[256], loaded[256];
	size_t nr = names_where(d, is_missing, missing, sizeof(missing));

	if (!nr) {
		doctor_find(d, DOCTOR_OK, "modules", "all %zu modules are installed for %s",
			    d->installed.nr, d->release);
		return;
	}
	/* the tool can measure with what somebody else loaded */
	names_where(d, is_loaded, loaded, sizeof(loaded));
	doctor_find(d, d->installed.found || *loaded ? DOCTOR_WARN : DOCTOR_BAD, "modules",
		    "not installed for %s: %s%s%s", d->release, missing,
		    *loaded ? "; loaded by hand: " : "", loaded);
	doctor_advise_build(d, "");
}

/* A line of modules.dep begins with a module's path, and a colon */
static bool depmod_knows(const char *dep, const char *path)
{
	size_t len = strlen(path);

	for (; *dep; dep += strcspn(dep, "\n"), dep += *dep == '\n')
		if (!strncmp(dep, path, len) && dep[len] == ':')
			return true;
	return false;
}

static void check_depmod(struct doctor *d)
{
	char *dep = rooted_read(d->root, NULL, "lib/modules/%s/modules.dep", d->release);

	for (size_t i = 0; i < d->installed.nr; i++) {
		const struct installed_module *m = &d->installed.modules[i];

		if (!*m->path || (dep && depmod_knows(dep, m->path)))
			continue;
		doctor_find(d, DOCTOR_BAD, "depmod", "%s is installed, but modprobe does not know "
			    "it", m->name);
		doctor_advise(d, "depmod %s", d->release);
		break;
	}
	free(dep);
}

static bool is_other(const struct doctor *d, const struct installed_module *m)
{
	return installed_is_other(&d->installed, m);
}

static bool is_refused(const struct doctor *d, const struct installed_module *m)
{
	return installed_is_refused(&d->installed, m);
}

static bool is_unreadable(const struct doctor *d, const struct installed_module *m)
{
	(void)d;
	return *m->path && !m->readable;
}

static const struct installed_module *first_where(const struct doctor *d,
		bool (*is)(const struct doctor *d, const struct installed_module *m))
{
	for (size_t i = 0; i < d->installed.nr; i++)
		if (is(d, &d->installed.modules[i]))
			return &d->installed.modules[i];
	return NULL;
}

static void check_vermagic(struct doctor *d)
{
	const struct installed_module *reference = &d->installed.reference;
	char names[256];

	if (!d->installed.found)
		return;
	if (names_where(d, is_unreadable, names, sizeof(names))) {
		doctor_find(d, DOCTOR_UNKNOWN, "vermagic", "what these were built for cannot be "
			    "read: %s", names);
		doctor_advise(d, "modinfo %s", first_where(d, is_unreadable)->name);
	}
	if (names_where(d, is_refused, names, sizeof(names))) {
		doctor_find(d, DOCTOR_BAD, "vermagic", "%s: built for '%s', and the kernel is '%s'",
			    names, first_where(d, is_refused)->vermagic,
			    *reference->vermagic ? reference->vermagic : d->release);
		doctor_advise_build(d, "");
	} else if (names_where(d, is_other, names, sizeof(names))) {
		doctor_find(d, DOCTOR_WARN, "vermagic", "%s: built for '%s', which %s takes only "
			    "as long as the symbols' versions are the same", names,
			    first_where(d, is_other)->vermagic, d->release);
		doctor_advise_build(d, "");
	} else if (!first_where(d, is_unreadable)) {
		doctor_find(d, DOCTOR_OK, "vermagic", "the modules were built for this kernel");
	}
}

static void check_mounts(struct doctor *d)
{
	static const struct {
		const char *type;
		const char *where;
		const char *without;
	} wanted[] = {
		{ "debugfs", "/sys/kernel/debug", "current_value and its like are not there" },
		{ "tracefs", "/sys/kernel/tracing", "there is no trace to look at" },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const char *type = wanted[i].type;

		switch (doctor_is_mounted(d, type)) {
		case ANSWER_UNKNOWN:
			doctor_find(d, DOCTOR_UNKNOWN, type, "whether %s is mounted cannot be read",
				    type);
			break;
		case ANSWER_YES:
			doctor_find(d, DOCTOR_OK, type, "%s is mounted", type);
			break;
		case ANSWER_NO:
			doctor_find(d, DOCTOR_WARN, type, "%s is not mounted: %s", type,
				    wanted[i].without);
			doctor_advise(d, "mount -t %s %s %s", type, type, wanted[i].where);
		}
	}
}

void doctor_load(struct doctor *d)
{
	check_installed(d);
	check_depmod(d);
	check_vermagic(d);
	check_mounts(d);
}
