/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Integers of 256 bits in 32-bit digits, by schoolbook arithmetic: a reference
 * that shares no method with the code under test.
 */
#ifndef KLAT_UNIT_WIDE_H
#define KLAT_UNIT_WIDE_H

#include <linux/types.h>

#define WIDE_DIGITS	8

struct wide {
	u32 digit[WIDE_DIGITS];		/* lowest first */
};

/* Adds @value at digit @at, carrying upwards */
static inline void wide_add_at(struct wide *wide, int at, u64 value)
{
	for (; value && at < WIDE_DIGITS; at++) {
		value += wide->digit[at];
		wide->digit[at] = (u32)value;
		value >>= 32;
	}
}

static inline void wide_add(struct wide *wide, u64 value)
{
	wide_add_at(wide, 0, (u32)value);
	wide_add_at(wide, 1, value >> 32);
}

static inline void wide_add_square(struct wide *wide, u64 value)
{
	u64 low = (u32)value, high = value >> 32;

	wide_add_at(wide, 0, low * low);
	wide_add_at(wide, 1, low * high);
	wide_add_at(wide, 1, low * high);
	wide_add_at(wide, 2, high * high);
}

/* 64-bit word @i, lowest first */
static inline u64 wide_word(const struct wide *wide, int i)
{
	return (u64)wide->digit[2 * i + 1] << 32 | wide->digit[2 * i];
}

#endif
