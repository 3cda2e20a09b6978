/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_OUT_TEXT_H
#define KLAT_OUT_TEXT_H

#include <stdio.h>

#include "result.h"

void text_header(const struct result *r, FILE *to);
void text_series(const struct result *r, FILE *to);
void text_histogram(const struct result *r, const struct series *s, FILE *to);
void text_counter(bool known, uint64_t value, FILE *to);
void text_worst(const struct result *r, const struct series *s, FILE *to);

#endif
