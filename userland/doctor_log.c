// SPDX-License-Identifier: GPL-2.0
/* What a build's log and the kernel's say: the classes of doctor_classes.c. */
#include <err.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "doctor_classes.h"
#include "exit_code.h"

#define MAX_CLASSES	32
#define CAPTURE_LEN	256

/* Of a line that tells of a failure, of whatever kind */
#define ANY_FAILURE	"(^|[ :])(fatal )?[Ee][Rr][Rr][Oo][Rr]: |^Error! |: \\*\\*\\* "

/**
 * struct reading - a log that is read
 * @name: in the findings; @kernel: it is the kernel's
 * @worst: no finding of it is worse
 * @classes: compiled; @seen: that class was reported
 * @failure: any failure at all; @unknown: the first line with one
 * @harmless: the class, and its line, that is said if there is nothing worse
 */
struct reading {
	struct doctor *d;
	const char *name;
	bool kernel;
	enum doctor_status worst;
	regex_t classes[MAX_CLASSES];
	bool seen[MAX_CLASSES];
	regex_t failure;
	char unknown[CAPTURE_LEN];
	unsigned long unknown_at;
	const struct failure_class *harmless;
	unsigned long harmless_at;
	size_t found;
};

static void compile(regex_t *regex, const char *pattern)
{
	if (regcomp(regex, pattern, REG_EXTENDED))
		errx(EXIT_DOUBT, "'%s' is no regular expression, or memory is short", pattern);
}

static void begin(struct reading *r)
{
	if (failure_classes_nr > MAX_CLASSES)
		abort();
	for (size_t i = 0; i < failure_classes_nr; i++)
		compile(&r->classes[i], failure_classes[i].pattern);
	compile(&r->failure, ANY_FAILURE);
}

static void end(struct reading *r)
{
	for (size_t i = 0; i < failure_classes_nr; i++)
		regfree(&r->classes[i]);
	regfree(&r->failure);
}

/* @text with @capture in place of each "{}"; cut where it does not fit */
static void fill_in(char *buf, size_t len, const char *text, const char *capture)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*text && used < len) {
		size_t plain = strcspn(text, "{");

		if (!plain && !strncmp(text, "{}", 2)) {
			used += (size_t)snprintf(buf + used, len - used, "%s", capture);
			text += 2;
			continue;
		}
		plain += !plain;
		used += (size_t)snprintf(buf + used, len - used, "%.*s", (int)plain, text);
		text += plain;
	}
}

/* A line of the kernel's has no number, and is of a machine that went on since then */
static void report(struct reading *r, const struct failure_class *class, unsigned long line,
		   const char *capture)
{
	char text[512], advice[512];

	fill_in(text, sizeof(text), class->text, capture);
	fill_in(advice, sizeof(advice), class->advice, capture);
	if (r->kernel)
		doctor_find(r->d, r->worst, class->name, "%s: %s", r->name, text);
	else
		doctor_find(r->d, class->harmless ? DOCTOR_OK : r->worst, class->name,
			    "%s, line %lu: %s", r->name, line, text);
	doctor_advise(r->d, "%s", advice);
	r->found++;
}

static bool seen_before(const struct reading *r, const char *class)
{
	for (size_t i = 0; i < failure_classes_nr; i++)
		if (r->seen[i] && !strcmp(failure_classes[i].name, class))
			return true;
	return false;
}

static void match(struct reading *r, size_t nr, const char *text, unsigned long line)
{
	const struct failure_class *class = &failure_classes[nr];
	char capture[CAPTURE_LEN] = "";
	regmatch_t at[2];

	if (seen_before(r, class->name) || regexec(&r->classes[nr], text, 2, at, 0))
		return;
	r->seen[nr] = true;
	if (class->harmless) {
		r->harmless = class;
		r->harmless_at = line;
		return;
	}
	if (at[1].rm_so >= 0)
		snprintf(capture, sizeof(capture), "%.*s", (int)(at[1].rm_eo - at[1].rm_so),
			 text + at[1].rm_so);
	report(r, class, line, capture);
}

/* In the kernel log there are other modules' troubles, too */
static bool is_about_klat(const char *line)
{
	for (size_t i = 0; module_names[i]; i++)
		if (strstr(line, module_names[i]))
			return true;
	return false;
}

static void read_line(struct reading *r, const char *before, const char *line,
		      unsigned long number)
{
	bool ours = !r->kernel || is_about_klat(line);
	char *both;

	if (asprintf(&both, "%s\n%s", before, line) < 0)
		err(EXIT_DOUBT, "out of memory");
	for (size_t i = 0; i < failure_classes_nr; i++)
		if (ours || failure_classes[i].nameless)
			match(r, i, failure_classes[i].two_lines ? both : line, number);
	free(both);
	if (*r->unknown || regexec(&r->failure, line, 0, NULL, 0))
		return;
	snprintf(r->unknown, sizeof(r->unknown), "%s", line);
	r->unknown_at = number;
}

static void conclude(struct reading *r)
{
	if (r->found || r->kernel)
		return;
	if (*r->unknown) {
		doctor_find(r->d, r->worst, "unknown-failure", "%s, line %lu: %s", r->name,
			    r->unknown_at, r->unknown);
		doctor_advise(r->d, "none of the known failures: read the log from there on");
	} else if (r->harmless) {
		report(r, r->harmless, r->harmless_at, "");
	} else {
		doctor_find(r->d, DOCTOR_OK, "log", "%s tells of no failure", r->name);
	}
}

static int read_log(struct reading *r, FILE *log)
{
	char *line = NULL, *before = NULL;
	size_t len = 0, before_len = 0;
	unsigned long number = 0;
	int ret;

	begin(r);
	for (errno = 0; getline(&line, &len, log) > 0; errno = 0) {
		char *other = before;
		size_t other_len = before_len;

		line[strcspn(line, "\r\n")] = '\0';
		read_line(r, before ?: "", line, ++number);
		before = line;
		before_len = len;
		line = other;
		len = other_len;
	}
	ret = ferror(log) ? -errno : 0;
	if (!ret)
		conclude(r);
	free(line);
	free(before);
	end(r);
	return ret;
}

int doctor_log(struct doctor *d, const char *name, FILE *log)
{
	struct reading r = { .d = d, .name = name, .worst = DOCTOR_BAD };

	d->group = "log";
	return read_log(&r, log);
}

/* DKMS says in the first line for which kernel it was building */
static bool is_for_kernel(FILE *log, const char *release)
{
	char line[512], key[160];
	bool is;

	snprintf(key, sizeof(key), " for kernel %s (", release);
	is = fgets(line, sizeof(line), log) && strstr(line, key);
	rewind(log);
	return is;
}

/* What failed for another kernel does not stand in the way of this one */
static void read_dkms_log(struct doctor *d, const char *path)
{
	struct reading r = { .d = d, .name = path + strlen(d->root), .worst = DOCTOR_BAD };
	FILE *log = fopen(path, "re");
	int ret = log ? 0 : -errno;

	if (log && !is_for_kernel(log, d->release))
		r.worst = DOCTOR_WARN;
	if (log) {
		ret = read_log(&r, log);
		fclose(log);
	}
	if (ret)
		doctor_find(d, DOCTOR_UNKNOWN, "log", "%s cannot be read: %s", r.name,
			    strerror(-ret));
}

/* The build directory has one that failed; the other place those that went well */
static void read_dkms_logs(struct doctor *d)
{
	char pattern[PATH_MAX];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/var/lib/dkms/klat/*/build/make.log", d->root);
	glob(pattern, 0, NULL, &found);
	snprintf(pattern, sizeof(pattern), "%s/var/lib/dkms/klat/*/%s/*/log/make.log", d->root,
		 d->release);
	glob(pattern, GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_dkms_log(d, found.gl_pathv[i]);
	globfree(&found);
}

/* It tells what was, and perhaps is over: what is, other findings say */
static void read_kernel_log(struct doctor *d)
{
	struct reading r = {
		.d = d,
		.name = "the kernel log",
		.kernel = true,
		.worst = DOCTOR_WARN,
	};
	FILE *log;

	if (!d->running)
		return;
	if (!d->kernel_log) {
		doctor_find(d, DOCTOR_UNKNOWN, "log", "the kernel log cannot be read");
		doctor_advise(d, "klat doctor as root, or dmesg | klat doctor --log -");
		return;
	}
	log = *d->kernel_log ? fmemopen(d->kernel_log, strlen(d->kernel_log), "r") : NULL;
	if (log) {
		read_log(&r, log);
		fclose(log);
	}
	if (!r.found)
		doctor_find(d, DOCTOR_OK, "log", "the kernel log tells of no module of klat's that "
			    "was refused");
}

void doctor_logs(struct doctor *d)
{
	read_dkms_logs(d);
	read_kernel_log(d);
}
