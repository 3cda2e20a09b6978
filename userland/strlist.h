/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_STRLIST_H
#define KLAT_STRLIST_H

#include <stddef.h>

struct strlist {
	char **items;
	size_t nr;
};

__attribute__((format(printf, 2, 3)))
void strlist_add(struct strlist *list, const char *format, ...);
void strlist_free(struct strlist *list);

#endif
