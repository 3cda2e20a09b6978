// SPDX-License-Identifier: GPL-2.0
/* drivers/core/series.c: count, least, largest, sum, squares, mean, merge. */
#include "unit.h"
#include "feed.h"
#include "random.h"
#include "wide.h"

/* What a series must say, kept by other means */
struct reference {
	u64 count;
	u64 min;
	u64 max;
	struct wide sum;
	struct wide squares;
	u64 bucket[KLAT_HIST_BUCKETS];
};

static void reference_add(struct reference *reference, u64 value)
{
	if (!reference->count || value < reference->min)
		reference->min = value;
	if (value > reference->max)
		reference->max = value;
	reference->count++;
	reference->bucket[klat_hist_index(value)]++;
	wide_add(&reference->sum, value);
	wide_add_square(&reference->squares, value);
}

static void compare(const struct klat_series *series, const struct reference *reference)
{
	struct klat_stats stats = { 0 };

	klat_series_stats(series, &stats);
	assert_true(stats.count == reference->count);
	assert_true(stats.min == reference->min);
	assert_true(stats.max == reference->max);
	assert_true(stats.sum_lo == wide_word(&reference->sum, 0));
	assert_true(stats.sum_hi == wide_word(&reference->sum, 1));
	assert_true(stats.squares[0] == wide_word(&reference->squares, 0));
	assert_true(stats.squares[1] == wide_word(&reference->squares, 1));
	assert_true(stats.squares[2] == wide_word(&reference->squares, 2));
	assert_memory_equal(series->bucket, reference->bucket, sizeof(series->bucket));
}

static void empty_series_says_nothing(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	struct klat_stats stats, nothing = { 0 };

	memset(&stats, 0, sizeof(stats));
	klat_series_stats(series, &stats);
	assert_memory_equal(&stats, &nothing, sizeof(stats));
	assert_true(klat_series_mean(series) == 0);
	free(series);
}

static void edges_are_counted(void **state UNUSED)
{
	static const u64 values[] = {
		0, 127, 128, 1ULL << 32, 1ULL << 63, U64_MAX,
	};
	struct klat_series *series = new_series(0);
	struct reference reference = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		feed(series, values[i], i);
		reference_add(&reference, values[i]);
		compare(series, &reference);
	}
	free(series);
}

static void sum_overflows_64_bits(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	struct klat_stats stats = { 0 };
	int i;

	for (i = 0; i < 3; i++)
		feed(series, U64_MAX, i);
	klat_series_stats(series, &stats);
	/* 3 * (2^64 - 1) = 2 * 2^64 + 2^64 - 3 */
	assert_true(stats.sum_hi == 2 && stats.sum_lo == U64_MAX - 2);
	assert_true(klat_series_mean(series) == U64_MAX);
	free(series);
}

static void squares_overflow_128_bits(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	struct klat_stats stats = { 0 };
	int i;

	for (i = 0; i < 5; i++)
		feed(series, U64_MAX, i);
	klat_series_stats(series, &stats);
	/* 5 * (2^64 - 1)^2 = 4 * 2^128 + (2^64 - 10) * 2^64 + 5 */
	assert_true(stats.squares[2] == 4);
	assert_true(stats.squares[1] == U64_MAX - 9);
	assert_true(stats.squares[0] == 5);
	free(series);
}

/* Many at once are what as many one by one would be */
static void check_many(u64 value, u64 nr)
{
	struct klat_series *series = new_series(0);
	struct reference reference = { 0 };
	u64 i;

	feed(series, 77, 0);
	reference_add(&reference, 77);
	klat_series_add_many(series, value, nr);
	for (i = 0; i < nr; i++)
		reference_add(&reference, value);
	compare(series, &reference);
	free(series);
}

static void many_at_once_add_up(void **state UNUSED)
{
	static const u64 values[] = { 0, 1, 126, 127, 128, 1ULL << 32, (1ULL << 63) + 5, U64_MAX };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		check_many(values[i], 0);
		check_many(values[i], 1);
		check_many(values[i], 1000);
	}
}

static void many_at_once_overflow_nothing(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	struct klat_stats stats = { 0 };

	assert_true(klat_series_add_many(series, U64_MAX, U64_MAX));
	klat_series_stats(series, &stats);
	assert_true(stats.count == U64_MAX && stats.min == U64_MAX && stats.max == U64_MAX);
	/* (2^64 - 1)^2 = (2^64 - 2) * 2^64 + 1 */
	assert_true(stats.sum_hi == U64_MAX - 1 && stats.sum_lo == 1);
	/* (2^64 - 1)^3 = (2^64 - 3) * 2^128 + 2 * 2^64 + 2^64 - 1 */
	assert_true(stats.squares[2] == U64_MAX - 2);
	assert_true(stats.squares[1] == 2);
	assert_true(stats.squares[0] == U64_MAX);
	/* no news to a worst list that has as large ones */
	klat_series_init(series, 0, 0);
	series->worst_floor = 5;
	assert_false(klat_series_add_many(series, 5, 3));
	assert_true(klat_series_add_many(series, 6, 3));
	free(series);
}

static void random_values_add_up(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	struct reference reference = { 0 };
	struct random random = { 2 };
	u64 value;
	int i;

	for (i = 0; i < 200000; i++) {
		/* half of them so large that every sum overflows */
		value = i & 1 ? ~random_magnitude(&random) : random_magnitude(&random);
		feed(series, value, i);
		reference_add(&reference, value);
	}
	compare(series, &reference);
	free(series);
}

static void mean_is_exact_at_the_extremes(void **state UNUSED)
{
	struct klat_series *series = new_series(0);

	/* 2^64 - 1 values, all 2^64 - 1 */
	series->count = U64_MAX;
	series->sum = (klat_u128)U64_MAX * U64_MAX;
	assert_true(klat_series_mean(series) == U64_MAX);
	series->sum -= 1;
	assert_true(klat_series_mean(series) == U64_MAX - 1);
	series->sum = U64_MAX;
	assert_true(klat_series_mean(series) == 1);
	series->sum = U64_MAX - 1;
	assert_true(klat_series_mean(series) == 0);
	series->count = 1;
	series->sum = U64_MAX;
	assert_true(klat_series_mean(series) == U64_MAX);
	free(series);
}

static void mean_is_rounded_down(void **state UNUSED)
{
	struct klat_series *series = new_series(0);
	struct random random = { 3 };
	u64 count, mean;
	int i;

	for (i = 0; i < 10000; i++) {
		count = random_magnitude(&random) | 1;
		mean = random_magnitude(&random);
		series->count = count;
		series->sum = (klat_u128)mean * count + random_below(&random, count);
		assert_true(klat_series_mean(series) == mean);
	}
	free(series);
}

static void mean_rest_is_what_was_rounded_away(void **state UNUSED)
{
	struct klat_series *series = new_series(0);

	assert_true(klat_series_mean_billionths(series) == 0);
	series->count = 3;
	series->sum = 5;
	assert_true(klat_series_mean_billionths(series) == 666666666);
	series->sum = 6;
	assert_true(klat_series_mean_billionths(series) == 0);
	series->count = U64_MAX;
	series->sum = (klat_u128)U64_MAX * U64_MAX - 1;
	assert_true(klat_series_mean_billionths(series) == 999999999);
	free(series);
}

/* Also that the merged worst list is the one of all values */
static void same_worst(const struct klat_series *left, const struct klat_series *right)
{
	struct klat_stats a = { 0 }, b = { 0 };
	u32 i;

	klat_series_stats(left, &a);
	klat_series_stats(right, &b);
	assert_int_equal(a.nr_worst, b.nr_worst);
	for (i = 0; i < a.nr_worst; i++)
		assert_true(a.worst[i].value == b.worst[i].value);
}

static void merge_random(u64 seed, int values, u64 (*draw)(struct random *random))
{
	struct klat_series *all = new_series(0), *merged = new_series(KLAT_CPU_ALL);
	struct klat_series *cpu[4];
	struct reference reference = { 0 };
	struct random random = { seed };
	u64 value;
	int i;

	for (i = 0; i < 4; i++)
		cpu[i] = new_series(i);
	for (i = 0; i < values; i++) {
		value = draw(&random);
		feed(all, value, i);
		feed(cpu[random_below(&random, 4)], value, i);
		reference_add(&reference, value);
	}
	for (i = 0; i < 4; i++) {
		klat_series_merge(merged, cpu[i]);
		free(cpu[i]);
	}
	compare(merged, &reference);
	compare(all, &reference);
	same_worst(merged, all);
	free(all);
	free(merged);
}

static u64 draw_large(struct random *random)
{
	return ~random_magnitude(random);
}

static void merge_equals_one_series(void **state UNUSED)
{
	merge_random(4, 100000, random_magnitude);
	merge_random(5, 100000, draw_large);
	/* fewer values than CPUs: some of the series are empty */
	merge_random(6, 1, random_magnitude);
	merge_random(7, 3, random_magnitude);
}

static void merge_of_empty_series_is_empty(void **state UNUSED)
{
	struct klat_series *into = new_series(KLAT_CPU_ALL), *from = new_series(0);
	struct klat_stats stats, nothing = { 0 };

	memset(&stats, 0, sizeof(stats));
	klat_series_merge(into, from);
	klat_series_stats(into, &stats);
	assert_memory_equal(&stats, &nothing, sizeof(stats));
	assert_true(into->min == U64_MAX);
	free(into);
	free(from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_series_says_nothing),
		cmocka_unit_test(edges_are_counted),
		cmocka_unit_test(sum_overflows_64_bits),
		cmocka_unit_test(squares_overflow_128_bits),
		cmocka_unit_test(many_at_once_add_up),
		cmocka_unit_test(many_at_once_overflow_nothing),
		cmocka_unit_test(random_values_add_up),
		cmocka_unit_test(mean_is_exact_at_the_extremes),
		cmocka_unit_test(mean_is_rounded_down),
		cmocka_unit_test(mean_rest_is_what_was_rounded_away),
		cmocka_unit_test(merge_equals_one_series),
		cmocka_unit_test(merge_of_empty_series_is_empty),
	};

	return cmocka_run_group_tests_name("series_sums", tests, NULL, NULL);
}
