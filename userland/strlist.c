// SPDX-License-Identifier: GPL-2.0
/* A growing list of formatted sentences. */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit_code.h"
#include "strlist.h"

void strlist_add(struct strlist *list, const char *format, ...)
{
	char **items, *item;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&item, format, args);
	va_end(args);
	items = reallocarray(list->items, list->nr + 1, sizeof(*items));
	if (len < 0 || !items)
		err(EXIT_DOUBT, "out of memory");
	list->items = items;
	list->items[list->nr++] = item;
}

void strlist_free(struct strlist *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i]);
	free(list->items);
	list->items = NULL;
	list->nr = 0;
}
