// SPDX-License-Identifier: GPL-2.0
/* Asks the CPU, or the firmware's tables, who runs this machine. */
#include <stdio.h>
#include <string.h>

#include "hypervisor.h"
#include "sysfs.h"

static void set_name(struct hypervisor *hv, const char *name)
{
	hv->present = true;
	snprintf(hv->name, sizeof(hv->name), "%s", name);
}

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#define CPUID_HYPERVISOR_BIT	(1U << 31)
#define CPUID_HYPERVISOR_LEAF	0x40000000U

static const struct {
	char signature[13];
	const char *name;
	bool emulator;
} known[] = {
	{ "TCGTCGTCGTCG", "QEMU TCG", true },
	{ "KVMKVMKVM\0\0\0", "KVM", false },
	{ "Linux KVM Hv", "KVM", false },
	{ "Microsoft Hv", "Hyper-V", false },
	{ "VMwareVMware", "VMware", false },
	{ "XenVMMXenVMM", "Xen", false },
	{ "VBoxVBoxVBox", "VirtualBox", false },
	{ "ACRNACRNACRN", "ACRN", false },
	{ "Jailhouse\0\0\0", "Jailhouse", false },
	{ "bhyve bhyve ", "bhyve", false },
};

static void detect(struct hypervisor *hv)
{
	unsigned int eax, ebx, ecx, edx;
	char signature[13] = "";

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & CPUID_HYPERVISOR_BIT))
		return;
	__cpuid(CPUID_HYPERVISOR_LEAF, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(known[i].signature, signature, 12))
			continue;
		set_name(hv, known[i].name);
		hv->emulator = known[i].emulator;
		return;
	}
	set_name(hv, *signature ? signature : "unknown hypervisor");
}
#else
/* No instruction tells KVM from software emulation here */
static void detect(struct hypervisor *hv)
{
	char line[64];

	if (sysfs_line(line, sizeof(line), "/sys/hypervisor/type") ||
	    sysfs_line(line, sizeof(line), "/proc/device-tree/hypervisor/compatible")) {
		set_name(hv, line);
		return;
	}
	if (sysfs_line(line, sizeof(line), "/sys/class/dmi/id/sys_vendor") &&
	    strstr(line, "QEMU"))
		set_name(hv, "QEMU");
	if (sysfs_line(line, sizeof(line), "/proc/device-tree/compatible") &&
	    !strncmp(line, "linux,dummy-virt", strlen("linux,dummy-virt")))
		set_name(hv, "QEMU");
}
#endif

void hypervisor_detect(struct hypervisor *hv)
{
	memset(hv, 0, sizeof(*hv));
	detect(hv);
}
