// SPDX-License-Identifier: GPL-2.0
/* The histogram's mapping: uapi/klat/hist.h as the modules compile it. */
#include "unit.h"
#include <linux/types.h>
#include <klat/hist.h>

#include "random.h"

struct edge {
	u64 value;
	u32 index;
	u64 lower;
	u64 upper;
};

/* Written down by hand from the description, not computed by the code */
static const struct edge edges[] = {
	{ 0, 0, 0, 0 },
	{ 1, 1, 1, 1 },
	{ 127, 127, 127, 127 },
	{ 128, 128, 128, 129 },
	{ 129, 128, 128, 129 },
	{ 130, 129, 130, 131 },
	{ 255, 191, 254, 255 },
	{ 256, 192, 256, 259 },
	{ (1ULL << 32) - 1, 128 + 25 * 64 - 1, (1ULL << 32) - (1ULL << 25), (1ULL << 32) - 1 },
	{ 1ULL << 32, 128 + 25 * 64, 1ULL << 32, (1ULL << 32) + (1ULL << 26) - 1 },
	{ (1ULL << 63) - 1, 128 + 56 * 64 - 1, (1ULL << 63) - (1ULL << 56), (1ULL << 63) - 1 },
	{ 1ULL << 63, 128 + 56 * 64, 1ULL << 63, (1ULL << 63) + (1ULL << 57) - 1 },
	{ ~0ULL, 3775, ~0ULL - (1ULL << 57) + 1, ~0ULL },
};

static void edges_lie_where_described(void **state UNUSED)
{
	size_t i;

	assert_int_equal(KLAT_HIST_BUCKETS, 3776);
	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		assert_int_equal(klat_hist_index(edges[i].value), edges[i].index);
		assert_true(klat_hist_lower(edges[i].index) == edges[i].lower);
		assert_true(klat_hist_upper(edges[i].index) == edges[i].upper);
	}
}

static void bounds_map_back_to_their_bucket(void **state UNUSED)
{
	u32 i;

	for (i = 0; i < KLAT_HIST_BUCKETS; i++) {
		assert_int_equal(klat_hist_index(klat_hist_lower(i)), i);
		assert_int_equal(klat_hist_index(klat_hist_upper(i)), i);
	}
}

static void buckets_cover_everything_once(void **state UNUSED)
{
	u32 i;

	assert_true(klat_hist_lower(0) == 0);
	for (i = 0; i + 1 < KLAT_HIST_BUCKETS; i++)
		assert_true(klat_hist_upper(i) + 1 == klat_hist_lower(i + 1));
	assert_true(klat_hist_upper(i) == ~0ULL);
}

static void buckets_are_narrow(void **state UNUSED)
{
	u64 lower, width;
	u32 i;

	for (i = 0; i < KLAT_HIST_BUCKETS; i++) {
		lower = klat_hist_lower(i);
		width = klat_hist_upper(i) - lower + 1;
		if (lower < 128)
			assert_int_equal(width, 1);
		else
			assert_true(width <= lower / 64);
	}
}

static void any_value_lies_within_its_bucket(void **state UNUSED)
{
	struct random random = { 1 };
	u64 value;
	u32 index;
	int i;

	for (i = 0; i < 1000000; i++) {
		value = random_magnitude(&random);
		index = klat_hist_index(value);
		assert_true(index < KLAT_HIST_BUCKETS);
		assert_true(value >= klat_hist_lower(index));
		assert_true(value <= klat_hist_upper(index));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_lie_where_described),
		cmocka_unit_test(bounds_map_back_to_their_bucket),
		cmocka_unit_test(buckets_cover_everything_once),
		cmocka_unit_test(buckets_are_narrow),
		cmocka_unit_test(any_value_lies_within_its_bucket),
	};

	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}
