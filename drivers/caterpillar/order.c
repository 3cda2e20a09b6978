// SPDX-License-Identifier: GPL-2.0
#include "order.h"

#define LINES_A_TURN	4096
/* the same order in each run */
#define SEED		1

/* Each line to the one after it, the last to the first: this writes to all of them */
static bool link_in_order(const struct caterpillar_lines *lines, bool (*go_on)(void))
{
	u32 i;

	for (i = 0; i < lines->nr; i++) {
		*caterpillar_line_at(lines, i) = (struct caterpillar_line){
			.next = caterpillar_line_at(lines, i + 1 < lines->nr ? i + 1 : 0),
		};
		if (!(i % LINES_A_TURN) && !go_on())
			return false;
	}
	return true;
}

/* 0 .. @limit - 1, of a generator that no other kernel has in another way */
static u32 random_below(u64 *state, u32 limit)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 32) * limit >> 32;
}

/*
 * Sattolo's algorithm makes a random one of the orders that lead through every line
 * before they come back to the first: two links are exchanged for each line, so that
 * rings of a single line at first are joined to one.
 */
static bool permute(const struct caterpillar_lines *lines, bool (*go_on)(void))
{
	struct caterpillar_line *line, *other, *next;
	u64 random = SEED;
	u32 i;

	for (i = 0; i < lines->nr; i++) {
		line = caterpillar_line_at(lines, i);
		line->next = line;
		if (!(i % LINES_A_TURN) && !go_on())
			return false;
	}
	for (i = lines->nr - 1; i; i--) {
		line = caterpillar_line_at(lines, i);
		other = caterpillar_line_at(lines, random_below(&random, i));
		next = line->next;
		line->next = other->next;
		other->next = next;
		if (!(i % LINES_A_TURN) && !go_on())
			return false;
	}
	return true;
}

bool caterpillar_link(const struct caterpillar_lines *lines, bool permuted,
		      bool (*go_on)(void))
{
	return link_in_order(lines, go_on) && (!permuted || permute(lines, go_on));
}
