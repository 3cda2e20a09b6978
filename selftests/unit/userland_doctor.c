// SPDX-License-Identifier: GPL-2.0
/* What klat doctor finds on machines that are ill in one way each. */
#include <jansson.h>
#include <stdio.h>
#include <zlib.h>

#include "healthy_machine.h"
#include "kconfig.h"
#include "unit.h"

#define MODULES		"lib/modules/" RELEASE
#define CLOCKSOURCE	"devices/system/clocksource/clocksource0"

/* What hinders building is in the way where there are no modules yet */
static void remove_modules(struct fake_machine *m)
{
	char name[128];

	for (size_t i = 0; module_names[i]; i++) {
		snprintf(name, sizeof(name), MODULES "/updates/dkms/%s.ko", module_names[i]);
		healthy_unlink(m, name);
	}
}

static void test_healthy(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_scan(*state, NULL);
	doctor_examine(&d);
	for (size_t i = 0; i < d.nr; i++)
		if (d.findings[i].status != DOCTOR_OK || d.findings[i].advice)
			fail_msg("%s", d.findings[i].text);
	assert_true(d.nr > 15);
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
}

static void test_kernel(void **state)
{
	struct doctor d = healthy_doctor(*state), arm32 = d;

	d.release = "5.10.0-30-amd64";
	finds(&d, "kernel", DOCTOR_BAD, "needs Linux 6.1 or newer, and this is 5.10",
	      "newer kernel");
	doctor_free(&d);
	arm32.arch = "armv7l";
	finds(&arm32, "kernel", DOCTOR_BAD, "armv7l", "arm64");
	assert_false(doctor_is_fine(&arm32));
	doctor_free(&arm32);
}

static void test_headers_missing(void **state)
{
	static const struct {
		const char *release;
		const char *advice;
	} flavours[] = {
		{ "6.1.0-57-amd64", "install linux-headers-6.1.0-57-amd64 " },
		{ "6.1.0-57-amd64", "linux-image-amd64 linux-headers-amd64, and reboot" },
		{ "6.1.0-58-rt-amd64", "install linux-headers-6.1.0-58-rt-amd64 " },
		{ "6.1.0-58-rt-amd64", "linux-image-rt-amd64 linux-headers-rt-amd64, and reboot" },
		{ "6.12.57+deb13-cloud-amd64", "linux-headers-6.12.57+deb13-cloud-amd64 " },
		{ "6.12.57+deb13-cloud-amd64", "linux-headers-cloud-amd64, and reboot" },
		{ "6.8.1-1015-realtime", "apt-get install linux-headers-6.8.1-1015-realtime" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flavours); i++) {
		struct doctor d = healthy_doctor(*state);

		d.release = flavours[i].release;
		finds(&d, "headers", DOCTOR_BAD, "are missing", flavours[i].advice);
		doctor_free(&d);
	}
}

static void test_headers_elsewhere(void **state)
{
	struct doctor d = healthy_doctor(*state);

	remove_modules(*state);
	machine_file(*state, "",
		     "usr/src/linux-headers-6.1.0-56-amd64/include/generated/utsrelease.h");
	machine_file(*state, "",
		     "usr/src/linux-headers-6.1.0-57-amd64/include/generated/utsrelease.h");
	healthy_unlink(*state, MODULES "/build/Makefile");
	finds(&d, "headers", DOCTOR_BAD,
	      "are missing; there are those of 6.1.0-56-amd64, 6.1.0-57-amd64", RELEASE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, "etc/debian_version");
	finds(&d, "headers", DOCTOR_BAD, RELEASE, "exactly " RELEASE);
	doctor_free(&d);
}

/* A link whose target was removed with the package, and headers of another release */
static void test_headers_of_another(void **state)
{
	struct doctor d = healthy_doctor(*state);

	remove_modules(*state);
	machine_file(*state, "#define UTS_RELEASE \"6.1.0-57-amd64\"\n",
		     MODULES "/build/include/generated/utsrelease.h");
	finds(&d, "headers", DOCTOR_BAD, "of another kernel, 6.1.0-57-amd64",
	      "linux-headers-" RELEASE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, MODULES "/build/include/generated/utsrelease.h");
	finds(&d, "headers", DOCTOR_BAD, "no tree", "linux-headers-" RELEASE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	d.release = "6.1.1-amd64";
	machine_link(*state, "../../../usr/src/gone", "lib/modules/6.1.1-amd64/build");
	finds(&d, "headers", DOCTOR_BAD, "are missing", "linux-headers-6.1.1-amd64");
	doctor_free(&d);
}

static void test_compiler(void **state)
{
	struct doctor d = healthy_doctor(*state);

	remove_modules(*state);
	healthy_unlink(*state, "usr/bin/gcc-12");
	healthy_unlink(*state, "usr/bin/gcc");
	finds(&d, "compiler", DOCTOR_BAD, "built by gcc 12, and there is no gcc",
	      "apt-get install gcc-12");
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "", "usr/bin/gcc-14");
	machine_link(*state, "gcc-14", "usr/bin/gcc");
	finds(&d, "compiler", DOCTOR_WARN, "built by gcc 12, and gcc is 14",
	      "apt-get install gcc-12");
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, "usr/bin/gcc");
	machine_file(*state, "", "usr/bin/gcc");
	finds(&d, "compiler", DOCTOR_UNKNOWN, "built by gcc 12", "gcc --version");
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, "usr/bin/make");
	finds(&d, "make", DOCTOR_BAD, "no make", "apt-get install make");
	doctor_free(&d);
}

/* Modules that are there and fit need not be built */
static void test_no_need_to_build(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_unlink(*state, MODULES "/build/Makefile");
	healthy_unlink(*state, "usr/bin/make");
	healthy_unlink(*state, "usr/bin/gcc-12");
	healthy_unlink(*state, "usr/bin/gcc");
	finds(&d, "headers", DOCTOR_WARN, "are missing", "linux-headers-" RELEASE);
	finds(&d, "make", DOCTOR_WARN, "no make", "apt-get install make");
	finds(&d, "compiler", DOCTOR_WARN, "there is no gcc", "apt-get install gcc-12");
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
	healthy_module(*state, "updates/dkms/caterpillar.ko", &(struct fake_module){
		       .vermagic = "6.1.0-56-rt-amd64 SMP preempt_rt mod_unload modversions " });
	finds(&d, "headers", DOCTOR_BAD, "are missing", "linux-headers-" RELEASE);
	assert_false(doctor_is_fine(&d));
	doctor_free(&d);
}

static void test_clang(void **state)
{
	struct doctor d = healthy_doctor(*state);

	remove_modules(*state);
	machine_file(*state, "CONFIG_CC_IS_CLANG=y\nCONFIG_GCC_VERSION=0\n"
		     "CONFIG_CLANG_VERSION=180108\nCONFIG_LD_IS_LLD=y\n", "boot/config-" RELEASE);
	finds(&d, "compiler", DOCTOR_BAD, "built by clang 18 and lld, which is not here",
	      "apt-get install clang lld, then make LLVM=1");
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "", "usr/bin/clang");
	finds(&d, "compiler", DOCTOR_BAD, "not here", "clang lld");
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "", "usr/bin/ld.lld");
	finds(&d, "compiler", DOCTOR_WARN, "built by clang 18", "make LLVM=1 modules");
	doctor_free(&d);
}

static void test_options(void **state)
{
	static const struct {
		const char *text;
		const char *missing;
		enum doctor_status status;
	} configs[] = {
		{ "CONFIG_MODULES=y\n# CONFIG_PCI_MSI is not set\nCONFIG_HIGH_RES_TIMERS=y\n"
		  "CONFIG_DEBUG_FS=y\nCONFIG_TRACING=y\n", "CONFIG_PCI_MSI ", DOCTOR_BAD },
		{ "CONFIG_MODULES=y\nCONFIG_PCI_MSI=y\nCONFIG_HIGH_RES_TIMERS_NOT=y\n"
		  "CONFIG_DEBUG_FS=y\nCONFIG_TRACING=y\n", "CONFIG_HIGH_RES_TIMERS ", DOCTOR_BAD },
		{ "CONFIG_MODULES=y\nCONFIG_PCI_MSI=y\nCONFIG_HIGH_RES_TIMERS=y\n"
		  "CONFIG_TRACING=y\n", "CONFIG_DEBUG_FS ", DOCTOR_WARN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(configs); i++) {
		struct doctor d = healthy_doctor(*state);

		machine_file(*state, configs[i].text, "boot/config-" RELEASE);
		finds(&d, "kconfig", configs[i].status, configs[i].missing, "boot a kernel with");
		doctor_free(&d);
	}
}

static void put_packed(struct fake_machine *m, const char *text, const char *name)
{
	char path[256];
	gzFile file;

	machine_file(m, "", "%s", name);
	snprintf(path, sizeof(path), "%s/%s", m->sys, name);
	file = gzopen(path, "w");
	assert_non_null(file);
	assert_true(gzputs(file, text) > 0);
	assert_int_equal(gzclose(file), Z_OK);
}

/* In the order in which they are looked at; the last ones are put there first */
static void test_config_places(void **state)
{
	static const struct {
		const char *name;
		bool exact;
	} places[] = {
		{ "/boot/config", false },
		{ "/" MODULES "/config", true },
		{ "/" MODULES "/build/.config", true },
		{ "/boot/config-" RELEASE, true },
	};
	struct fake_machine *m = *state;
	struct kconfig c;

	healthy_unlink(m, "boot/config-" RELEASE);
	assert_false(kconfig_read(&c, m->sys, RELEASE, true));
	assert_int_equal(kconfig_state(&c, "PCI_MSI"), KCONFIG_UNKNOWN);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		machine_file(m, "CONFIG_PCI_MSI=y\n", "%s", places[i].name + 1);
		assert_true(kconfig_read(&c, m->sys, RELEASE, true));
		assert_string_equal(c.path, places[i].name);
		assert_int_equal(c.exact, places[i].exact);
		kconfig_free(&c);
	}
	put_packed(m, "CONFIG_PCI_MSI=y\n", "proc/config.gz");
	assert_true(kconfig_read(&c, m->sys, RELEASE, true));
	assert_string_equal(c.path, "/proc/config.gz");
	assert_int_equal(kconfig_state(&c, "PCI_MSI"), KCONFIG_YES);
	kconfig_free(&c);
	/* it is of the kernel that runs */
	assert_true(kconfig_read(&c, m->sys, RELEASE, false));
	assert_string_equal(c.path, "/boot/config-" RELEASE);
	kconfig_free(&c);
}

static void test_config_states(void **state)
{
	struct fake_machine *m = *state;
	struct kconfig c;
	char value[16];

	machine_file(m, "CONFIG_HZ_1000=y\nCONFIG_HZ=1000\n# CONFIG_CPU_FREQ is not set\n"
		     "CONFIG_HWLAT_TRACER=m\nCONFIG_LOCALVERSION=\"-rt\"\n"
		     "CONFIG_NO_HZ_FULL_EXTRA=y\n",
		     "boot/config-" RELEASE);
	assert_true(kconfig_read(&c, m->sys, RELEASE, true));
	assert_int_equal(kconfig_state(&c, "HZ_1000"), KCONFIG_YES);
	assert_int_equal(kconfig_state(&c, "CPU_FREQ"), KCONFIG_NO);
	assert_int_equal(kconfig_state(&c, "HWLAT_TRACER"), KCONFIG_MODULE);
	assert_int_equal(kconfig_state(&c, "NO_HZ_FULL"), KCONFIG_NO);
	assert_int_equal(kconfig_state(&c, "PREEMPT_RT"), KCONFIG_NO);
	assert_true(kconfig_value(&c, "LOCALVERSION", value, sizeof(value)));
	assert_string_equal(value, "-rt");
	kconfig_free(&c);
}

/* Nothing is made of a configuration that was not found, or may be another's */
static void test_config_unknown(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_unlink(*state, "boot/config-" RELEASE);
	finds(&d, "kconfig", DOCTOR_UNKNOWN, "options are not known", "modprobe configs");
	finds(&d, "compiler", DOCTOR_UNKNOWN, "is not known", NULL);
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "CONFIG_MODULES=y\n", "boot/config");
	finds(&d, "kconfig", DOCTOR_UNKNOWN, "CONFIG_PCI_MSI", "boot a kernel");
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "CONFIG_MODULES=y\nCONFIG_PCI_MSI=y\nCONFIG_HIGH_RES_TIMERS=y\n"
		     "CONFIG_DEBUG_FS=y\nCONFIG_TRACING=y\n", "boot/config");
	finds(&d, "kconfig", DOCTOR_WARN, "may be of another kernel", "/proc/config.gz");
	doctor_free(&d);
}

static void test_dkms(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_unlink(*state, "usr/bin/openssl");
	healthy_unlink(*state, "var/lib/dkms/klat/kernel-" RELEASE "-x86_64");
	finds(&d, "openssl", DOCTOR_WARN, "cannot sign", "apt-get install openssl");
	finds(&d, "dkms", DOCTOR_WARN, "but not built it for " RELEASE,
	      "dkms install klat/0.1.0 -k " RELEASE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "", "var/lib/dkms/klat/0.1.0/" RELEASE "/x86_64/module/msi_lat.ko");
	finds(&d, "dkms", DOCTOR_WARN, "but not installed", "dkms install klat/0.1.0 -k " RELEASE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, "var/lib/dkms/klat/0.1.0/source/dkms.conf");
	finds(&d, "dkms", DOCTOR_WARN, "but not installed", "dkms install");
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, "usr/sbin/dkms");
	finds(&d, "dkms", DOCTOR_WARN, "there is no DKMS", "apt-get install dkms openssl");
	doctor_free(&d);
}

static void test_modules_missing(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_unlink(*state, MODULES "/updates/dkms/caterpillar.ko");
	finds(&d, "modules", DOCTOR_WARN, "not installed for " RELEASE ": caterpillar",
	      "dkms remove klat/0.1.0 -k " RELEASE " && dkms install klat/0.1.0 -k " RELEASE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_modules(*state, &(struct fake_module){ .vermagic = VERMAGIC });
	remove_modules(*state);
	healthy_unlink(*state, "var/lib/dkms/klat/kernel-" RELEASE "-x86_64");
	finds(&d, "modules", DOCTOR_BAD, "msi_lat, msi_jitter, mmio_latency, hwlat_detector, "
	      "caterpillar", "dkms install klat/0.1.0 -k " RELEASE);
	finds_nothing(&d, "vermagic");
	finds_nothing(&d, "depmod");
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "live\n", "module/msi_lat/initstate");
	finds(&d, "modules", DOCTOR_WARN, "loaded by hand: msi_lat", "dkms install");
	doctor_free(&d);
}

static void test_modules_of_no_dkms(void **state)
{
	struct doctor d = healthy_doctor(*state);

	d.release = "6.1.0-58-amd64";
	d.running = false;
	d.root = "/nonexistent";
	finds(&d, "modules", DOCTOR_BAD, "6.1.0-58-amd64", "make dkms-install");
	finds(&d, "preemption", DOCTOR_UNKNOWN, "not known", NULL);
	finds(&d, "tsc", DOCTOR_UNKNOWN, "cannot be read", NULL);
	finds(&d, "clocksource", DOCTOR_UNKNOWN, "cannot be read", NULL);
	doctor_free(&d);
}

static void test_depmod(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "updates/dkms/msi_lat.ko.old: x\n", MODULES "/modules.dep");
	finds(&d, "depmod", DOCTOR_BAD, "msi_lat is installed", "depmod " RELEASE);
	doctor_free(&d);
}

static void test_vermagic(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_module(*state, "updates/dkms/msi_lat.ko", &(struct fake_module){
		       .vermagic = "6.1.0-57-amd64 SMP preempt mod_unload modversions " });
	finds(&d, "vermagic", DOCTOR_BAD, "msi_lat: built for '6.1.0-57-amd64 SMP preempt "
	      "mod_unload modversions ', and the kernel is '" VERMAGIC "'",
	      "dkms install klat/0.1.0");
	doctor_free(&d);
	/* with modversions the release alone does not matter, without it does */
	d = healthy_doctor(*state);
	healthy_module(*state, "updates/dkms/msi_lat.ko", &(struct fake_module){
		       .vermagic = "6.1.0-56-rt-amd64 SMP preempt_rt mod_unload modversions " });
	finds(&d, "vermagic", DOCTOR_WARN, "msi_lat: built for '6.1.0-56-rt-amd64", "dkms install");
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_module(*state, "updates/dkms/msi_lat.ko", &(struct fake_module){
		       .vermagic = "6.1.0-56-rt-amd64 SMP preempt_rt mod_unload " });
	finds(&d, "vermagic", DOCTOR_BAD, "msi_lat: built for '6.1.0-56-rt-amd64", "dkms install");
	doctor_free(&d);
}

/* Where no module of the kernel's is there to compare with, the release is what counts */
static void test_vermagic_alone(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_unlink(*state, MODULES "/kernel/fs/fuse/fuse.ko");
	healthy_module(*state, "updates/dkms/msi_jitter.ko", &(struct fake_module){
		       .vermagic = RELEASE "-more SMP " });
	finds(&d, "vermagic", DOCTOR_BAD, "msi_jitter: built for '" RELEASE "-more", "dkms");
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_module(*state, "updates/dkms/msi_jitter.ko", &(struct fake_module){
		       .vermagic = RELEASE " anything" });
	finds(&d, "vermagic", DOCTOR_OK, "for this kernel", NULL);
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "no module", MODULES "/updates/dkms/msi_jitter.ko");
	finds(&d, "vermagic", DOCTOR_UNKNOWN, "msi_jitter", "modinfo msi_jitter");
	doctor_free(&d);
}

static void test_mounts(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "sysfs /sys sysfs rw 0 0\n", "proc/self/mounts");
	finds(&d, "debugfs", DOCTOR_WARN, "not mounted",
	      "mount -t debugfs debugfs /sys/kernel/debug");
	finds(&d, "tracefs", DOCTOR_WARN, "not mounted",
	      "mount -t tracefs tracefs /sys/kernel/tracing");
	doctor_free(&d);
	d = healthy_doctor(*state);
	healthy_unlink(*state, "proc/self/mounts");
	finds(&d, "debugfs", DOCTOR_UNKNOWN, "cannot be read", NULL);
	doctor_free(&d);
}

static void test_devices(void **state)
{
	struct fake_device held = {
		.bdf = "0000:02:00.0",
		.vendor = 0x8086,
		.device = 0x1533,
		.class = 0x0200,
		.driver = "igb",
		.netdev = "eno1",
		.index = 2,
		.up = true,
	}, idle = {
		.bdf = "0000:03:00.0",
		.vendor = 0x8086,
		.device = 0x125b,
		.class = 0x0200,
		.driver = "igc",
		.netdev = "eno2",
		.index = 3,
	};
	struct doctor d = healthy_doctor(*state);

	machine_add(*state, &held);
	machine_add(*state, &idle);
	machine_add_address(*state, 2, "192.0.2.1", 24);
	machine_scan(*state, NULL);
	finds(&d, "device", DOCTOR_OK, "0000:01:00.0 (I210) is free", NULL);
	finds(&d, "device", DOCTOR_WARN, "driver igb holds 0000:02:00.0 (I210), which is in use: ",
	      "--bdf 0000:02:00.0 --force");
	finds(&d, "device", DOCTOR_WARN, "driver igc holds 0000:03:00.0 (I226), and nothing",
	      "klat msi-lat --bdf 0000:03:00.0 ");
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
}

static void test_no_devices(void **state)
{
	struct doctor d = healthy_doctor(*state);

	finds(&d, "device", DOCTOR_WARN, "there is no device", "--source soft");
	doctor_free(&d);
	d = healthy_doctor(*state);
	d.inventory = NULL;
	finds(&d, "device", DOCTOR_UNKNOWN, "cannot be read", "klat devices");
	doctor_free(&d);
}

static void test_tsc(void **state)
{
	static const struct {
		const char *flags;
		const char *missing;
	} cpus[] = {
		{ "flags\t\t: fpu tsc constant_tsc\n", "(no nonstop_tsc)" },
		{ "flags\t\t: fpu nonstop_tsc\n", "(no constant_tsc)" },
		{ "flags\t\t: fpu xconstant_tsc nonstop_tscx\n",
		  "(no constant_tsc, no nonstop_tsc)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		struct doctor d = healthy_doctor(*state);
		char text[128];

		snprintf(text, sizeof(text), "processor\t: 0\n%s", cpus[i].flags);
		machine_file(*state, text, "proc/cpuinfo");
		finds(&d, "tsc", DOCTOR_WARN, cpus[i].missing, "cpupower");
		doctor_free(&d);
	}
}

static void test_clocksource(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "hpet\n", CLOCKSOURCE "/current_clocksource");
	finds(&d, "clocksource", DOCTOR_WARN, "is hpet, though", "echo tsc > /sys/" CLOCKSOURCE);
	doctor_free(&d);
	d = healthy_doctor(*state);
	machine_file(*state, "tsc-early hpet acpi_pm \n", CLOCKSOURCE "/available_clocksource");
	finds(&d, "clocksource", DOCTOR_BAD, "does not trust the TSC (the clock source is hpet)",
	      "dmesg");
	doctor_free(&d);
}

static void test_hypervisor(void **state)
{
	struct doctor d = healthy_doctor(*state);

	d.hypervisor = (struct hypervisor){ true, true, "QEMU TCG" };
	finds(&d, "hypervisor", DOCTOR_WARN, "is emulated (QEMU TCG)", "hardware itself");
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
	d.hypervisor = (struct hypervisor){ true, false, "KVM" };
	finds(&d, "hypervisor", DOCTOR_WARN, "virtual machine (KVM)", "hardware itself");
	doctor_free(&d);
}

/* By its version if it runs, else by its configuration; by its name never */
static void test_preemption(void **state)
{
	static const struct {
		const char *version;
		const char *config;
		bool rt;
	} kernels[] = {
		{ "#1 SMP PREEMPT_RT Debian 6.12.9-1", "CONFIG_PREEMPT_RT=y\n", true },
		{ "#59-Ubuntu SMP PREEMPT_DYNAMIC", "CONFIG_PREEMPT_DYNAMIC=y\n"
		  "# CONFIG_PREEMPT_RT is not set\n", false },
		{ "#1 SMP PREEMPT RT",
		  "CONFIG_PREEMPT_RT_FULL=y\nCONFIG_PREEMPT_RT_BASE=y\n", true },
		{ "#1 SMP PREEMPT", "CONFIG_PREEMPT_RT_BASE=y\n", false },
		{ "#3-lowlatency SMP PREEMPT", "CONFIG_ARCH_SUPPORTS_RT=y\n", false },
		{ "#4 SMP PREEMPT", "# CONFIG_PREEMPT_RT is not set\n", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct doctor d = healthy_doctor(*state);

		d.version = kernels[i].version;
		machine_file(*state, kernels[i].config, "boot/config-" RELEASE);
		finds(&d, "preemption", DOCTOR_OK, kernels[i].rt ?
		      " is a PREEMPT_RT kernel (by its version" :
		      " is no PREEMPT_RT kernel (by its version", NULL);
		doctor_free(&d);
		d.running = false;
		finds(&d, "preemption", DOCTOR_OK, kernels[i].rt ?
		      " is a PREEMPT_RT kernel (by /boot" :
		      " is no PREEMPT_RT kernel (by /boot", NULL);
		doctor_free(&d);
	}
}

static void test_output(void **state)
{
	struct doctor d = healthy_doctor(*state);
	json_t *json, *first;
	char *text = NULL;
	size_t len = 0;
	FILE *to;

	healthy_unlink(*state, MODULES "/updates/dkms/msi_lat.ko");
	healthy_unlink(*state, MODULES "/build/Makefile");
	doctor_examine(&d);
	to = open_memstream(&text, &len);
	doctor_json(&d, to);
	fclose(to);
	json = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(json);
	assert_true(json_is_false(json_object_get(json, "fine")));
	assert_int_equal(json_array_size(json_object_get(json, "findings")), d.nr);
	first = json_array_get(json_object_get(json, "findings"), 1);
	assert_string_equal(json_string_value(json_object_get(first, "id")), "headers");
	assert_string_equal(json_string_value(json_object_get(first, "status")), "bad");
	assert_non_null(json_string_value(json_object_get(first, "advice")));
	json_decref(json);
	text = NULL;
	to = open_memstream(&text, &len);
	doctor_text(&d, to);
	fclose(to);
	assert_non_null(strstr(text, "\n  bad      the headers of " RELEASE " are missing\n"
			       "           -> apt-get install linux-headers-" RELEASE));
	assert_non_null(strstr(text, "\n1 thing stands in the way; "));
	free(text);
	doctor_free(&d);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, healthy_setup, machine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_healthy),
		TEST(test_kernel),
		TEST(test_headers_missing),
		TEST(test_headers_elsewhere),
		TEST(test_headers_of_another),
		TEST(test_compiler),
		TEST(test_no_need_to_build),
		TEST(test_clang),
		TEST(test_options),
		TEST(test_config_places),
		TEST(test_config_states),
		TEST(test_config_unknown),
		TEST(test_dkms),
		TEST(test_modules_missing),
		TEST(test_modules_of_no_dkms),
		TEST(test_depmod),
		TEST(test_vermagic),
		TEST(test_vermagic_alone),
		TEST(test_mounts),
		TEST(test_devices),
		TEST(test_no_devices),
		TEST(test_tsc),
		TEST(test_clocksource),
		TEST(test_hypervisor),
		TEST(test_preemption),
		TEST(test_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
