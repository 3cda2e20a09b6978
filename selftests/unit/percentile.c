// SPDX-License-Identifier: GPL-2.0
/*
 * Percentiles: values into the kernel's series, its histogram into the tool's
 * percentile, the result against the sorted values.
 */
#include "unit.h"

/* both sides have a series.h: the path says which */
#include "../../drivers/core/series.h"
#include "../../userland/series.h"
#include "../../userland/percentile.h"
#include "random.h"

#define VALUES	100000

static int ascending(const void *left, const void *right)
{
	u64 a = *(const u64 *)left, b = *(const u64 *)right;

	return (a > b) - (a < b);
}

/* Nearest rank: the least value that a share of @ppm is not above */
static u64 sorted_percentile(const u64 *sorted, u64 count, u32 ppm)
{
	u64 rank = count * ppm / 1000000 + (count * ppm % 1000000 != 0);

	return sorted[rank ? rank - 1 : 0];
}

/* The bucket's end, at most 1/64 above, and never more than the largest value */
static void check_percentile(const struct series *series, const u64 *sorted, u64 count, u32 ppm)
{
	u64 exact = sorted_percentile(sorted, count, ppm);
	u64 got = series_percentile(series, ppm);

	assert_true(got >= exact);
	assert_true(got - exact <= exact / 64);
	assert_true(got <= sorted[count - 1]);
	if (exact < KLAT_HIST_LINEAR)
		assert_true(got == exact);
}

static void check_values(u64 *values, u64 count)
{
	static const u32 more[] = { 0, 1, 10000, 333333, 500001, 1000000 };
	struct klat_series *kernel = aligned_alloc(64, sizeof(*kernel));
	struct series series = { .buckets = NULL };
	u64 i;

	klat_series_init(kernel, 0, 0);
	for (i = 0; i < count; i++)
		klat_series_add(kernel, values[i]);
	klat_series_stats(kernel, &series.stats);
	series.buckets = calloc(KLAT_HIST_BUCKETS, sizeof(*series.buckets));
	for (i = 0; i < KLAT_HIST_BUCKETS; i++)
		series.buckets[i] = kernel->bucket[i];

	qsort(values, count, sizeof(*values), ascending);
	for (i = 0; i < NR_PERCENTILES; i++)
		check_percentile(&series, values, count, percentiles[i].ppm);
	for (i = 0; i < ARRAY_SIZE(more); i++)
		check_percentile(&series, values, count, more[i]);
	free(series.buckets);
	free(kernel);
}

static u64 uniform(struct random *random)
{
	return random_below(random, 1000000);
}

static u64 small(struct random *random)
{
	return random_below(random, 300);
}

/* As latencies are: a narrow hill and a few far out */
static u64 latency(struct random *random)
{
	u64 hill = 2000 + random_below(random, 50) + random_below(random, 50);

	return random_below(random, 10000) ? hill : hill * (1 + random_below(random, 1000));
}

static u64 two_values(struct random *random)
{
	return random_below(random, 100) ? 1000 : U64_MAX;
}

static u64 constant(struct random *random UNUSED)
{
	return 123456789;
}

static void random_data(void **state UNUSED)
{
	u64 (*const distributions[])(struct random *random) = {
		random_u64, random_magnitude, uniform, small, latency, two_values, constant,
	};
	static const u64 counts[] = { 1, 2, 3, 10, 999, VALUES };
	u64 *values = calloc(VALUES, sizeof(*values));
	struct random random = { 11 };
	size_t i, j;
	u64 k;

	for (i = 0; i < ARRAY_SIZE(distributions); i++)
		for (j = 0; j < ARRAY_SIZE(counts); j++) {
			for (k = 0; k < counts[j]; k++)
				values[k] = distributions[i](&random);
			check_values(values, counts[j]);
		}
	free(values);
}

static void one_to_thousand(void **state UNUSED)
{
	u64 values[1000];
	u64 i;

	for (i = 0; i < 1000; i++)
		values[i] = i + 1;
	check_values(values, 1000);
}

static void no_values(void **state UNUSED)
{
	u64 buckets[KLAT_HIST_BUCKETS] = { 0 };
	struct series series = { .buckets = NULL };

	series.buckets = (void *)buckets;
	assert_true(series_percentile(&series, 500000) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_data),
		cmocka_unit_test(one_to_thousand),
		cmocka_unit_test(no_values),
	};

	return cmocka_run_group_tests_name("percentile", tests, NULL, NULL);
}
