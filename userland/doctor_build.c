// SPDX-License-Identifier: GPL-2.0
/* Whether modules can be built for the kernel: itself, its headers, its options, DKMS. */
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "rooted.h"

/* Of a tree of headers: the release it is of */
#define UTSRELEASE	"include/generated/utsrelease.h"

#define OLDEST_MAJOR	6
#define OLDEST_MINOR	1

/* What the modules' own build refuses, too: see drivers/compat/compat.h */
static void check_kernel(struct doctor *d)
{
	unsigned int major = 0, minor = 0;

	if (strcmp(d->arch, "x86_64") && strcmp(d->arch, "aarch64")) {
		doctor_find(d, DOCTOR_BAD, "kernel", "klat cannot read the clock of a %s", d->arch);
		doctor_advise(d, "use a machine with x86-64 or arm64");
		return;
	}
	if (sscanf(d->release, "%u.%u", &major, &minor) != 2) {
		doctor_find(d, DOCTOR_UNKNOWN, "kernel", "which Linux %s is cannot be told",
			    d->release);
		return;
	}
	if (major > OLDEST_MAJOR || (major == OLDEST_MAJOR && minor >= OLDEST_MINOR)) {
		doctor_find(d, DOCTOR_OK, "kernel", "Linux %u.%u on %s", major, minor, d->arch);
		return;
	}
	doctor_find(d, DOCTOR_BAD, "kernel", "klat needs Linux %u.%u or newer, and this is %u.%u",
		    OLDEST_MAJOR, OLDEST_MINOR, major, minor);
	doctor_advise(d, "boot a newer kernel");
}

/*
 * The flavour of a Debian kernel's release, "" for none: "rt-amd64" of both
 * 6.1.0-57-rt-amd64 and 6.12.57+deb13-rt-amd64. It names the package that always
 * depends on the newest kernel.
 */
static const char *flavour_of(const char *release)
{
	static const char *const flavours[] = {
		"-cloud-amd64", "-rt-amd64", "-amd64", "-cloud-arm64", "-rt-arm64", "-arm64",
	};
	size_t len = strlen(release);

	for (size_t i = 0; i < sizeof(flavours) / sizeof(flavours[0]); i++) {
		size_t tail = strlen(flavours[i]);

		if (len > tail && !strcmp(release + len - tail, flavours[i]))
			return flavours[i] + 1;
	}
	return "";
}

static void advise_headers(struct doctor *d)
{
	const char *flavour = flavour_of(d->release);

	if (!doctor_uses_apt(d))
		doctor_advise(d, "install the headers of exactly %s, from where that kernel is "
			      "from; of one that you built: make modules KDIR=ITS-BUILD-TREE",
			      d->release);
	else if (*flavour)
		doctor_advise(d, "apt-get install linux-headers-%s (if there is no such package "
			      "any more: apt-get install linux-image-%s linux-headers-%s, and "
			      "reboot)",
			      d->release, flavour, flavour);
	else
		doctor_advise(d, "apt-get install linux-headers-%s", d->release);
}

/*
 * Whose headers are in the build directory. On Debian, include/config/kernel.release has
 * the version of the source and not the release, which also has the flavour.
 */
static bool headers_release(const struct doctor *d, char *buf, size_t len)
{
	char *text = rooted_read(d->root, NULL, "lib/modules/%s/build/" UTSRELEASE, d->release);
	char *at = text ? strstr(text, "UTS_RELEASE \"") : NULL;

	buf[0] = '\0';
	if (at) {
		at += strlen("UTS_RELEASE \"");
		snprintf(buf, len, "%.*s", (int)strcspn(at, "\"\n"), at);
	}
	free(text);
	return *buf;
}

/* The releases whose headers are there, into @buf, as a part of a sentence */
static void list_other_headers(const struct doctor *d, char *buf, size_t len)
{
	char path[PATH_MAX];
	size_t used = 0;
	glob_t found;

	buf[0] = '\0';
	snprintf(path, sizeof(path), "%s/usr/src/linux-headers-*/" UTSRELEASE, d->root);
	for (size_t i = glob(path, 0, NULL, &found) ? SIZE_MAX : 0;
	     i < found.gl_pathc && used < len; i++) {
		const char *name = strstr(found.gl_pathv[i], "/linux-headers-") + 15;

		used += (size_t)snprintf(buf + used, len - used, "%s%.*s",
					 i ? ", " : "; there are those of ",
					 (int)strcspn(name, "/"), name);
	}
	globfree(&found);
}

static void check_headers(struct doctor *d)
{
	char theirs[128], others[512];

	if (!rooted_exists(d->root, "lib/modules/%s/build/Makefile", d->release)) {
		list_other_headers(d, others, sizeof(others));
		doctor_find(d, doctor_no_build(d), "headers", "the headers of %s are missing%s",
			    d->release, others);
		advise_headers(d);
		return;
	}
	if (!headers_release(d, theirs, sizeof(theirs))) {
		doctor_find(d, doctor_no_build(d), "headers", "/lib/modules/%s/build is no tree "
			    "that modules can be built with: nothing says which release it is of",
			    d->release);
		advise_headers(d);
	} else if (strcmp(theirs, d->release)) {
		doctor_find(d, doctor_no_build(d), "headers", "/lib/modules/%s/build has the "
			    "headers of another kernel, %s", d->release, theirs);
		advise_headers(d);
	} else {
		doctor_find(d, DOCTOR_OK, "headers", "the headers of %s are there", d->release);
	}
}

static const struct needed_option {
	const char *name;
	enum doctor_status without;
	const char *why;
} needed_options[] = {
	{ "MODULES", DOCTOR_BAD, "no module can be loaded" },
	{ "PCI_MSI", DOCTOR_BAD, "klat cannot be built" },
	{ "HIGH_RES_TIMERS", DOCTOR_BAD, "klat cannot be built" },
	{ "DEBUG_FS", DOCTOR_WARN, "a module alone shows no results: the tool has to be used" },
	{ "TRACING", DOCTOR_WARN, "--limit has no trace to freeze" },
};

static bool check_option(struct doctor *d, const struct needed_option *o)
{
	if (kconfig_state(&d->config, o->name) != KCONFIG_NO)
		return true;
	/* a configuration that may be another's proves nothing */
	doctor_find(d, d->config.exact ? o->without : DOCTOR_UNKNOWN, "kconfig",
		    "CONFIG_%s is not set in %s: %s", o->name, d->config.path, o->why);
	doctor_advise(d, "boot a kernel with CONFIG_%s=y, such as any of Debian's", o->name);
	return false;
}

static void check_options(struct doctor *d)
{
	size_t nr = sizeof(needed_options) / sizeof(needed_options[0]), there = 0;

	if (!d->config.text) {
		doctor_find(d, DOCTOR_UNKNOWN, "kconfig", "the configuration of %s is neither in "
			    "/proc, /boot nor /lib/modules: its options are not known", d->release);
		doctor_advise(d, "modprobe configs (makes /proc/config.gz, where the kernel has "
			      "it)");
		return;
	}
	for (size_t i = 0; i < nr; i++)
		there += check_option(d, &needed_options[i]);
	if (there != nr)
		return;
	if (d->config.exact) {
		doctor_find(d, DOCTOR_OK, "kconfig", "%s has all options that klat needs",
			    d->config.path);
		return;
	}
	doctor_find(d, DOCTOR_WARN, "kconfig", "%s has all options that klat needs, but may be of "
		    "another kernel than %s", d->config.path, d->release);
	doctor_advise(d, "compare it with /proc/config.gz (modprobe configs)");
}

/* Without openssl DKMS has no key, and leaves modules unsigned without a word */
static void check_openssl(struct doctor *d)
{
	if (doctor_has_program(d, "openssl"))
		return;
	doctor_find(d, DOCTOR_WARN, "openssl", "DKMS cannot sign without openssl, and says "
		    "nothing: what it builds is unsigned");
	doctor_advise(d, doctor_uses_apt(d) ? "apt-get install openssl" : "install openssl");
}

static void check_dkms(struct doctor *d)
{
	struct dkms dkms;

	if (!doctor_has_program(d, "dkms")) {
		doctor_find(d, DOCTOR_WARN, "dkms", "there is no DKMS: nothing builds the modules "
			    "for the kernels to come");
		doctor_advise(d, doctor_uses_apt(d) ? "apt-get install dkms openssl" :
			      "install dkms and openssl");
		return;
	}
	check_openssl(d);
	doctor_read_dkms(d, &dkms);
	switch (dkms.state) {
	case DKMS_ABSENT:
		doctor_find(d, DOCTOR_WARN, "dkms", "DKMS does not have klat");
		break;
	case DKMS_ADDED:
		doctor_find(d, DOCTOR_WARN, "dkms", "DKMS has klat %s, but not built it for %s",
			    dkms.version, d->release);
		break;
	case DKMS_BUILT:
		doctor_find(d, DOCTOR_WARN, "dkms", "DKMS has built klat %s for %s, but not "
			    "installed it", dkms.version, d->release);
		break;
	case DKMS_INSTALLED:
		doctor_find(d, DOCTOR_OK, "dkms", "DKMS has installed klat %s for %s",
			    dkms.version, d->release);
		return;
	}
	doctor_advise_build(d, "");
}

void doctor_build(struct doctor *d)
{
	check_kernel(d);
	check_headers(d);
	check_options(d);
	check_dkms(d);
}
