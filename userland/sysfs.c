// SPDX-License-Identifier: GPL-2.0
/* Small files and links of the kernel's. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* Where a link leads: the last part of its path; false, and "", if it is none */
bool sysfs_link(char *buf, size_t len, const char *format, ...)
{
	char path[PATH_MAX], target[PATH_MAX], *last;
	va_list args;
	ssize_t got;

	buf[0] = '\0';
	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	got = readlink(path, target, sizeof(target) - 1);
	if (got <= 0)
		return false;
	target[got] = '\0';
	last = strrchr(target, '/');
	snprintf(buf, len, "%s", last ? last + 1 : target);
	return true;
}

/* Writes @text in one call, as the kernel wants it; a negative errno if it refuses */
int sysfs_put(const char *text, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int fd, ret;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}
