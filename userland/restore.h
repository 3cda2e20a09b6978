/* SPDX-License-Identifier: GPL-2.0 */
/* A device that was taken is given back. */
#ifndef KLAT_RESTORE_H
#define KLAT_RESTORE_H

#include "state.h"

#define RESTORE_GONE	1

int restore(const struct taken *t, const char *sys, struct strlist *said);
int restore_left(const char *dir, const char *sys, struct strlist *said);

#endif
