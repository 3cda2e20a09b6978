// SPDX-License-Identifier: GPL-2.0
/* A machine on which nothing stands in klat's way, for klat doctor to look at. */
#include <arpa/inet.h>
#include <elf.h>
#include <stdio.h>
#include <unistd.h>

#include "healthy_machine.h"
#include "unit.h"

#define SIGNATURE_MAGIC	"~Module signature appended~\n"

/* As the kernel has it, behind signer, key and signature */
struct signature_end {
	uint8_t algorithm;
	uint8_t hash;
	uint8_t id_type;
	uint8_t signer_len;
	uint8_t key_len;
	uint8_t zero[3];
	uint32_t signature_len;
};

struct image {
	unsigned char bytes[4096];
	size_t len;
};

static size_t append(struct image *image, const void *data, size_t len)
{
	size_t at = image->len;

	assert_true(at + len <= sizeof(image->bytes));
	memcpy(image->bytes + at, data, len);
	image->len += len;
	return at;
}

static void append_string(struct image *image, const char *key, const char *value)
{
	char text[256];
	int len = snprintf(text, sizeof(text), "%s=%s", key, value);

	append(image, text, (size_t)len + 1);
}

/* Just what libkmod reads: a .modinfo, and the names of the sections */
static void append_elf(struct image *image, const struct fake_module *module)
{
	static const char names[] = "\0.modinfo\0.shstrtab";
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(head),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};
	Elf64_Shdr sections[3] = { 0 };

	append(image, &head, sizeof(head));
	sections[1].sh_name = 1;
	sections[1].sh_type = SHT_PROGBITS;
	sections[1].sh_offset = image->len;
	append_string(image, "vermagic", module->vermagic);
	if (module->intree)
		append_string(image, "intree", "Y");
	sections[1].sh_size = image->len - sections[1].sh_offset;
	sections[2].sh_name = 10;
	sections[2].sh_type = SHT_STRTAB;
	sections[2].sh_offset = append(image, names, sizeof(names));
	sections[2].sh_size = sizeof(names);
	append(image, "\0\0\0\0\0\0\0", 8 - image->len % 8);
	head.e_shoff = append(image, sections, sizeof(sections));
	memcpy(image->bytes, &head, sizeof(head));
}

static void append_signature(struct image *image, const char *signer)
{
	struct signature_end end = {
		.algorithm = 1,		/* RSA */
		.hash = 4,		/* SHA-256 */
		.id_type = 1,		/* X.509 */
		.signer_len = (uint8_t)strlen(signer),
		.key_len = 4,
		.signature_len = htonl(8),
	};

	append(image, signer, strlen(signer));
	append(image, "key!signed..", 12);
	append(image, &end, sizeof(end));
	append(image, SIGNATURE_MAGIC, strlen(SIGNATURE_MAGIC));
}

/* @name: of the file, under the directory of the release */
void healthy_module(struct fake_machine *m, const char *name, const struct fake_module *module)
{
	struct image image = { .len = 0 };

	append_elf(&image, module);
	if (module->signer)
		append_signature(&image, module->signer);
	machine_bytes(m, image.bytes, image.len, "lib/modules/" RELEASE "/%s", name);
}

void healthy_modules(struct fake_machine *m, const struct fake_module *module)
{
	char name[64];

	for (size_t i = 0; module_names[i]; i++) {
		snprintf(name, sizeof(name), "updates/dkms/%s.ko", module_names[i]);
		healthy_module(m, name, module);
	}
}

void healthy_unlink(struct fake_machine *m, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", m->sys, name);
	assert_int_equal(unlink(path), 0);
}

static void add_build(struct fake_machine *m)
{
	machine_file(m, "12.12\n", "etc/debian_version");
	machine_file(m, "", "usr/bin/make");
	machine_file(m, "", "usr/bin/gcc-12");
	machine_link(m, "gcc-12", "usr/bin/gcc");
	machine_file(m, "", "usr/sbin/dkms");
	machine_file(m, "", "usr/bin/openssl");
	machine_file(m, "all:\n", "lib/modules/" RELEASE "/build/Makefile");
	machine_file(m, "#define UTS_RELEASE \"" RELEASE "\"\n",
		     "lib/modules/" RELEASE "/build/include/generated/utsrelease.h");
	machine_file(m,
		     "CONFIG_CC_VERSION_TEXT=\"gcc-12 (Debian 12.2.0-14) 12.2.0\"\n"
		     "CONFIG_GCC_VERSION=120200\nCONFIG_MODULES=y\nCONFIG_PCI_MSI=y\n"
		     "CONFIG_HIGH_RES_TIMERS=y\nCONFIG_DEBUG_FS=y\nCONFIG_TRACING=y\n"
		     "CONFIG_MODULE_SIG=y\n# CONFIG_MODULE_SIG_FORCE is not set\n"
		     "CONFIG_SECURITY_LOCKDOWN_LSM=y\nCONFIG_PREEMPT_RT=y\n",
		     "boot/config-" RELEASE);
	machine_file(m, "", "var/lib/dkms/klat/0.1.0/source/dkms.conf");
	machine_file(m, "", "var/lib/dkms/klat/kernel-" RELEASE "-x86_64");
}

static void add_modules(struct fake_machine *m)
{
	healthy_modules(m, &(struct fake_module){ .vermagic = VERMAGIC });
	healthy_module(m, "kernel/fs/fuse/fuse.ko",
		       &(struct fake_module){ .vermagic = VERMAGIC, .intree = true });
	machine_file(m,
		     "updates/dkms/msi_lat.ko:\nupdates/dkms/msi_jitter.ko:\n"
		     "kernel/fs/fuse/fuse.ko:\nupdates/dkms/mmio_latency.ko:\n"
		     "updates/dkms/hwlat_detector.ko:\nupdates/dkms/caterpillar.ko:\n",
		     "lib/modules/" RELEASE "/modules.dep");
}

/* sysfs is the top of the tree: what is to be under /sys is found there, too */
static void add_kernel(struct fake_machine *m)
{
	machine_link(m, ".", "sys");
	machine_file(m, "N\n", "module/module/parameters/sig_enforce");
	machine_file(m, "[none] integrity confidentiality\n", "kernel/security/lockdown");
	machine_file(m,
		     "securityfs /sys/kernel/security securityfs rw 0 0\n"
		     "debugfs /sys/kernel/debug debugfs rw 0 0\n"
		     "tracefs /sys/kernel/tracing tracefs rw 0 0\n"
		     "efivarfs /sys/firmware/efi/efivars efivarfs rw 0 0\n", "proc/self/mounts");
	machine_file(m, "root=/dev/sda1 quiet\n", "proc/cmdline");
	machine_file(m, "processor\t: 0\nmodel name\t: any\nflags\t\t: fpu tsc constant_tsc "
		     "nonstop_tsc\nbugs\t\t:\n", "proc/cpuinfo");
	machine_file(m, "tsc\n", "devices/system/clocksource/clocksource0/current_clocksource");
	machine_file(m, "tsc hpet acpi_pm \n",
		     "devices/system/clocksource/clocksource0/available_clocksource");
}

int healthy_setup(void **state)
{
	struct fake_device nic = {
		.bdf = "0000:01:00.0",
		.vendor = 0x8086,
		.device = 0x1533,
		.class = 0x0200,
	};

	if (machine_setup(state))
		return -1;
	add_build(*state);
	add_modules(*state);
	add_kernel(*state);
	machine_add(*state, &nic);
	return 0;
}

struct doctor healthy_doctor(struct fake_machine *m)
{
	static char nothing[] = "";

	return (struct doctor) {
		.root = m->sys,
		.release = RELEASE,
		.running = true,
		.version = "#1 SMP PREEMPT_RT Debian 6.1.192-1",
		.arch = "x86_64",
		.inventory = &m->inv,
		.kernel_log = nothing,
	};
}

static const char *or_none(const char *text)
{
	return text ? text : "none";
}

void finds(struct doctor *d, const char *id, enum doctor_status status, const char *text,
	   const char *advice)
{
	if (!d->nr)
		doctor_examine(d);
	for (size_t i = 0; i < d->nr; i++) {
		const struct finding *f = &d->findings[i];

		if (strcmp(f->id, id) || !strstr(f->text, text))
			continue;
		if (f->status != status || !f->advice != !advice ||
		    (advice && !strstr(f->advice, advice)))
			fail_msg("%s: %s (%s)", doctor_status_text(f->status), f->text,
				 or_none(f->advice));
		return;
	}
	for (size_t i = 0; i < d->nr; i++)
		print_message("%s %s: %s (%s)\n", doctor_status_text(d->findings[i].status),
			      d->findings[i].id, d->findings[i].text,
			      or_none(d->findings[i].advice));
	fail_msg("no %s with '%s'", id, text);
}

void finds_nothing(struct doctor *d, const char *id)
{
	if (!d->nr)
		doctor_examine(d);
	for (size_t i = 0; i < d->nr; i++)
		if (!strcmp(d->findings[i].id, id))
			fail_msg("%s: %s", id, d->findings[i].text);
}
