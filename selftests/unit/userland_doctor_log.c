// SPDX-License-Identifier: GPL-2.0
/* What klat doctor reads in logs: of builds, of loading, and of the kernel. */
#include <stdio.h>

#include "healthy_machine.h"
#include "unit.h"

static struct doctor read_log(const char *text)
{
	struct doctor d = { .root = "/nonexistent", .release = RELEASE };
	FILE *log = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(log);
	doctor_log(&d, "make.log", log);
	fclose(log);
	return d;
}

/**
 * struct failure - a log, as users have met it
 * @class: of the one finding; @text, @advice: parts of it
 */
struct failure {
	const char *log;
	const char *class;
	const char *text;
	const char *advice;
};

static const struct failure failures[] = {
	{
		"warning: the compiler differs from the one used to build the kernel\n"
		"  The kernel was built by: clang version 18.1.8\n"
		"  You are using:           gcc (GCC) 14.2.1\n"
		"gcc: error: unrecognized command-line option '-mstack-alignment=8'\n",
		"clang-kernel", "line 3: the kernel was built by clang", "LLVM=1"
	}, {
		"Error! Your kernel headers for kernel 6.8.1-1015-realtime cannot be found at "
		"/lib/modules/6.8.1-1015-realtime/build or "
		"/lib/modules/6.8.1-1015-realtime/source.\n",
		"headers-missing", "headers of 6.8.1-1015-realtime",
		"apt-get install linux-headers-6.8.1-1015-realtime"
	}, {
		"Error! echo\nYour kernel headers for kernel 5.10.0-rt cannot be found at\n"
		"/lib/modules/5.10.0-rt/build or /lib/modules/5.10.0-rt/source.\n",
		"headers-missing", "line 2: the headers of 5.10.0-rt",
		"apt-get install linux-headers-5.10.0-rt"
	}, {
		"rtmod.c:232:9: error: implicit declaration of function 'hrtimer_init'; did you "
		"mean 'hrtimers_init'? [-Wimplicit-function-declaration]\n",
		"api-changed", "does not have hrtimer_init in", "update"
	}, {
		"modprobe: ERROR: could not insert 'rtmod': Key was rejected by service\n",
		"key-rejected", "does not trust the key", "mokutil --import"
	}, {
		"ERROR: modpost: GPL-incompatible module rtmod.ko uses GPL-only symbol "
		"'migrate_disable'\n",
		"licence", "migrate_disable", "MODULE_LICENSE(\"GPL\")"
	}, {
		"rtmod: version magic '5.4.209-1-lts54 SMP mod_unload ' should be '5.4.209-1-RT "
		"SMP preempt mod_unload modversions '\n",
		"vermagic", "than 5.4.209-1-RT, which runs", "rebuild it for the kernel that runs"
	}, {
		"rtmod: disagrees about version of symbol module_layout\n",
		"modversions", "module_layout", "rebuild it for the kernel that runs"
	}, {
		"error: call to undeclared function 'hrtimer_init'; ISO C99 and later do not "
		"support implicit function declarations [-Wimplicit-function-declaration]\n",
		"api-changed", "does not have hrtimer_init in", "update"
	},
	/* the same in other words, and what else is known */
	{
		"gcc: error: unrecognized command-line option \xe2\x80\x98-mstack-alignment=8"
		"\xe2\x80\x99; did you mean\n",
		"clang-kernel", "line 1: ", "LLVM=1"
	}, {
		"a.c:1:2: error: implicit declaration of function "
		"\xe2\x80\x98hrtimer_init\xe2\x80\x99\n",
		"api-changed", "does not have hrtimer_init in", "update"
	}, {
		"a.c:1:2: error: \xe2\x80\x98struct hrtimer\xe2\x80\x99 has no member named "
		"\xe2\x80\x98" "function\xe2\x80\x99\n",
		"api-changed", "does not have function in", "update"
	}, {
		"a.c:1:2: error: too many arguments to function "
		"\xe2\x80\x98" "class_create\xe2\x80\x99\n",
		"api-changed", "too many arguments", "update"
	}, {
		"make: *** /lib/modules/6.1.0-57-rt-amd64/build: No such file or directory.  "
		"Stop.\n",
		"headers-missing", "headers of 6.1.0-57-rt-amd64", "linux-headers-6.1.0-57-rt-amd64"
	}, {
		"./drivers/compat/compat.h:21:2: error: #error \"klat needs a kernel with "
		"CONFIG_PCI_MSI\"\n",
		"unsupported-kernel", "line 1: klat needs a kernel with CONFIG_PCI_MSI", "boot"
	}, {
		"drivers/compat/compat.mk:16: *** klat needs a kernel with CONFIG_PCI_MSI, which "
		"6.1.1 has not.  Stop.\n",
		"unsupported-kernel", "line 1: klat needs a kernel with CONFIG_PCI_MSI", "boot"
	}, {
		"Error! The dkms.conf for module klat includes a BUILD_EXCLUSIVE directive which\n"
		"does not match this kernel/arch/config.\n",
		"unsupported-kernel", "line 1: DKMS passed the kernel over", "boot"
	}, {
		"klat: no kernel headers in /lib/modules/6.1.0-57-amd64/build: install "
		"linux-headers-6.1.0-57-amd64, or name others by KDIR=DIRECTORY\n",
		"headers-missing", "headers of 6.1.0-57-amd64 are", "linux-headers-6.1.0-57-amd64"
	}, {
		"/bin/sh: 1: gcc-12: not found\n", "compiler-missing", "gcc-12, which",
		"apt-get install gcc-12"
	}, {
		"scripts/basic/fixdep: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not "
		"found (required by scripts/basic/fixdep)\n",
		"foreign-headers", "glibc 2.38", "own release"
	}, {
		"fatal error: error writing to /tmp/x.s: No space left on device\n",
		"disk-full", "disk was full", "df -h"
	}, {
		"Binary /usr/lib/linux-kbuild-6.1/scripts/sign-file not found, "
		"modules won't be signed\n",
		"unsigned-build", "could not sign", "openssl"
	}, {
		"[   42.1] Lockdown: insmod: unsigned module loading is restricted; see man "
		"kernel_lockdown.7\n",
		"unsigned", "signed modules only", "boot without"
	}, {
		"insmod: ERROR: could not insert module msi_lat.ko: Required key not available\n",
		"key-rejected", "does not trust the key", "mokutil --import"
	}, {
		"msi_lat: Unknown symbol irq_work_queue (err -2)\n",
		"api-changed", "irq_work_queue", "update"
	}, {
		"a.c:1:2: warning: x\na.c:5:1: error: expected ';' before 'x'\nb.c:1:1: error: y\n",
		"unknown-failure", "line 2: a.c:5:1: error: expected", "from there on"
	},
};

static void test_failures(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++) {
		struct doctor d = read_log(failures[i].log);

		finds(&d, failures[i].class, DOCTOR_BAD, failures[i].text, failures[i].advice);
		if (d.nr != 1)
			fail_msg("%zu findings in: %s", d.nr, failures[i].log);
		assert_false(doctor_is_fine(&d));
		doctor_free(&d);
	}
}

/* A compiler of a newer patch level built it all the same */
static void test_harmless(void **state UNUSED)
{
	struct doctor d = read_log(
		"warning: the compiler differs from the one used to build the kernel\n"
		"  The kernel was built by: gcc-13 (Debian 13.2.0) 13.2.0\n"
		"  You are using:           gcc-13 (Debian 13.3.0) 13.3.0\n  LD [M]  rtmod.ko\n");

	finds(&d, "compiler-differs", DOCTOR_OK, "line 1: the compiler is not quite", "ignore");
	assert_int_equal(d.nr, 1);
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
}

static void test_no_failure(void **state UNUSED)
{
	struct doctor d = read_log("  CC [M]  drivers/core/error.o\n  LD [M]  msi_lat.ko\n");

	finds(&d, "log", DOCTOR_OK, "make.log tells of no failure", NULL);
	doctor_free(&d);
	d = read_log("\n");
	finds(&d, "log", DOCTOR_OK, "make.log tells of no failure", NULL);
	doctor_free(&d);
}

/* Each class once, however often it is there */
static void test_several(void **state UNUSED)
{
	struct doctor d = read_log(
		"warning: the compiler differs from the one used to build the kernel\n"
		"a.c:1:2: error: implicit declaration of function 'one'\n"
		"a.c:1:3: error: call to undeclared function 'two'\n"
		"cc: fatal error: No space left on device\r\n");

	finds(&d, "api-changed", DOCTOR_BAD, "line 2: the kernel does not have one", "update");
	finds(&d, "disk-full", DOCTOR_BAD, "line 4", "df -h");
	assert_int_equal(d.nr, 2);
	doctor_free(&d);
}

static void test_dkms_log(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "DKMS make.log for klat-0.1.0 for kernel " RELEASE " (x86_64)\n"
		     "/bin/sh: 1: gcc-12: not found\n", "var/lib/dkms/klat/0.1.0/build/make.log");
	finds(&d, "compiler-missing", DOCTOR_BAD,
	      "/var/lib/dkms/klat/0.1.0/build/make.log, line 2: gcc-12", "apt-get install gcc-12");
	doctor_free(&d);
	/* of another kernel's build */
	machine_file(*state, "DKMS make.log for klat-0.1.0 for kernel " RELEASE "64 (x86_64)\n"
		     "/bin/sh: 1: gcc-12: not found\n", "var/lib/dkms/klat/0.1.0/build/make.log");
	finds(&d, "compiler-missing", DOCTOR_WARN, "line 2: gcc-12", "apt-get install gcc-12");
	doctor_free(&d);
}

/* That of a build that went well, of this kernel only */
static void test_dkms_log_of_kernel(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "DKMS make.log for klat-0.1.0 for kernel " RELEASE " (x86_64)\n"
		     "warning: the compiler differs from the one used to build the kernel\n",
		     "var/lib/dkms/klat/0.1.0/" RELEASE "/x86_64/log/make.log");
	machine_file(*state, "cc: fatal error: No space left on device\n",
		     "var/lib/dkms/klat/0.1.0/6.1.0-1-amd64/x86_64/log/make.log");
	finds(&d, "compiler-differs", DOCTOR_OK, "line 2", "ignore");
	finds_nothing(&d, "disk-full");
	doctor_free(&d);
}

/* Other modules' troubles are not ours; what is no more does not stand in the way */
static void test_kernel_log(void **state)
{
	static char log[] =
		"<4>[    5.0] nvidia: version magic 'x' should be '6.1.0-57-amd64 SMP '\n"
		"<3>[    6.0] msi_lat: disagrees about version of symbol module_layout\n"
		"<5>[    7.0] Lockdown: insmod: unsigned module loading is restricted; see man\n";
	struct doctor d = healthy_doctor(*state);

	d.kernel_log = log;
	finds(&d, "modversions", DOCTOR_WARN, "the kernel log: ", "rebuild");
	finds(&d, "unsigned", DOCTOR_WARN, "the kernel log: ", "boot without");
	for (size_t i = 0; i < d.nr; i++)
		if (!strcmp(d.findings[i].id, "vermagic"))
			assert_string_equal(d.findings[i].group, "load");
	assert_true(doctor_is_fine(&d));
	doctor_free(&d);
	/* it is of the kernel that runs */
	d.running = false;
	finds_nothing(&d, "modversions");
	doctor_free(&d);
}

static void test_kernel_log_unread(void **state)
{
	struct doctor d = healthy_doctor(*state);

	d.kernel_log = NULL;
	finds(&d, "log", DOCTOR_UNKNOWN, "the kernel log cannot be read", "dmesg");
	doctor_free(&d);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, healthy_setup, machine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_harmless),
		cmocka_unit_test(test_no_failure),
		cmocka_unit_test(test_several),
		TEST(test_dkms_log),
		TEST(test_dkms_log_of_kernel),
		TEST(test_kernel_log),
		TEST(test_kernel_log_unread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
