// SPDX-License-Identifier: GPL-2.0
/* The formats by name, and where they go. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

static const struct format {
	void (*print)(const struct result *r, FILE *to);
} formats[] = {
	[OUTPUT_TEXT] = { out_text },
	[OUTPUT_JSON] = { out_json },
	[OUTPUT_CSV] = { out_csv },
	[OUTPUT_HIST] = { out_hist },
	[OUTPUT_ECI] = { out_eci },
	[OUTPUT_KTAP] = { out_ktap },
};

const char *const output_names[] = {
	[OUTPUT_TEXT] = "text",
	[OUTPUT_JSON] = "json",
	[OUTPUT_CSV] = "csv",
	[OUTPUT_HIST] = "hist",
	[OUTPUT_ECI] = "eci",
	[OUTPUT_KTAP] = "ktap",
	NULL
};

void output_result(const struct result *r, unsigned int format, FILE *to)
{
	output_begin(to);
	formats[format].print(r, to);
}

/* Only KTAP has a word for what was not run */
void output_skip(const char *command, const char *why, unsigned int format, FILE *to)
{
	if (format != OUTPUT_KTAP)
		return;
	output_begin(to);
	out_ktap_skip(command, why, to);
}

/*
 * Before the run, so that a wrong path does not cost one. What the file has is kept
 * until there is something to take its place: see output_begin().
 */
FILE *output_open(const char *path)
{
	FILE *to = stdout;
	int fd;

	if (path) {
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		to = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (!to)
		fprintf(stderr, "klat: %s: %s\n", path, strerror(errno));
	return to;
}

/* What follows is all that the file will have; of no consequence where there is none */
void output_begin(FILE *to)
{
	struct stat st;

	if (to == stdout || fstat(fileno(to), &st) || !S_ISREG(st.st_mode))
		return;
	if (ftruncate(fileno(to), 0))
		fprintf(stderr, "klat: what the output's file had before stays in it: %s\n",
			strerror(errno));
}

/* Two files that are one would write over each other; not so a terminal or a pipe */
bool output_same(FILE *a, FILE *b)
{
	struct stat sa, sb;

	return !fstat(fileno(a), &sa) && !fstat(fileno(b), &sb) && S_ISREG(sa.st_mode) &&
	       sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* A result that did not arrive is an error of its own */
int output_close(FILE *to)
{
	int failed = ferror(to);

	errno = 0;
	if (!(to == stdout ? fflush(to) : fclose(to)) && !failed)
		return 0;
	fprintf(stderr, "klat: the result could not be written%s%s\n", errno ? ": " : "",
		errno ? strerror(errno) : "");
	return -1;
}
