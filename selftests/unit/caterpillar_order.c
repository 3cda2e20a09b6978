// SPDX-License-Identifier: GPL-2.0
/* drivers/caterpillar/order.c and walk.h: the way through the buffer. */
#include "unit.h"
#include "order.h"

#define A_PAGE	64

/* Pages that lie in no order */
static struct caterpillar_lines new_lines(u32 nr)
{
	u32 pages = (nr + A_PAGE - 1) / A_PAGE, i;
	void **page = malloc(pages * sizeof(*page));

	for (i = 0; i < pages; i++)
		page[(i ^ 1) < pages ? i ^ 1 : i] =
			malloc(A_PAGE * sizeof(struct caterpillar_line));
	return (struct caterpillar_lines){ .page = page, .a_page = A_PAGE, .nr = nr };
}

static void free_lines(struct caterpillar_lines *lines)
{
	u32 i;

	for (i = 0; i < (lines->nr + A_PAGE - 1) / A_PAGE; i++)
		free(lines->page[i]);
	free((void *)lines->page);
}

static unsigned int turns, turns_left;

static bool go_on(void)
{
	turns++;
	return turns_left && turns_left--;
}

static struct caterpillar_lines linked(u32 nr, bool permuted)
{
	struct caterpillar_lines lines = new_lines(nr);

	turns_left = ~0U;
	assert_true(caterpillar_link(&lines, permuted, go_on));
	return lines;
}

/* Through every line once, and back: with the first of all not before the last */
static void check_ring(u32 nr, bool permuted)
{
	struct caterpillar_lines lines = linked(nr, permuted);
	struct caterpillar_line *first = caterpillar_line_at(&lines, 0), *line = first;
	u32 i;

	for (i = 1; i < nr; i++) {
		line = caterpillar_walk(line, 1);
		assert_true(line != first);
	}
	assert_true(caterpillar_walk(line, 1) == first);
	/* that many steps without coming back to the first: all were written to */
	for (i = 0; i < nr; i++)
		assert_int_equal(caterpillar_line_at(&lines, i)->written, 1);
	free_lines(&lines);
}

static void each_line_comes_once(void **state UNUSED)
{
	static const u32 numbers[] = { 64, 128, 192, 4096, 4160, 16384, 100 * 64 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		check_ring(numbers[i], false);
		check_ring(numbers[i], true);
	}
}

static void stride_goes_from_one_to_the_next(void **state UNUSED)
{
	struct caterpillar_lines lines = linked(1024, false);
	u32 i;

	for (i = 0; i < 1024; i++)
		assert_true(caterpillar_line_at(&lines, i)->next ==
			    caterpillar_line_at(&lines, (i + 1) % 1024));
	free_lines(&lines);
}

static u32 number_of(const struct caterpillar_lines *lines, const struct caterpillar_line *line)
{
	u32 i;

	for (i = 0; i < lines->nr; i++)
		if (caterpillar_line_at(lines, i) == line)
			return i;
	fail();
	return 0;
}

/* No prefetcher finds a rule: hardly a step is to a neighbour, or like the last */
static void permuted_has_no_rule(void **state UNUSED)
{
	struct caterpillar_lines lines = linked(2048, true);
	u32 near = 0, like_last = 0, same_page = 0, i, from = 0, to, step, last = 0;

	for (i = 0; i < 2048; i++, from = to, last = step) {
		to = number_of(&lines, caterpillar_line_at(&lines, from)->next);
		step = to - from;
		near += step + 2 <= 4;
		like_last += step == last;
		same_page += to / A_PAGE == from / A_PAGE;
	}
	/* 4 in 2,048 by chance, 1 in some 2,000, and 1 in 32 */
	assert_true(near < 20);
	assert_true(like_last < 10);
	assert_true(same_page < 150);
	free_lines(&lines);
}

static void each_time_the_same(void **state UNUSED)
{
	struct caterpillar_lines one = linked(4096, true), two = linked(4096, true);
	u32 i;

	for (i = 0; i < 4096; i += 7)
		assert_int_equal(number_of(&one, caterpillar_line_at(&one, i)->next),
				 number_of(&two, caterpillar_line_at(&two, i)->next));
	free_lines(&one);
	free_lines(&two);
}

/* Whichever turn it is that is not granted, none is asked for after it */
static void ends_when_told_to(void **state UNUSED)
{
	struct caterpillar_lines lines = new_lines(16384);
	unsigned int all, i;

	turns = 0;
	turns_left = ~0U;
	assert_true(caterpillar_link(&lines, true, go_on));
	all = turns;
	assert_true(all >= 9);
	for (i = 0; i < all; i++) {
		turns = 0;
		turns_left = i;
		assert_false(caterpillar_link(&lines, true, go_on));
		assert_int_equal(turns, i + 1);
	}
	free_lines(&lines);
}

static void walk_does_all_operations(void **state UNUSED)
{
	struct caterpillar_lines lines = linked(64, false);
	u32 i;

	/* one and a half times around: the last 32 are behind the first */
	assert_true(caterpillar_walk(caterpillar_line_at(&lines, 0), 96) ==
		    caterpillar_line_at(&lines, 32));
	for (i = 0; i < 64; i++)
		assert_int_equal(caterpillar_line_at(&lines, i)->written,
				 i < 32 ? 32 - i : 96 - i);
	free_lines(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_comes_once),
		cmocka_unit_test(stride_goes_from_one_to_the_next),
		cmocka_unit_test(permuted_has_no_rule),
		cmocka_unit_test(each_time_the_same),
		cmocka_unit_test(ends_when_told_to),
		cmocka_unit_test(walk_does_all_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
