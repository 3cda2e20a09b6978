// SPDX-License-Identifier: GPL-2.0
/* The machine that is measured: what does not change during a run. */
#include <hwloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "cpulist.h"
#include "machine.h"
#include "sysfs.h"

#define CPU_DIR		"/sys/devices/system/cpu"

/*
 * The version string is decisive: it is made from the configuration. Neither
 * "-rt" in the release nor a missing /sys/kernel/realtime says anything.
 */
bool version_is_rt(const char *version)
{
	return strstr(version, "PREEMPT_RT") || strstr(version, "PREEMPT RT");
}

static void read_cpulist(char *buf, size_t len, const char *name)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	char line[MACHINE_CPULIST];

	buf[0] = '\0';
	if (!set)
		return;
	sysfs_line(line, sizeof(line), CPU_DIR "/%s", name);
	cpulist_parse(line, set);
	cpulist_print(set, buf, len);
	hwloc_bitmap_free(set);
}

/* arm64 has no names, but a register that tells makers, models and revisions apart */
static void read_cpu_register(char *buf, size_t len)
{
	char value[32];

	if (sysfs_line(value, sizeof(value), CPU_DIR "/cpu0/regs/identification/midr_el1"))
		snprintf(buf, len, "MIDR_EL1 %s", value);
}

static void read_cpu_model(char *buf, size_t len)
{
	char line[256];
	FILE *file;

	buf[0] = '\0';
	file = fopen("/proc/cpuinfo", "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		char *value = strstr(line, ": ");

		if (strncmp(line, "model name", strlen("model name")) || !value)
			continue;
		snprintf(buf, len, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
		break;
	}
	fclose(file);
	if (!*buf)
		read_cpu_register(buf, len);
}

void machine_read(struct machine *m)
{
	struct utsname uts;

	memset(m, 0, sizeof(*m));
	if (!uname(&uts)) {
		snprintf(m->release, sizeof(m->release), "%s", uts.release);
		snprintf(m->version, sizeof(m->version), "%s", uts.version);
		snprintf(m->arch, sizeof(m->arch), "%s", uts.machine);
	}
	m->rt = version_is_rt(m->version);
	read_cpu_model(m->cpu_model, sizeof(m->cpu_model));
	hypervisor_detect(&m->hypervisor);
	read_cpulist(m->isolated, sizeof(m->isolated), "isolated");
	read_cpulist(m->nohz_full, sizeof(m->nohz_full), "nohz_full");
}
