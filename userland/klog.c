// SPDX-License-Identifier: GPL-2.0
/* What the kernel log says of a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "klog.h"

/* Of <linux/syslog.h>, which user space does not have */
#define READ_ALL	3
#define SIZE_BUFFER	10

#define LINE_MAX_LEN	512

/* To be freed; NULL if we may not read it */
char *klog_read(void)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0), got;
	char *log;

	if (size <= 0)
		return NULL;
	log = malloc((size_t)size + 1);
	if (!log)
		return NULL;
	got = klogctl(READ_ALL, log, size);
	if (got < 0) {
		free(log);
		return NULL;
	}
	log[got] = '\0';
	return log;
}

/* As kernels before 6.6 say it, and as those since then do */
static bool is_failure(const char *line, const char *driver, const char *bdf, int *error)
{
	char pattern[160];
	const char *at;

	snprintf(pattern, sizeof(pattern), "%s: probe of %s failed with error ", driver, bdf);
	at = strstr(line, pattern);
	if (!at) {
		snprintf(pattern, sizeof(pattern), "%s: probe with driver %s failed with error ",
			 bdf, driver);
		at = strstr(line, pattern);
	}
	return at && sscanf(at + strlen(pattern), "%d", error) == 1;
}

/* "DRIVER BDF: TEXT": the text, NULL if the line is of something else */
static const char *message_of(const char *line, const char *driver, const char *bdf)
{
	char pattern[96];
	const char *at;

	snprintf(pattern, sizeof(pattern), "%s %s: ", driver, bdf);
	at = strstr(line, pattern);
	return at ? at + strlen(pattern) : NULL;
}

/*
 * The failure of @driver to probe the device: its error, and what was said before
 * it. None if the driver has said more since then: it got another chance.
 */
bool klog_probe_failure(const char *log, const char *driver, const char *bdf, char *buf,
			size_t len)
{
	char line[LINE_MAX_LEN], said[LINE_MAX_LEN] = "";
	bool found = false;
	int error;

	buf[0] = '\0';
	for (; log && *log; log += strcspn(log, "\n"), log += *log == '\n') {
		const char *text;

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(log, "\n"), log);
		if (is_failure(line, driver, bdf, &error)) {
			snprintf(buf, len, "error %d%s%s", error, *said ? ": " : "", said);
			found = true;
			continue;
		}
		text = message_of(line, driver, bdf);
		if (!text)
			continue;
		snprintf(said, sizeof(said), "%s", text);
		found = false;
	}
	return found;
}
