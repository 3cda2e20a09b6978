// SPDX-License-Identifier: GPL-2.0
/*
 * Reads of a register: the conversion of published cycles, statistics that keep
 * the worst, and what a result says of the register.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "percentile.h"
#include "print.h"
#include "units.h"

static const uint64_t cycles[] = { 2400, 2410, 2390, 2405, 2395, 24000 };

#define NR_CYCLES	(sizeof(cycles) / sizeof(cycles[0]))

static char text[1 << 20];

static int setup(void **state)
{
	struct result *r = calloc(1, sizeof(*r));
	struct series *s;

	if (!r)
		return -1;
	r->command = "mmio";
	r->kind = &mmio_kind;
	r->info.clock_hz = 2000000000;
	r->info.clock_cost = 40;
	r->info.clock_flags = KLAT_CLOCK_STABLE;
	r->irq.number = -1;
	r->status.state = KLAT_DONE;
	r->status.asked = NR_CYCLES;
	r->status.fired = NR_CYCLES;
	r->status.seen = NR_CYCLES;
	snprintf(r->status.device, sizeof(r->status.device), "0000:01:00.0");
	s = result_add_series(r, "read");
	for (size_t i = 0; i < NR_CYCLES; i++)
		series_add(s, cycles[i], i, 0);
	result_add_series(r, "gap");
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	result_free(*state);
	free(*state);
	return 0;
}

/* To a hundredth of a nanosecond, as it was published */
static void converts(long double ticks, uint64_t hz, const char *expected)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.2Lf", ticks_to_ns_real(ticks, hz));
	assert_string_equal(buf, expected);
}

static void test_conversion(void **state)
{
	(void)state;
	converts(32612.38L, 2095077000, "15566.20");
	converts(1652.43L, 3899999000, "423.70");
	assert_int_equal(ticks_to_ns(32612, 2095077000), 15566);
	assert_int_equal(ticks_to_ns(1652, 3899999000), 424);
}

/* No sample is too bad to be counted */
static void test_statistics(void **state)
{
	const struct series *s = result_primary(*state);
	uint64_t total = 0;

	assert_int_equal(s->stats.count, 6);
	assert_int_equal(s->stats.min, 2390);
	assert_int_equal(s->stats.max, 24000);
	assert_true(series_mean(s) == 6000);
	assert_true(fabsl(series_stddev(s) - sqrtl(388800250.0L / 6)) < 1e-9L);
	for (uint32_t i = 0; i < KLAT_HIST_BUCKETS; i++)
		total += s->buckets[i];
	assert_int_equal(total, 6);
	assert_int_equal(s->buckets[klat_hist_index(24000)], 1);
	assert_int_equal(s->stats.worst[0].value, 24000);
	assert_int_equal(s->stats.worst[0].seq, 5);
	assert_int_equal(series_percentile(s, 999999), 24000);
}

static void add_register(struct result *r, int64_t width, int64_t value)
{
	setting_add(r, "bar", 0);
	setting_add(r, "offset", 0x8);
	setting_add(r, "width", width);
	setting_add(r, "value", value);
}

static void test_eci(void **state)
{
	struct result *r = *state;

	setting_add(r, "mmio_outliers", 247);
	setting_add(r, "sched_outliers", 9);
	verdict_decide(r);
	print(r, OUTPUT_ECI, text, sizeof(text));
	assert_string_equal(text,
			    "RT Core Module\n"
			    "------------------------\n"
			    " Stats:\n"
			    "  max= 12000\n"
			    "  avg= 3000\n"
			    "  min= 1195\n"
			    "  total= 18000\n"
			    "  loops= 6\n"
			    "\n"
			    " mmio-outliers: 247\n"
			    " sched-outliers: 9\n");
}

static void test_text(void **state)
{
	struct result *r = *state;

	result_config_hex(r, "offset", 0x8);
	add_register(r, 4, 0x80080783);
	setting_add(r, "mmio_outliers", 1);
	setting_add(r, "sched_outliers", 0);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "offset=0x8\n");
	says(text, "\nreads:  0000:01:00.0 BAR 0 offset 0x8, 4 bytes each, the last one gave "
		   "0x80080783\n");
	says(text, "\nbeyond: 1 mmio-outliers, 0 sched-outliers");
	says(text, "a pair of stamps costs 40 ticks (in every value: never subtracted)");
	says_not(text, "note: a driver");
	says_not(text, "prefetchable");
	says_not(text, "all ones");
}

/* Its topmost bit, too */
static void test_wide(void **state)
{
	struct result *r = *state;

	add_register(r, 8, INT64_MIN + 1);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "8 bytes each, the last one gave 0x8000000000000001\n");
	r->status.nr_settings = 0;
	add_register(r, 2, 0xa);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "2 bytes each, the last one gave 0x000a\n");
}

static bool noted(const struct result *r, const char *part)
{
	for (size_t i = 0; i < r->notes.nr; i++)
		if (strstr(r->notes.items[i], part))
			return true;
	return false;
}

static void test_notes(void **state)
{
	struct result *r = *state;

	add_register(r, 4, 0xffffffff);
	setting_add(r, "bound", 1);
	setting_add(r, "prefetchable", 1);
	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_COMPLETE);
	assert_true(noted(r, "a driver holds the device"));
	assert_true(noted(r, "prefetchable"));
	assert_true(noted(r, "all ones"));
}

static void all_ones(struct result *r, int64_t width, int64_t value, bool expected)
{
	r->status.nr_settings = 0;
	strlist_free(&r->notes);
	add_register(r, width, value);
	verdict_decide(r);
	if (noted(r, "all ones") != expected)
		fail_msg("%lld bytes, %llx", (long long)width, (long long)value);
}

static void test_all_ones(void **state)
{
	all_ones(*state, 1, 0xff, true);
	all_ones(*state, 2, 0xffff, true);
	all_ones(*state, 2, 0xff, false);
	all_ones(*state, 4, 0x7fffffff, false);
	all_ones(*state, 8, -1, true);
	all_ones(*state, 8, INT64_MAX, false);
	all_ones(*state, 8, 0xffffffff, false);
}

#define RESULT_TEST(fn)	cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conversion),
		RESULT_TEST(test_statistics),
		RESULT_TEST(test_eci),
		RESULT_TEST(test_text),
		RESULT_TEST(test_wide),
		RESULT_TEST(test_notes),
		RESULT_TEST(test_all_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
