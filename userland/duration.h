/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_DURATION_H
#define KLAT_DURATION_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_US	1000ULL
#define NS_PER_MS	1000000ULL
#define NS_PER_S	1000000000ULL
#define NS_PER_MIN	(60 * NS_PER_S)
#define NS_PER_H	(60 * NS_PER_MIN)
#define NS_PER_DAY	(24 * NS_PER_H)

int duration_parse(const char *text, uint64_t *ns);
void duration_format(uint64_t ns, char *buf, size_t len);
void duration_rough(uint64_t ns, char *buf, size_t len);

#endif
