// SPDX-License-Identifier: GPL-2.0
/* The findings, and what the checks of klat doctor have in common. */
#include <err.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "exit_code.h"
#include "rooted.h"

static char *sentence(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		err(EXIT_DOUBT, "out of memory");
	return text;
}

void doctor_find(struct doctor *d, enum doctor_status status, const char *id,
		 const char *format, ...)
{
	struct finding *all = reallocarray(d->findings, d->nr + 1, sizeof(*all));
	va_list args;

	if (!all)
		err(EXIT_DOUBT, "out of memory");
	va_start(args, format);
	all[d->nr] = (struct finding) {
		.group = d->group,
		.id = id,
		.status = status,
		.text = sentence(format, args),
	};
	va_end(args);
	d->findings = all;
	d->nr++;
}

void doctor_advise(struct doctor *d, const char *format, ...)
{
	struct finding *last = &d->findings[d->nr - 1];
	va_list args;

	free(last->advice);
	va_start(args, format);
	last->advice = sentence(format, args);
	va_end(args);
}

/* Where the shell of root and of DKMS would find it */
bool doctor_has_program(const struct doctor *d, const char *name)
{
	static const char *const dirs[] = {
		"usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin",
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (rooted_exists(d->root, "%s/%s", dirs[i], name))
			return true;
	return false;
}

/* Debian, and what is made from it: the names of packages are those of Debian */
bool doctor_uses_apt(const struct doctor *d)
{
	return rooted_exists(d->root, "etc/debian_version");
}

enum doctor_status doctor_no_build(const struct doctor *d)
{
	for (size_t i = 0; i < d->installed.nr; i++) {
		const struct installed_module *m = &d->installed.modules[i];

		if (!*m->path || !m->readable || installed_is_other(&d->installed, m))
			return DOCTOR_BAD;
	}
	return DOCTOR_WARN;
}

enum answer doctor_is_mounted(const struct doctor *d, const char *type)
{
	char *mounts = rooted_read(d->root, NULL, "proc/self/mounts"), key[32];
	enum answer answer = ANSWER_UNKNOWN;

	snprintf(key, sizeof(key), " %s ", type);
	if (mounts)
		answer = strstr(mounts, key) ? ANSWER_YES : ANSWER_NO;
	free(mounts);
	return answer;
}

/* The machine's names of architectures are not always those of uname */
static enum dkms_state dkms_state(const struct doctor *d, const char *dir)
{
	char path[PATH_MAX];
	glob_t found;
	bool built;

	if (rooted_exists(d->root, "var/lib/dkms/klat/kernel-%s-%s", d->release, d->arch))
		return DKMS_INSTALLED;
	snprintf(path, sizeof(path), "%s/%s/*/module", dir, d->release);
	built = !glob(path, 0, NULL, &found);
	globfree(&found);
	return built ? DKMS_BUILT : DKMS_ADDED;
}

/* The newest version by name, where DKMS has several */
void doctor_read_dkms(const struct doctor *d, struct dkms *dkms)
{
	char path[PATH_MAX];
	glob_t found;

	memset(dkms, 0, sizeof(*dkms));
	snprintf(path, sizeof(path), "%s/var/lib/dkms/klat/[0-9]*", d->root);
	if (!glob(path, 0, NULL, &found)) {
		const char *dir = found.gl_pathv[found.gl_pathc - 1];

		snprintf(dkms->version, sizeof(dkms->version), "%s", strrchr(dir, '/') + 1);
		dkms->state = dkms_state(d, dir);
	}
	globfree(&found);
}

/* How modules for that kernel are made, and made anew if there are some */
void doctor_advise_build(struct doctor *d, const char *first)
{
	struct dkms dkms;

	doctor_read_dkms(d, &dkms);
	switch (dkms.state) {
	case DKMS_ABSENT:
		doctor_advise(d, "%sin klat's source: make dkms-install (without DKMS: make "
			      "install KDIR=/lib/modules/%s/build)", first, d->release);
		break;
	case DKMS_ADDED:
	case DKMS_BUILT:
		doctor_advise(d, "%sdkms install klat/%s -k %s", first, dkms.version, d->release);
		break;
	case DKMS_INSTALLED:
		doctor_advise(d, "%sdkms remove klat/%s -k %s && dkms install klat/%s -k %s",
			      first, dkms.version, d->release, dkms.version, d->release);
		break;
	}
}

void doctor_examine(struct doctor *d)
{
	kconfig_read(&d->config, d->root, d->release, d->running);
	installed_read(&d->installed, d->root, d->release);
	d->group = "build";
	doctor_build(d);
	doctor_compiler(d);
	d->group = "load";
	doctor_load(d);
	doctor_signature(d);
	d->group = "devices";
	doctor_devices(d);
	d->group = "trust";
	doctor_trust(d);
	d->group = "log";
	doctor_logs(d);
}

void doctor_free(struct doctor *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		free(d->findings[i].text);
		free(d->findings[i].advice);
	}
	free(d->findings);
	kconfig_free(&d->config);
	d->findings = NULL;
	d->nr = 0;
}

bool doctor_is_fine(const struct doctor *d)
{
	for (size_t i = 0; i < d->nr; i++)
		if (d->findings[i].status == DOCTOR_BAD)
			return false;
	return true;
}

const char *doctor_status_text(enum doctor_status status)
{
	switch (status) {
	case DOCTOR_OK:
		return "ok";
	case DOCTOR_WARN:
		return "warn";
	case DOCTOR_BAD:
		return "bad";
	case DOCTOR_UNKNOWN:
		break;
	}
	return "unknown";
}
