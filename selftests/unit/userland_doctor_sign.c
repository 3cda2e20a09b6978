// SPDX-License-Identifier: GPL-2.0
/* What klat doctor makes of signatures, lockdown, Secure Boot and the key of DKMS. */
#include <stdio.h>

#include "healthy_machine.h"
#include "unit.h"

#define EFIVARS		"firmware/efi/efivars"
#define SECURE_BOOT	EFIVARS "/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SHIM_OFF	EFIVARS "/MokSBStateRT-605dab50-e046-4300-abb6-3dd810dd8b23"
#define MOK_LIST	EFIVARS "/MokListRT%s-605dab50-e046-4300-abb6-3dd810dd8b23"

#define OFF		"\x06\0\0\0\0"
#define ON		"\x06\0\0\0\x01"

/* Not much of a certificate, but for its name and its key's identifier */
static const char certificate[] =
	"\x30\x82\x03\x01 DKMS module signing key \x30\x1d\x06\x03\x55\x1d\x0e\x04\x16\x04\x14"
	"0123456789abcdef\x1f\x8d\x0a\x5c and the rest";

static const char in_keyring[] =
	"0a1b2c3d I--Q---     1 perm 3f030000     0     0 keyring   _ses: 1\n"
	"1a2b3c4d I------     1 perm 1f010000     0     0 asymmetri DKMS module signing key: "
	"X509.rsa 1f8d0a5c []\n";

static const char other_in_keyring[] =
	"1a2b3c4d I------     1 perm 1f010000     0     0 asymmetri DKMS module signing key: "
	"X509.rsa 1f8d0a5d []\n";

static void put_variable(struct fake_machine *m, const char *name, const char value[5])
{
	machine_bytes(m, value, 5, "%s", name);
}

static void put_certificate(struct fake_machine *m, const char *name)
{
	machine_bytes(m, certificate, sizeof(certificate), "%s", name);
}

static void put_mok_list(struct fake_machine *m, const char *number, const void *data, size_t len)
{
	char list[256] = "\x06\0\0\0 a list";

	memcpy(list + 12, data, len);
	machine_bytes(m, list, 12 + len + 8, MOK_LIST, number);
}

static void test_secure_boot(void **state)
{
	struct doctor d = healthy_doctor(*state);

	finds(&d, "secure-boot", DOCTOR_OK, "no UEFI", NULL);
	doctor_free(&d);
	/* a firmware without that variable */
	machine_file(*state, "", EFIVARS "/.keep");
	finds(&d, "secure-boot", DOCTOR_OK, "is off", NULL);
	doctor_free(&d);
	put_variable(*state, SECURE_BOOT, OFF);
	finds(&d, "secure-boot", DOCTOR_OK, "is off", NULL);
	doctor_free(&d);
	put_variable(*state, SECURE_BOOT, ON);
	finds(&d, "secure-boot", DOCTOR_OK, "is on", NULL);
	doctor_free(&d);
	put_variable(*state, SHIM_OFF, ON);
	finds(&d, "secure-boot", DOCTOR_OK, "is off", NULL);
	doctor_free(&d);
}

static void test_secure_boot_unknown(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "", EFIVARS "/.keep");
	machine_file(*state, "debugfs /sys/kernel/debug debugfs rw 0 0\n", "proc/self/mounts");
	finds(&d, "secure-boot", DOCTOR_UNKNOWN, "cannot be read", "mount -t efivarfs");
	doctor_free(&d);
	/* it is there, and says nothing */
	machine_bytes(*state, "\x06\0\0\0", 4, SECURE_BOOT);
	machine_file(*state, "efivarfs /sys/firmware/efi/efivars efivarfs rw 0 0\n",
		     "proc/self/mounts");
	finds(&d, "secure-boot", DOCTOR_UNKNOWN, "cannot be read", "mokutil --sb-state");
	doctor_free(&d);
}

static void test_lockdown(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "none [integrity] confidentiality\n", "kernel/security/lockdown");
	machine_file(*state, "quiet lockdown=integrity\n", "proc/cmdline");
	finds(&d, "lockdown", DOCTOR_WARN, "locked down (integrity)", "boot without lockdown=");
	finds(&d, "signature", DOCTOR_BAD, "signed modules only (lockdown=integrity), and these "
	      "are unsigned: msi_lat, msi_jitter, mmio_latency, hwlat_detector, caterpillar",
	      "without UEFI no key can be enrolled: boot without lockdown=");
	assert_false(doctor_is_fine(&d));
	doctor_free(&d);
	machine_file(*state, "quiet\n", "proc/cmdline");
	machine_file(*state, "none integrity [confidentiality]\n", "kernel/security/lockdown");
	finds(&d, "lockdown", DOCTOR_WARN, "(confidentiality)", "switch Secure Boot off");
	finds(&d, "signature", DOCTOR_BAD, "(lockdown=confidentiality)", "switch Secure Boot off");
	doctor_free(&d);
}

static void test_lockdown_unknown(void **state)
{
	struct doctor d = healthy_doctor(*state);

	healthy_unlink(*state, "kernel/security/lockdown");
	finds(&d, "lockdown", DOCTOR_OK, "not locked down", NULL);
	doctor_free(&d);
	healthy_unlink(*state, "proc/self/mounts");
	finds(&d, "lockdown", DOCTOR_UNKNOWN, "cannot be read", "mount -t securityfs");
	finds(&d, "signature", DOCTOR_UNKNOWN, "cannot be read", NULL);
	doctor_free(&d);
	machine_file(*state, "CONFIG_MODULES=y\n", "boot/config-" RELEASE);
	finds(&d, "lockdown", DOCTOR_OK, "not locked down", NULL);
	doctor_free(&d);
}

static void test_enforcement(void **state)
{
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "Y\n", "module/module/parameters/sig_enforce");
	machine_file(*state, "module.sig_enforce=1\n", "proc/cmdline");
	finds(&d, "signature", DOCTOR_BAD, "(module.sig_enforce)",
	      "boot without module.sig_enforce");
	doctor_free(&d);
	machine_file(*state, "CONFIG_MODULE_SIG=y\nCONFIG_MODULE_SIG_FORCE=y\n",
		     "boot/config-" RELEASE);
	finds(&d, "signature", DOCTOR_BAD, "(CONFIG_MODULE_SIG_FORCE)", "boot without");
	doctor_free(&d);
}

/* One by one: the kernel refuses those that are unsigned */
static void test_signed(void **state)
{
	struct fake_module by_dkms = { .vermagic = VERMAGIC, .signer = "DKMS module signing key" };
	struct doctor d = healthy_doctor(*state);

	machine_file(*state, "none [integrity] confidentiality\n", "kernel/security/lockdown");
	healthy_modules(*state, &by_dkms);
	healthy_module(*state, "updates/dkms/msi_lat.ko",
		       &(struct fake_module){ .vermagic = VERMAGIC });
	finds(&d, "signature", DOCTOR_BAD, "and these are unsigned: msi_lat", "");
	doctor_free(&d);
	healthy_module(*state, "updates/dkms/msi_lat.ko", &by_dkms);
	finds(&d, "signature", DOCTOR_OK, "all 5 modules are signed, by DKMS module signing key",
	      NULL);
	finds(&d, "vermagic", DOCTOR_OK, "", NULL);
	doctor_free(&d);
}

static void test_signing_with_uefi(void **state)
{
	struct doctor d = healthy_doctor(*state);

	put_variable(*state, SECURE_BOOT, ON);
	machine_file(*state, "none [integrity] confidentiality\n", "kernel/security/lockdown");
	finds(&d, "signature", DOCTOR_BAD, "unsigned", "have DKMS sign: dkms remove klat/0.1.0");
	finds(&d, "mok-key", DOCTOR_WARN, "no key to sign with", "with openssl");
	doctor_free(&d);
	healthy_unlink(*state, "usr/bin/openssl");
	finds(&d, "signature", DOCTOR_BAD, "unsigned",
	      "install openssl, and have DKMS sign: dkms ");
	doctor_free(&d);
}

static void test_key_in_mok_list(void **state)
{
	struct doctor d = healthy_doctor(*state);

	put_variable(*state, SECURE_BOOT, ON);
	put_certificate(*state, "var/lib/dkms/mok.pub");
	put_mok_list(*state, "", "another", 7);
	finds(&d, "mok-key", DOCTOR_BAD, "/var/lib/dkms/mok.pub, is not enrolled",
	      "mokutil --import /var/lib/dkms/mok.pub");
	doctor_free(&d);
	put_mok_list(*state, "1", certificate, sizeof(certificate));
	finds(&d, "mok-key", DOCTOR_OK, "the kernel trusts DKMS's key", NULL);
	doctor_free(&d);
	put_mok_list(*state, "1", "nothing", 7);
	put_variable(*state, SECURE_BOOT, OFF);
	finds(&d, "mok-key", DOCTOR_WARN, "would have to be with Secure Boot", "mokutil --import");
	doctor_free(&d);
}

static void test_key_in_keyring(void **state)
{
	struct doctor d = healthy_doctor(*state);

	put_variable(*state, SECURE_BOOT, ON);
	put_certificate(*state, "var/lib/dkms/mok.pub");
	finds(&d, "mok-key", DOCTOR_UNKNOWN, "cannot be read", "mokutil --test-key");
	doctor_free(&d);
	/* all machines' keys have that name: it proves nothing */
	machine_file(*state, other_in_keyring, "proc/keys");
	finds(&d, "mok-key", DOCTOR_UNKNOWN, "cannot be read", "mokutil --test-key");
	doctor_free(&d);
	machine_file(*state, in_keyring, "proc/keys");
	finds(&d, "mok-key", DOCTOR_OK, "the kernel trusts DKMS's key", NULL);
	doctor_free(&d);
	put_mok_list(*state, "", "another", 7);
	finds(&d, "mok-key", DOCTOR_OK, "the kernel trusts DKMS's key", NULL);
	doctor_free(&d);
}

static void test_key_places(void **state)
{
	struct doctor d = healthy_doctor(*state);

	finds_nothing(&d, "mok-key");
	doctor_free(&d);
	put_certificate(*state, "var/lib/shim-signed/mok/MOK.der");
	finds(&d, "mok-key", DOCTOR_UNKNOWN, "/var/lib/shim-signed/mok/MOK.der", NULL);
	doctor_free(&d);
	put_certificate(*state, "etc/keys/mine.der");
	machine_file(*state, "# mok_certificate=/no\nmok_certificate=\"/etc/keys/mine.der\"\n",
		     "etc/dkms/framework.conf");
	finds(&d, "mok-key", DOCTOR_UNKNOWN, "/etc/keys/mine.der", NULL);
	doctor_free(&d);
}

/* Certificates that end where the identifier should be are not read beyond their end */
static void test_short_certificates(void **state)
{
	static const char *const certificates[] = {
		"\x06\x03\x55\x1d\x0e\x04", "\x06\x03\x55\x1d\x0e\x04\x16\x04",
		"\x06\x03\x55\x1d\x0e\x04\x16\x04\x14", "\x06\x03\x55\x1d\x0e\x04\x16\x04\x14 ab",
		"\x06\x03\x55\x1d\x0e\x04\x16\x04\x02\x1f\x8d\x0a\x5c",
	};

	put_variable(*state, SECURE_BOOT, ON);
	machine_file(*state, in_keyring, "proc/keys");
	for (size_t i = 0; i < ARRAY_SIZE(certificates); i++) {
		struct doctor d = healthy_doctor(*state);

		machine_file(*state, certificates[i], "var/lib/dkms/mok.pub");
		finds(&d, "mok-key", DOCTOR_UNKNOWN, "cannot be read", "mokutil");
		doctor_free(&d);
	}
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, healthy_setup, machine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_secure_boot),
		TEST(test_secure_boot_unknown),
		TEST(test_lockdown),
		TEST(test_lockdown_unknown),
		TEST(test_enforcement),
		TEST(test_signed),
		TEST(test_signing_with_uefi),
		TEST(test_key_in_mok_list),
		TEST(test_key_in_keyring),
		TEST(test_key_places),
		TEST(test_short_certificates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
