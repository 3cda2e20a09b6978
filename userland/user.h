/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_USER_H
#define KLAT_USER_H

#include "reader.h"
#include "series.h"

/* Gets the delay from a sample's stamp to the reader, on its CPU, running */
struct user {
	struct series *series;
	uint32_t cpu;
};

void user_take(void *context, const struct reader_batch *batch);

#endif
