/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The order in which the lines of the buffer are walked through. Also compiles in
 * user space, where the unit tests run this very code.
 */
#ifndef KLAT_CATERPILLAR_ORDER_H
#define KLAT_CATERPILLAR_ORDER_H

#include "walk.h"

/* @nr lines, @a_page of them on each page but perhaps the last */
struct caterpillar_lines {
	void *const *page;
	u32 a_page;
	u32 nr;
};

static inline struct caterpillar_line *
caterpillar_line_at(const struct caterpillar_lines *lines, u32 i)
{
	struct caterpillar_line *page = lines->page[i / lines->a_page];

	return &page[i % lines->a_page];
}

/*
 * Links the lines to a ring, in their order or @permuted. Asks @go_on from time to
 * time, and is false if that was.
 */
bool caterpillar_link(const struct caterpillar_lines *lines, bool permuted,
		      bool (*go_on)(void));

#endif /* KLAT_CATERPILLAR_ORDER_H */
