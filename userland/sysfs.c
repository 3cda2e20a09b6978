// SPDX-License-Identifier: GPL-2.0
/* First lines of small kernel files. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sysfs.h"

/* The first line without white space around it; false, and "", if unreadable */
bool sysfs_line(char *buf, size_t len, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	size_t skip;
	FILE *file;
	bool got;

	buf[0] = '\0';
	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	file = fopen(path, "re");
	if (!file)
		return false;
	got = fgets(buf, (int)len, file);
	fclose(file);
	if (!got)
		buf[0] = '\0';
	skip = strspn(buf, " \t");
	memmove(buf, buf + skip, strlen(buf + skip) + 1);
	for (size_t n = strlen(buf); n && strchr(" \t\r\n", buf[n - 1]); n--)
		buf[n - 1] = '\0';
	return got;
}
