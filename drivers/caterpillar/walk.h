/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The work: along the links that lie in the lines themselves, so that no load can
 * begin before the one before it is done, and a write into each line.
 */
#ifndef KLAT_CATERPILLAR_WALK_H
#define KLAT_CATERPILLAR_WALK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <klat/caterpillar.h>

struct caterpillar_line {
	struct caterpillar_line *next;
	u32 written;
} __aligned(KLAT_CATERPILLAR_LINE);

/* @operations of them, at least 1, from @line on; gives the line after the last */
static __always_inline struct caterpillar_line *
caterpillar_walk(struct caterpillar_line *line, u32 operations)
{
	struct caterpillar_line *next;

	do {
		next = READ_ONCE(line->next);
		WRITE_ONCE(line->written, operations);
		line = next;
	} while (--operations);
	return line;
}

#endif /* KLAT_CATERPILLAR_WALK_H */
