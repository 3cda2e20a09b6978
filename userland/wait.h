/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for a state, with a bound. */
#ifndef KLAT_WAIT_H
#define KLAT_WAIT_H

#include <stdbool.h>

bool wait_for(bool (*is_so)(void *context), void *context, unsigned int ms);

#endif
