// SPDX-License-Identifier: GPL-2.0
/* drivers/core/series.c: the list of the worst values. */
#include "unit.h"
#include "feed.h"
#include "random.h"

static int descending(const void *left, const void *right)
{
	u64 a = *(const u64 *)left, b = *(const u64 *)right;

	return (a < b) - (a > b);
}

/* How many of the sorted @values belong on the list: not those equal to 0 */
static u32 belong(const u64 *values, u32 count)
{
	u32 n = 0;

	while (n < count && n < KLAT_MAX_WORST && values[n])
		n++;
	return n;
}

/* Feeds @values and compares the list with what sorting gives */
static void check_list(const u64 *values, u32 count)
{
	struct klat_series *series = new_series(7);
	struct klat_stats stats = { 0 };
	u64 *sorted = calloc(count, sizeof(*sorted));
	u32 i;

	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), descending);
	for (i = 0; i < count; i++)
		feed(series, values[i], i);
	klat_series_stats(series, &stats);
	assert_int_equal(stats.nr_worst, belong(sorted, count));
	for (i = 0; i < stats.nr_worst; i++) {
		assert_true(stats.worst[i].value == sorted[i]);
		/* what was noted belongs to the very value */
		assert_true(values[stats.worst[i].seq] == stats.worst[i].value);
		assert_int_equal(stats.worst[i].cpu, 7);
	}
	free(sorted);
	free(series);
}

static void check_random(u64 seed, u32 count, u64 limit)
{
	struct random random = { seed };
	u64 *values = calloc(count, sizeof(*values));
	u32 i;

	for (i = 0; i < count; i++)
		values[i] = limit ? random_below(&random, limit) : random_magnitude(&random);
	check_list(values, count);
	free(values);
}

static void random_values(void **state UNUSED)
{
	u64 seed;

	for (seed = 0; seed < 50; seed++)
		check_random(seed, 1000, 0);
}

static void fewer_than_the_list_holds(void **state UNUSED)
{
	u32 count;

	for (count = 1; count <= KLAT_MAX_WORST + 1; count++)
		check_random(count, count, 1000000);
}

static void many_ties_and_zeros(void **state UNUSED)
{
	u64 limit;

	for (limit = 1; limit < 10; limit++) {
		check_random(limit, 12, limit);
		check_random(limit, 500, limit);
	}
}

static void rising_and_falling(void **state UNUSED)
{
	u64 rising[100], falling[100], flat[100];
	u32 i;

	for (i = 0; i < 100; i++) {
		rising[i] = i;
		falling[i] = 99 - i;
		flat[i] = U64_MAX;
	}
	check_list(rising, 100);
	check_list(falling, 100);
	check_list(flat, 100);
}

/* The first to come keeps its place: a tie is no news */
static void the_earlier_of_equals_stays(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	u32 i;

	for (i = 0; i < 3 * KLAT_MAX_WORST; i++)
		feed(series, 5, i);
	assert_int_equal(series->nr_worst, KLAT_MAX_WORST);
	for (i = 0; i < KLAT_MAX_WORST; i++)
		assert_true(series->worst[i].seq < KLAT_MAX_WORST);
	free(series);
}

static void zeros_are_not_worst(void **state UNUSED)
{
	struct klat_series *series = new_series(0);

	assert_false(klat_series_add(series, 0));
	feed(series, 0, 1);
	klat_series_worst(series, &(struct klat_worst){ .value = 0 });
	assert_int_equal(series->nr_worst, 0);
	assert_true(series->count == 2);
	assert_true(klat_series_add(series, 1));
	free(series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_values),
		cmocka_unit_test(fewer_than_the_list_holds),
		cmocka_unit_test(many_ties_and_zeros),
		cmocka_unit_test(rising_and_falling),
		cmocka_unit_test(the_earlier_of_equals_stays),
		cmocka_unit_test(zeros_are_not_worst),
	};

	return cmocka_run_group_tests_name("series_worst", tests, NULL, NULL);
}
