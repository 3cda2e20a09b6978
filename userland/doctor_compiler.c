// SPDX-License-Identifier: GPL-2.0
/* Whether this machine has what the kernel was compiled with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "rooted.h"

static unsigned int config_number(const struct doctor *d, const char *option)
{
	char value[16];

	kconfig_value(&d->config, option, value, sizeof(value));
	return (unsigned int)strtoul(value, NULL, 10);
}

static void check_make(struct doctor *d)
{
	if (doctor_has_program(d, "make"))
		return;
	doctor_find(d, doctor_no_build(d), "make", "there is no make");
	doctor_advise(d, doctor_uses_apt(d) ? "apt-get install make" : "install make");
}

/* kbuild's own compiler is gcc, whose options clang's kernels do not go with */
static void check_clang(struct doctor *d, unsigned int major)
{
	bool lld = kconfig_state(&d->config, "LD_IS_LLD") == KCONFIG_YES;

	if (doctor_has_program(d, "clang") && (!lld || doctor_has_program(d, "ld.lld"))) {
		doctor_find(d, DOCTOR_WARN, "compiler", "%s was built by clang %u%s: so have "
			    "modules to be, and gcc is what is taken without a word", d->release,
			    major, lld ? " and lld" : "");
		doctor_advise(d, "make LLVM=1 modules");
		return;
	}
	doctor_find(d, doctor_no_build(d), "compiler", "%s was built by clang %u%s, which is "
		    "not here", d->release, major, lld ? " and lld" : "");
	doctor_advise(d, "%s clang%s, then make LLVM=1 modules",
		      doctor_uses_apt(d) ? "apt-get install" : "install", lld ? " lld" : "");
}

/* The major version in the name of what gcc is a link to, as Debian has it; 0: unknown */
static unsigned int gcc_major(const struct doctor *d)
{
	char name[64];
	const char *at;

	if (!rooted_link(d->root, name, sizeof(name), "usr/bin/gcc"))
		return 0;
	at = strrchr(name, '-');
	return at ? (unsigned int)strtoul(at + 1, NULL, 10) : 0;
}

static void advise_gcc(struct doctor *d, unsigned int major)
{
	if (doctor_uses_apt(d))
		doctor_advise(d, "apt-get install gcc-%u", major);
	else
		doctor_advise(d, "install gcc %u", major);
}

static void check_gcc(struct doctor *d, unsigned int major)
{
	unsigned int ours = gcc_major(d);
	char name[32];

	snprintf(name, sizeof(name), "gcc-%u", major);
	if (doctor_has_program(d, name) || ours == major) {
		doctor_find(d, DOCTOR_OK, "compiler", "%s was built by gcc %u, which is here",
			    d->release, major);
	} else if (!doctor_has_program(d, "gcc")) {
		doctor_find(d, doctor_no_build(d), "compiler", "%s was built by gcc %u, and there "
			    "is no gcc", d->release, major);
		advise_gcc(d, major);
	} else if (!ours) {
		doctor_find(d, DOCTOR_UNKNOWN, "compiler", "%s was built by gcc %u; which one gcc "
			    "is does not show", d->release, major);
		doctor_advise(d, "gcc --version (should be %u)", major);
	} else {
		doctor_find(d, DOCTOR_WARN, "compiler", "%s was built by gcc %u, and gcc is %u",
			    d->release, major, ours);
		advise_gcc(d, major);
	}
}

void doctor_compiler(struct doctor *d)
{
	check_make(d);
	if (kconfig_state(&d->config, "CC_IS_CLANG") == KCONFIG_YES)
		check_clang(d, config_number(d, "CLANG_VERSION") / 10000);
	else if (config_number(d, "GCC_VERSION"))
		check_gcc(d, config_number(d, "GCC_VERSION") / 10000);
	else
		doctor_find(d, DOCTOR_UNKNOWN, "compiler", "what %s was compiled with is not known",
			    d->release);
}
