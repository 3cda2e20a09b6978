// SPDX-License-Identifier: GPL-2.0
/* The configuration that a kernel was built with, which may be in one of many places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kconfig.h"
#include "rooted.h"

/* In the order in which they are to be trusted */
static const struct place {
	const char *before;
	const char *after;	/* the release; NULL: its name has none */
	bool running;		/* only of the running kernel */
	bool exact;
} places[] = {
	{ "/proc/config.gz", NULL, true, true },
	{ "/boot/config-", "", false, true },
	{ "/lib/modules/", "/build/.config", false, true },
	{ "/lib/modules/", "/config", false, true },
	/* without a release it may be of a kernel before or after this */
	{ "/boot/config", NULL, false, false },
};

/* False if there is none: then every option is unknown */
bool kconfig_read(struct kconfig *c, const char *root, const char *release, bool running)
{
	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !c->text; i++) {
		const struct place *p = &places[i];

		if (p->running && !running)
			continue;
		snprintf(c->path, sizeof(c->path), "%s%s%s", p->before, p->after ? release : "",
			 p->after ?: "");
		c->exact = p->exact;
		c->text = rooted_read(root, NULL, "%s", c->path);
	}
	return c->text;
}

void kconfig_free(struct kconfig *c)
{
	free(c->text);
	c->text = NULL;
}

/* What follows "CONFIG_OPTION=", up to the end of the line; false if that is not there */
bool kconfig_value(const struct kconfig *c, const char *option, char *buf, size_t len)
{
	const char *line = c->text;
	char key[128];
	int key_len = snprintf(key, sizeof(key), "CONFIG_%s=", option);

	buf[0] = '\0';
	for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t quoted;

		if (strncmp(line, key, (size_t)key_len))
			continue;
		line += key_len;
		quoted = *line == '"';
		snprintf(buf, len, "%.*s", (int)strcspn(line + quoted, quoted ? "\"\n" : "\n"),
			 line + quoted);
		return true;
	}
	return false;
}

enum kconfig_state kconfig_state(const struct kconfig *c, const char *option)
{
	char value[8];

	if (!c->text)
		return KCONFIG_UNKNOWN;
	if (!kconfig_value(c, option, value, sizeof(value)))
		return KCONFIG_NO;
	return strcmp(value, "m") ? KCONFIG_YES : KCONFIG_MODULE;
}
