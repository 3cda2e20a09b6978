/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNITS_H
#define KLAT_UNITS_H

#include <stdint.h>

uint64_t ticks_to_ns(uint64_t ticks, uint64_t hz);
long double ticks_to_ns_real(long double ticks, uint64_t hz);

#endif
