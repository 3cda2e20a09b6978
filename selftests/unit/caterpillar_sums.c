// SPDX-License-Identifier: GPL-2.0
/* drivers/caterpillar/sums.c: the deviation, to the nearest. */
#include "unit.h"
#include "random.h"
#include "sums.h"

static struct caterpillar_sums sums_of(const u64 *values, size_t nr)
{
	struct caterpillar_sums sums;
	size_t i;

	caterpillar_sums_init(&sums);
	for (i = 0; i < nr; i++)
		caterpillar_sums_add(&sums, values[i]);
	return sums;
}

#define DEVIATION(...) deviation((const u64[]){ __VA_ARGS__ },			\
				 sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))

static u64 deviation(const u64 *values, size_t nr)
{
	struct caterpillar_sums sums = sums_of(values, nr);

	return caterpillar_sums_deviation(&sums);
}

static void known_ones(void **state UNUSED)
{
	assert_int_equal(DEVIATION(0), 0);
	assert_int_equal(DEVIATION(7), 0);
	assert_int_equal(DEVIATION(7, 7, 7), 0);
	assert_int_equal(DEVIATION(2, 4, 4, 4, 5, 5, 7, 9), 2);
	assert_int_equal(DEVIATION(1000000000000ULL, 1000000000006ULL), 3);
	/* 0.5 is rounded up, 0.4714 and 1.4142 down, 0.8165 up */
	assert_int_equal(DEVIATION(0, 1), 1);
	assert_int_equal(DEVIATION(0, 0, 1), 0);
	assert_int_equal(DEVIATION(1, 2, 3, 4, 5), 1);
	assert_int_equal(DEVIATION(1, 2, 3), 1);
}

/* Two values alike often: half of their distance, at any size that can be measured */
static void of_any_size(void **state UNUSED)
{
	unsigned int bit;

	for (bit = 1; bit < 62; bit++) {
		u64 high = 1ULL << bit;

		assert_true(DEVIATION(0, high) == high / 2);
		assert_true(DEVIATION(high, high + 2) == 1);
		assert_true(DEVIATION(high, high) == 0);
	}
}

/* n^2 times the variance is a whole number: the root lies where it must */
static void between_its_neighbours(void **state UNUSED)
{
	struct random random = { .state = 1 };
	unsigned int round;

	for (round = 0; round < 20000; round++) {
		u64 values[50], base = random_magnitude(&random) >> 20, n, found;
		klat_u128 sum = 0, squares = 0, exact;
		size_t nr = 1 + random_below(&random, 50), i;

		for (i = 0; i < nr; i++) {
			u64 range = base >> random_below(&random, 20);

			values[i] = base + random_below(&random, 1 + range);
			sum += values[i];
			squares += (klat_u128)values[i] * values[i];
		}
		n = nr;
		exact = squares * n - sum * sum;
		found = deviation(values, nr);
		/* found - 1/2 <= sqrt(exact) / n < found + 1/2 */
		assert_true((klat_u128)(2 * found + 1) * (2 * found + 1) * n * n > 4 * exact);
		if (found)
			assert_true((klat_u128)(2 * found - 1) * (2 * found - 1) * n * n <=
				    4 * exact);
	}
}

static void merging_is_adding(void **state UNUSED)
{
	static const u64 values[] = { 5, 900, 17, 17, 3, 250000, 1 };
	size_t nr = ARRAY_SIZE(values), i;

	for (i = 0; i <= nr; i++) {
		struct caterpillar_sums one = sums_of(values, i);
		struct caterpillar_sums other = sums_of(values + i, nr - i);
		struct caterpillar_sums all = sums_of(values, nr);

		caterpillar_sums_merge(&one, &other);
		assert_true(one.count == all.count && one.min == all.min && one.max == all.max);
		assert_true(one.sum == all.sum && one.squares == all.squares);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_ones),
		cmocka_unit_test(of_any_size),
		cmocka_unit_test(between_its_neighbours),
		cmocka_unit_test(merging_is_adding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
