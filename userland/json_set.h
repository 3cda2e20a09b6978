/* SPDX-License-Identifier: GPL-2.0 */
/* For the files that make JSON: nearly every line of theirs says it. */
#ifndef KLAT_JSON_SET_H
#define KLAT_JSON_SET_H

#include <jansson.h>

/* Takes @value over */
static inline void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

#endif
