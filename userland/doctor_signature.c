// SPDX-License-Identifier: GPL-2.0
/* Whether the kernel takes signed modules only, and whether it would take these. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "rooted.h"

#define EFIVARS		"sys/firmware/efi/efivars"
#define EFI_GLOBAL	"8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define EFI_SHIM	"605dab50-e046-4300-abb6-3dd810dd8b23"
/* of every variable's file, before the data */
#define EFI_ATTRIBUTES	4

/* How many names a list of keys is spread over that is too large for one variable */
#define MOK_LISTS	10

/**
 * struct signing - how the machine stands to signatures
 * @efi: it was booted by UEFI
 * @secure_boot: the firmware checks what it boots
 * @lockdown: of the kernel: "none", "integrity", "confidentiality"; "" if unknown
 * @wants: who wants modules to be signed, NULL for nobody; @wants_known: that is sure
 * @certificate: of the key that DKMS signs with: its file; "" if there is none
 * @enrolled: the kernel trusts that key
 */
struct signing {
	bool efi;
	enum answer secure_boot;
	char lockdown[32];
	const char *wants;
	bool wants_known;
	char certificate[256];
	enum answer enrolled;
};

/* The value of a variable of one byte */
static enum answer efi_flag(const struct doctor *d, const char *name)
{
	size_t len;
	char *data = rooted_read(d->root, &len, EFIVARS "/%s", name);
	enum answer answer = ANSWER_UNKNOWN;

	if (data && len > EFI_ATTRIBUTES)
		answer = data[EFI_ATTRIBUTES] ? ANSWER_YES : ANSWER_NO;
	else if (!data && errno == ENOENT && doctor_is_mounted(d, "efivarfs") == ANSWER_YES)
		answer = ANSWER_NO;
	free(data);
	return answer;
}

static void read_secure_boot(const struct doctor *d, struct signing *s)
{
	s->efi = rooted_exists(d->root, "sys/firmware/efi");
	if (!s->efi)
		return;
	s->secure_boot = efi_flag(d, "SecureBoot-" EFI_GLOBAL);
	/* a user can have shim, and with it the kernel, check nothing all the same */
	if (s->secure_boot == ANSWER_YES && efi_flag(d, "MokSBStateRT-" EFI_SHIM) == ANSWER_YES)
		s->secure_boot = ANSWER_NO;
}

/* The word in brackets; where there could be none, there is no lockdown */
static void read_lockdown(const struct doctor *d, struct signing *s)
{
	char line[128], *at;

	if (!rooted_line(d->root, line, sizeof(line), "sys/kernel/security/lockdown")) {
		if (doctor_is_mounted(d, "securityfs") == ANSWER_YES ||
		    (d->config.exact &&
		     kconfig_state(&d->config, "SECURITY_LOCKDOWN_LSM") == KCONFIG_NO))
			snprintf(s->lockdown, sizeof(s->lockdown), "none");
		return;
	}
	at = strchr(line, '[');
	if (at)
		snprintf(s->lockdown, sizeof(s->lockdown), "%.*s", (int)strcspn(at + 1, "]"),
			 at + 1);
}

static bool is_locked_down(const struct signing *s)
{
	return *s->lockdown && strcmp(s->lockdown, "none");
}

static void read_wants(const struct doctor *d, struct signing *s)
{
	char enforce[8];
	bool known = rooted_line(d->root, enforce, sizeof(enforce),
				 "sys/module/module/parameters/sig_enforce");

	if (kconfig_state(&d->config, "MODULE_SIG_FORCE") == KCONFIG_YES && d->config.exact)
		s->wants = "CONFIG_MODULE_SIG_FORCE";
	else if (*enforce == 'Y')
		s->wants = "module.sig_enforce";
	else if (!strcmp(s->lockdown, "integrity"))
		s->wants = "lockdown=integrity";
	else if (is_locked_down(s))
		s->wants = "lockdown=confidentiality";
	/* without signatures in the kernel the parameter does not exist */
	if (!known)
		known = kconfig_state(&d->config, "MODULE_SIG") == KCONFIG_NO && d->config.exact;
	s->wants_known = s->wants || (known && *s->lockdown);
}

/* What is set to in DKMS's settings, up to a blank or a quote; "" if it is not */
static void dkms_setting(const struct doctor *d, const char *name, char *buf, size_t len)
{
	char *text = rooted_read(d->root, NULL, "etc/dkms/framework.conf"), key[64];
	int key_len = snprintf(key, sizeof(key), "%s=", name);

	buf[0] = '\0';
	for (char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *value = line + key_len;

		if (strncmp(line, key, (size_t)key_len))
			continue;
		value += strspn(value, "\"'");
		snprintf(buf, len, "%.*s", (int)strcspn(value, " \"'\n"), value);
	}
	free(text);
}

/* DKMS's own settings come first, then what it does on its own, also on Ubuntu */
static void find_certificate(const struct doctor *d, struct signing *s)
{
	static const char *const usual[] = {
		"/var/lib/dkms/mok.pub", "/var/lib/shim-signed/mok/MOK.der",
	};

	dkms_setting(d, "mok_certificate", s->certificate, sizeof(s->certificate));
	if (*s->certificate)
		return;
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (!rooted_exists(d->root, "%s", usual[i]))
			continue;
		snprintf(s->certificate, sizeof(s->certificate), "%s", usual[i]);
		return;
	}
}

/* shim hands its list of keys on as variables; certificates are in it as they are */
static enum answer is_in_mok_list(const struct doctor *d, const char *certificate, size_t len)
{
	enum answer answer = ANSWER_UNKNOWN;

	for (int i = 0; i < MOK_LISTS && answer != ANSWER_YES; i++) {
		size_t list_len;
		char *list, number[4] = "";

		if (i)
			snprintf(number, sizeof(number), "%d", i);
		list = rooted_read(d->root, &list_len, EFIVARS "/MokListRT%s-" EFI_SHIM, number);
		if (!list)
			break;
		answer = memmem(list, list_len, certificate, len) ? ANSWER_YES : ANSWER_NO;
		free(list);
	}
	return answer;
}

/*
 * The end of the certificate's subject key identifier, as /proc/keys shows it; false if
 * it has none. In DER: the extension's number, then a string in a string.
 */
static bool key_id_of(const char *certificate, size_t len, char *buf, size_t buf_len)
{
	static const unsigned char extension[] = { 0x06, 0x03, 0x55, 0x1d, 0x0e, 0x04 };
	const unsigned char *end = (const unsigned char *)certificate + len;
	const unsigned char *at = memmem(certificate, len, extension, sizeof(extension));
	size_t id_len;

	if (!at || end - at < (long)sizeof(extension) + 3)
		return false;
	at += sizeof(extension) + 2;
	id_len = *at++;
	if (id_len < 4 || (size_t)(end - at) < id_len)
		return false;
	at += id_len - 4;
	snprintf(buf, buf_len, "%02x%02x%02x%02x", at[0], at[1], at[2], at[3]);
	return true;
}

/* That it is not there proves nothing: users see their own keys only */
static bool is_in_keyring(const struct doctor *d, const char *certificate, size_t len)
{
	char id[16], pattern[32], *keys;
	bool found;

	if (!key_id_of(certificate, len, id, sizeof(id)))
		return false;
	snprintf(pattern, sizeof(pattern), " %s [", id);
	keys = rooted_read(d->root, NULL, "proc/keys");
	found = keys && strstr(keys, pattern);
	free(keys);
	return found;
}

static void read_enrolled(const struct doctor *d, struct signing *s)
{
	size_t len;
	char *certificate;

	s->enrolled = ANSWER_UNKNOWN;
	if (!*s->certificate)
		return;
	certificate = rooted_read(d->root, &len, "%s", s->certificate);
	if (!certificate || !len) {
		free(certificate);
		return;
	}
	s->enrolled = is_in_keyring(d, certificate, len) ? ANSWER_YES :
		      is_in_mok_list(d, certificate, len);
	free(certificate);
}

static void say_secure_boot(struct doctor *d, const struct signing *s)
{
	if (!s->efi) {
		doctor_find(d, DOCTOR_OK, "secure-boot", "no UEFI, so no Secure Boot");
		return;
	}
	switch (s->secure_boot) {
	case ANSWER_NO:
		doctor_find(d, DOCTOR_OK, "secure-boot", "Secure Boot is off");
		return;
	case ANSWER_YES:
		doctor_find(d, DOCTOR_OK, "secure-boot", "Secure Boot is on: a kernel that heeds "
			    "it takes signed modules only");
		return;
	case ANSWER_UNKNOWN:
		doctor_find(d, DOCTOR_UNKNOWN, "secure-boot", "whether Secure Boot is on cannot be "
			    "read");
		doctor_advise(d, doctor_is_mounted(d, "efivarfs") == ANSWER_YES ?
			      "mokutil --sb-state" : "mount -t efivarfs efivarfs /" EFIVARS);
	}
}

/* How the machine gets out of it: by its command line, or by its firmware */
static void advise_unlock(struct doctor *d, const char *before)
{
	char line[2048];

	rooted_line(d->root, line, sizeof(line), "proc/cmdline");
	if (strstr(line, "lockdown=") || strstr(line, "sig_enforce"))
		doctor_advise(d, "%sboot without %s on the kernel's command line", before,
			      strstr(line, "lockdown=") ? "lockdown=" : "module.sig_enforce");
	else
		doctor_advise(d, "%sswitch Secure Boot off in the firmware's setup", before);
}

static void say_lockdown(struct doctor *d, const struct signing *s)
{
	if (!*s->lockdown) {
		doctor_find(d, DOCTOR_UNKNOWN, "lockdown", "whether the kernel is locked down "
			    "cannot be read");
		doctor_advise(d, "mount -t securityfs securityfs /sys/kernel/security");
	} else if (!is_locked_down(s)) {
		doctor_find(d, DOCTOR_OK, "lockdown", "the kernel is not locked down");
	} else {
		doctor_find(d, DOCTOR_WARN, "lockdown", "the kernel is locked down (%s): klat mmio "
			    "is refused, and so are the files in debugfs that can be written",
			    s->lockdown);
		advise_unlock(d, "to use those, ");
	}
}

static size_t count_signed(const struct doctor *d, char *unsigned_names, size_t len)
{
	size_t nr = 0, used = 0;

	unsigned_names[0] = '\0';
	for (size_t i = 0; i < d->installed.nr; i++) {
		const struct installed_module *m = &d->installed.modules[i];

		nr += m->is_signed;
		if (!*m->path || m->is_signed || used >= len)
			continue;
		used += (size_t)snprintf(unsigned_names + used, len - used, "%s%s",
					 used ? ", " : "", m->name);
	}
	return nr;
}

/* A machine without UEFI has nowhere to enrol a key */
static void advise_signing(struct doctor *d, const struct signing *s)
{
	if (!s->efi)
		advise_unlock(d, "without UEFI no key can be enrolled: ");
	else if (!doctor_has_program(d, "openssl"))
		doctor_advise_build(d, "install openssl, and have DKMS sign: ");
	else
		doctor_advise_build(d, "have DKMS sign: ");
}

static const char *signer(const struct doctor *d)
{
	for (size_t i = 0; i < d->installed.nr; i++)
		if (*d->installed.modules[i].signer)
			return d->installed.modules[i].signer;
	return "somebody";
}

/* Where none is installed, what the kernel wants of those that will be */
static void say_signature(struct doctor *d, const struct signing *s)
{
	char names[256];
	size_t nr = count_signed(d, names, sizeof(names));

	if (s->wants && (*names || !d->installed.found)) {
		doctor_find(d, DOCTOR_BAD, "signature", "the kernel takes signed modules only "
			    "(%s)%s%s", s->wants, *names ? ", and these are unsigned: " : "",
			    names);
		advise_signing(d, s);
	} else if (!s->wants && !s->wants_known) {
		doctor_find(d, DOCTOR_UNKNOWN, "signature", "whether the kernel takes unsigned "
			    "modules cannot be read");
	} else if (!d->installed.found) {
		doctor_find(d, DOCTOR_OK, "signature", "the kernel takes unsigned modules");
	} else if (*names) {
		doctor_find(d, DOCTOR_OK, "signature", "the kernel takes unsigned modules, as "
			    "these are: %s", names);
	} else {
		doctor_find(d, DOCTOR_OK, "signature", "all %zu modules are signed, by %s", nr,
			    signer(d));
	}
}

/* It matters where signatures are checked */
static void say_key(struct doctor *d, const struct signing *s)
{
	bool needed = s->wants || s->secure_boot == ANSWER_YES;

	if (!*s->certificate) {
		if (!needed || !s->efi)
			return;
		doctor_find(d, DOCTOR_WARN, "mok-key", "DKMS has no key to sign with yet");
		doctor_advise_build(d, "DKMS makes one, with openssl, when it builds: ");
		return;
	}
	switch (s->enrolled) {
	case ANSWER_YES:
		doctor_find(d, DOCTOR_OK, "mok-key", "the kernel trusts DKMS's key, %s",
			    s->certificate);
		return;
	case ANSWER_NO:
		doctor_find(d, needed ? DOCTOR_BAD : DOCTOR_WARN, "mok-key", "DKMS's key, %s, is "
			    "not enrolled%s", s->certificate,
			    needed ? "" : ", and would have to be with Secure Boot");
		doctor_advise(d, "mokutil --import %s, then reboot and choose Enroll MOK",
			      s->certificate);
		return;
	case ANSWER_UNKNOWN:
		doctor_find(d, DOCTOR_UNKNOWN, "mok-key", "whether the kernel trusts DKMS's key, "
			    "%s, cannot be read", s->certificate);
		if (s->efi)
			doctor_advise(d, "mokutil --test-key %s", s->certificate);
	}
}

void doctor_signature(struct doctor *d)
{
	struct signing s = { 0 };

	read_secure_boot(d, &s);
	read_lockdown(d, &s);
	read_wants(d, &s);
	find_certificate(d, &s);
	read_enrolled(d, &s);
	say_secure_boot(d, &s);
	say_lockdown(d, &s);
	say_signature(d, &s);
	say_key(d, &s);
}
