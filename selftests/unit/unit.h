/* SPDX-License-Identifier: GPL-2.0 */
/* What every unit test includes first: cmocka wants these headers before it. */
#ifndef KLAT_UNIT_UNIT_H
#define KLAT_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define UNUSED		__attribute__((unused))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#endif
