/* SPDX-License-Identifier: GPL-2.0 */
/* A result in one of its formats, as text. */
#ifndef KLAT_UNIT_PRINT_H
#define KLAT_UNIT_PRINT_H

#include <stdio.h>
#include <string.h>

#include "output.h"
#include "result.h"

static inline void print(const struct result *r, enum output_format format, char *buf,
			 size_t len)
{
	FILE *file = tmpfile();
	size_t got;

	assert_non_null(file);
	output_result(r, format, file);
	rewind(file);
	got = fread(buf, 1, len - 1, file);
	buf[got] = '\0';
	fclose(file);
}

static inline void says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static inline void says_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%s", part, text);
}

static inline void setting_add(struct result *r, const char *name, int64_t value)
{
	struct klat_setting *s = &r->status.settings[r->status.nr_settings++];

	snprintf(s->name, sizeof(s->name), "%s", name);
	s->flags = KLAT_SETTING_BEFORE | KLAT_SETTING_AFTER;
	s->before = value - 1;
	s->after = value;
}

#endif
