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
static bool is_failure(const char *line, const char *bdf, int *error)
{
	char pattern[96];
	const char *at;

	snprintf(pattern, sizeof(pattern), "probe of %s failed with error ", bdf);
	at = strstr(line, pattern);
	if (at)
		return sscanf(at + strlen(pattern), "%d", error) == 1;
	snprintf(pattern, sizeof(pattern), "%s: probe with driver ", bdf);
	at = strstr(line, pattern);
	if (!at)
		return false;
	at = strstr(at, " failed with error ");
	return at && sscanf(at, " failed with error %d", error) == 1;
}

/* "DRIVER BDF: TEXT": the text, NULL if the line is of something else */
static const char *message_of(const char *line, const char *bdf)
{
	char pattern[32];
	const char *at;

	snprintf(pattern, sizeof(pattern), " %s: ", bdf);
	at = strstr(line, pattern);
	return at ? at + strlen(pattern) : NULL;
}

/* The last failure to probe the device: its error, and what was said before it */
bool klog_probe_failure(const char *log, const char *bdf, char *buf, size_t len)
{
	char line[LINE_MAX_LEN], said[LINE_MAX_LEN] = "";
	bool found = false;
	int error;

	buf[0] = '\0';
	for (; log && *log; log += strcspn(log, "\n"), log += *log == '\n') {
		const char *text;

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(log, "\n"), log);
		if (is_failure(line, bdf, &error)) {
			snprintf(buf, len, "error %d%s%s", error, *said ? ": " : "", said);
			found = true;
			said[0] = '\0';
			continue;
		}
		text = message_of(line, bdf);
		if (text)
			snprintf(said, sizeof(said), "%s", text);
	}
	return found;
}
