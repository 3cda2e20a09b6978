// SPDX-License-Identifier: GPL-2.0
/* What the figures of this machine are worth: its clock, its kernel, who runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "machine.h"
#include "rooted.h"

#define CLOCKSOURCE	"sys/devices/system/clocksource/clocksource0"

static bool has_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = strstr(line, word); at; at = strstr(at + len, word))
		if ((at == line || strchr(" \t:", at[-1])) && (!at[len] || strchr(" \n", at[len])))
			return true;
	return false;
}

/* The first CPU's line, cut off behind; to be freed */
static char *cpu_flags(const struct doctor *d)
{
	char *text = rooted_read(d->root, NULL, "proc/cpuinfo");
	char *line = text ? strstr(text, "\nflags") : NULL, *flags = NULL;

	if (line)
		flags = strndup(line + 1, strcspn(line + 1, "\n"));
	free(text);
	return flags;
}

/*
 * What CPUs call an invariant TSC, the kernel shows as two flags: at the same rate at
 * every frequency, and running in every idle state.
 */
static void check_tsc(struct doctor *d)
{
	char *flags = cpu_flags(d);
	bool constant = flags && has_word(flags, "constant_tsc");
	bool nonstop = flags && has_word(flags, "nonstop_tsc");

	if (!flags) {
		doctor_find(d, DOCTOR_UNKNOWN, "tsc",
			    "whether the TSC is invariant cannot be read");
	} else if (constant && nonstop) {
		doctor_find(d, DOCTOR_OK, "tsc", "the TSC is invariant");
	} else {
		doctor_find(d, DOCTOR_WARN, "tsc", "the TSC is not invariant (no %s): its rate may "
			    "change while it is measured with", constant ? "nonstop_tsc" :
			    nonstop ? "constant_tsc" : "constant_tsc, no nonstop_tsc");
		doctor_advise(d, d->hypervisor.present ?
			      "give the virtual machine an invariant TSC (QEMU, with KVM: -cpu "
			      "host,+invtsc)" :
			      "keep the CPU at one frequency and out of deep idle states: cpupower "
			      "frequency-set -g performance");
	}
	free(flags);
}

/* A TSC that the kernel came to distrust is none of the clock sources any more */
static void check_clocksource(struct doctor *d)
{
	char current[64], available[256];

	rooted_line(d->root, current, sizeof(current), CLOCKSOURCE "/current_clocksource");
	rooted_line(d->root, available, sizeof(available), CLOCKSOURCE "/available_clocksource");
	if (!*current || !*available) {
		doctor_find(d, DOCTOR_UNKNOWN, "clocksource",
			    "which clock source the kernel uses cannot be read");
	} else if (!strcmp(current, "tsc")) {
		doctor_find(d, DOCTOR_OK, "clocksource", "the kernel trusts the TSC");
	} else if (has_word(available, "tsc")) {
		doctor_find(d, DOCTOR_WARN, "clocksource", "the clock source is %s, though the "
			    "kernel has the TSC", current);
		doctor_advise(d, "echo tsc > /" CLOCKSOURCE "/current_clocksource");
	} else {
		doctor_find(d, DOCTOR_BAD, "clocksource", "the kernel does not trust the TSC (the "
			    "clock source is %s): results are INVALID", current);
		doctor_advise(d, "dmesg | grep -i tsc (says why; a firmware update, or without "
			      "tsc=unstable and notsc on the command line)");
	}
}

static void check_hypervisor(struct doctor *d)
{
	const struct hypervisor *hv = &d->hypervisor;

	if (!hv->present) {
		doctor_find(d, DOCTOR_OK, "hypervisor", "no hypervisor shows");
		return;
	}
	if (hv->emulator)
		doctor_find(d, DOCTOR_WARN, "hypervisor", "this machine is emulated (%s): the "
			    "figures say nothing about any hardware", hv->name);
	else
		doctor_find(d, DOCTOR_WARN, "hypervisor", "this is a virtual machine (%s): the "
			    "figures are of its host, too", hv->name);
	doctor_advise(d, "measure on the hardware itself");
}

/*
 * The kernel says what it is, in its version; of one that does not run, the
 * configuration does. Older patches had RT_FULL; RT_BASE alone is not it.
 */
static void check_preemption(struct doctor *d)
{
	bool rt;

	if (d->running && *d->version) {
		rt = version_is_rt(d->version);
		doctor_find(d, DOCTOR_OK, "preemption", "%s is %s PREEMPT_RT kernel (by its "
			    "version, %s)", d->release, rt ? "a" : "no", d->version);
		return;
	}
	if (!d->config.text || !d->config.exact) {
		doctor_find(d, DOCTOR_UNKNOWN, "preemption", "whether %s is a PREEMPT_RT kernel is "
			    "not known", d->release);
		return;
	}
	rt = kconfig_state(&d->config, "PREEMPT_RT") == KCONFIG_YES ||
	     kconfig_state(&d->config, "PREEMPT_RT_FULL") == KCONFIG_YES;
	doctor_find(d, DOCTOR_OK, "preemption", "%s is %s PREEMPT_RT kernel (by %s)", d->release,
		    rt ? "a" : "no", d->config.path);
}

void doctor_trust(struct doctor *d)
{
	/* arm64 has one counter for all, which the kernel never distrusts */
	if (!strcmp(d->arch, "x86_64")) {
		check_tsc(d);
		check_clocksource(d);
	}
	check_hypervisor(d);
	check_preemption(d);
}
