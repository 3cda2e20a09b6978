// SPDX-License-Identifier: GPL-2.0
/* The tool's own series, percentiles, mean and deviation at their edges. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "percentile.h"
#include "series.h"
#include "units.h"

static int setup(void **state)
{
	struct series *s = malloc(sizeof(*s));

	*state = s;
	return s ? series_init(s, "test") : -1;
}

static int teardown(void **state)
{
	series_free(*state);
	free(*state);
	return 0;
}

static void close_to(long double value, long double expected, long double relative)
{
	if (fabsl(value - expected) > fabsl(expected) * relative)
		fail_msg("%.20Lg is not %.20Lg", value, expected);
}

static void test_empty(void **state)
{
	struct series *s = *state;

	assert_int_equal(series_percentile(s, 500000), 0);
	assert_true(series_mean(s) == 0);
	assert_true(series_stddev(s) == 0);
}

static void test_one_value(void **state)
{
	struct series *s = *state;

	series_add(s, 123456789, 0, 0);
	for (int i = 0; i < NR_PERCENTILES; i++)
		assert_int_equal(series_percentile(s, percentiles[i].ppm), 123456789);
	assert_true(series_mean(s) == 123456789);
	assert_true(series_stddev(s) == 0);
}

static void test_edges(void **state)
{
	static const uint64_t values[] = {
		0, 1, 127, 128, 129, 1ULL << 32, 1ULL << 63, UINT64_MAX - 1, UINT64_MAX,
	};
	struct series *s = *state;
	uint64_t total = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		uint32_t b = klat_hist_index(values[i]);

		assert_in_range(b, 0, KLAT_HIST_BUCKETS - 1);
		assert_true(klat_hist_lower(b) <= values[i] && values[i] <= klat_hist_upper(b));
		series_add(s, values[i], i, 0);
	}
	for (uint32_t i = 0; i < KLAT_HIST_BUCKETS; i++)
		total += s->buckets[i];
	assert_int_equal(total, s->stats.count);
	assert_int_equal(s->stats.min, 0);
	assert_int_equal(s->stats.max, UINT64_MAX);
	assert_int_equal(series_percentile(s, 999999), UINT64_MAX);
	assert_int_equal(s->stats.nr_worst, 8);
	assert_int_equal(s->stats.worst[0].value, UINT64_MAX);
	assert_int_equal(s->stats.worst[7].value, 1);
}

/* Sum and squares past 64 and 128 bits */
static void test_wide_sums(void **state)
{
	struct series *s = *state;

	for (int i = 0; i < 1000; i++)
		series_add(s, UINT64_MAX, (uint64_t)i, 0);
	assert_true(s->stats.sum_hi == 999);
	assert_true(s->stats.squares[2] == 999);
	close_to(series_mean(s), 18446744073709551615.0L, 1e-18L);
	assert_true(series_stddev(s) == 0);
	for (int i = 0; i < 1000; i++)
		series_add(s, 0, (uint64_t)i, 0);
	close_to(series_mean(s), 18446744073709551615.0L / 2, 1e-18L);
	close_to(series_stddev(s), 18446744073709551615.0L / 2, 1e-15L);
}

/* A deviation of 1 around 2^60 is lost if anything is rounded */
static void test_small_deviation_of_large_values(void **state)
{
	struct series *s = *state;

	for (int i = 0; i < 100000; i++)
		series_add(s, (1ULL << 60) + (i % 2 ? 1 : 3), (uint64_t)i, 0);
	close_to(series_stddev(s), 1, 1e-15L);
	assert_true(series_mean(s) == (long double)((1ULL << 60) + 2));
}

static void test_fraction_in_mean(void **state)
{
	struct series *s = *state;

	series_add(s, 1, 0, 0);
	series_add(s, 2, 1, 0);
	series_add(s, 2, 2, 0);
	close_to(series_mean(s), 5.0L / 3, 1e-15L);
	close_to(series_stddev(s), sqrtl(2.0L / 9), 1e-15L);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static uint64_t random_value(unsigned int *seed)
{
	uint64_t r = (uint64_t)rand_r(seed) << 31 | (uint64_t)rand_r(seed);

	return r >> (rand_r(seed) % 60);
}

/* Against the sorted values: the same bucket, clipped to what was seen */
static void test_percentiles_random(void **state)
{
	enum { N = 100003 };
	static uint64_t values[N];
	struct series *s = *state;
	unsigned int seed = 42;

	for (int i = 0; i < N; i++) {
		values[i] = random_value(&seed);
		series_add(s, values[i], (uint64_t)i, 0);
	}
	qsort(values, N, sizeof(values[0]), by_value);
	for (int i = 0; i < NR_PERCENTILES; i++) {
		uint64_t rank = ((uint64_t)N * percentiles[i].ppm + 999999) / 1000000;
		uint64_t exact = values[rank - 1];
		uint64_t upper = klat_hist_upper(klat_hist_index(exact));
		uint64_t expected = upper > values[N - 1] ? values[N - 1] : upper;

		assert_int_equal(series_percentile(s, percentiles[i].ppm), expected);
	}
	for (int i = 0; i < KLAT_MAX_WORST; i++)
		assert_int_equal(s->stats.worst[i].value, values[N - 1 - i]);
}

static void test_units(void **state)
{
	(void)state;
	assert_int_equal(ticks_to_ns(3, 1000000000), 3);
	assert_int_equal(ticks_to_ns(1, 3000000000), 0);
	assert_int_equal(ticks_to_ns(2, 3000000000), 1);
	assert_int_equal(ticks_to_ns(3, 2000000000), 2);
	assert_int_equal(ticks_to_ns(UINT64_MAX, 1000000000), UINT64_MAX);
	assert_int_equal(ticks_to_ns(UINT64_MAX, 19200000), UINT64_MAX);
	assert_int_equal(ticks_to_ns(UINT64_MAX, 2000000000), 1ULL << 63);
	assert_int_equal(ticks_to_ns(5, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_value, setup, teardown),
		cmocka_unit_test_setup_teardown(test_edges, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wide_sums, setup, teardown),
		cmocka_unit_test_setup_teardown(test_small_deviation_of_large_values, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_fraction_in_mean, setup, teardown),
		cmocka_unit_test_setup_teardown(test_percentiles_random, setup, teardown),
		cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
