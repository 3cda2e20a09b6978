// SPDX-License-Identifier: GPL-2.0
/* Files of a machine whose tree begins at some directory. */
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include "exit_code.h"
#include "rooted.h"
#include "sysfs.h"

/* More than any file has that is read as a whole */
#define MAX_READ	(16U << 20)
#define READ_STEP	65536U

/* Into @path, of PATH_MAX bytes */
static void path_of(char *path, const char *root, const char *format, va_list args)
{
	int used = snprintf(path, PATH_MAX, "%s/", root);

	if (used < PATH_MAX)
		vsnprintf(path + used, (size_t)(PATH_MAX - used), format, args);
}

bool rooted_exists(const char *root, const char *format, ...)
{
	char path[PATH_MAX];
	struct stat st;
	va_list args;

	va_start(args, format);
	path_of(path, root, format, args);
	va_end(args);
	return !stat(path, &st);
}

/* As sysfs_line() */
bool rooted_line(const char *root, char *buf, size_t len, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;

	va_start(args, format);
	path_of(path, root, format, args);
	va_end(args);
	return sysfs_line(buf, len, "%s", path);
}

/* As sysfs_link() */
bool rooted_link(const char *root, char *buf, size_t len, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;

	va_start(args, format);
	path_of(path, root, format, args);
	va_end(args);
	return sysfs_link(buf, len, "%s", path);
}

static char *read_all(gzFile file, size_t *len)
{
	char *all = NULL;
	int got;

	for (*len = 0; *len < MAX_READ; *len += (size_t)got) {
		char *more = realloc(all, *len + READ_STEP + 1);

		if (!more)
			err(EXIT_DOUBT, "out of memory");
		all = more;
		got = gzread(file, all + *len, READ_STEP);
		if (got <= 0) {
			all[*len] = '\0';
			if (!got)
				return all;
			break;
		}
	}
	free(all);
	errno = EIO;
	return NULL;
}

/*
 * All of a file, unpacked if it is packed by gzip, with a NUL behind it; to be freed.
 * NULL, and errno, if it cannot be read. @len may be NULL.
 */
char *rooted_read(const char *root, size_t *len, const char *format, ...)
{
	char path[PATH_MAX], *all;
	size_t bytes;
	gzFile file;
	va_list args;

	va_start(args, format);
	path_of(path, root, format, args);
	va_end(args);
	errno = 0;
	file = gzopen(path, "re");
	if (!file) {
		errno = errno ?: ENOMEM;
		return NULL;
	}
	all = read_all(file, &bytes);
	gzclose(file);
	if (len)
		*len = bytes;
	return all;
}
