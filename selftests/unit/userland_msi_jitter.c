// SPDX-License-Identifier: GPL-2.0
/* What a result of msi-jitter says of cycles that had no interrupt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "print.h"

#define CYCLES	100

static char text[1 << 20];

static int setup(void **state)
{
	struct result *r = calloc(1, sizeof(*r));
	struct series *delta, *late;

	if (!r)
		return -1;
	r->command = "msi-jitter";
	r->kind = &msi_jitter_kind;
	r->info.clock_hz = 1000000000;
	r->info.clock_flags = KLAT_CLOCK_STABLE;
	r->irq.number = -1;
	r->status.state = KLAT_DONE;
	r->status.asked = CYCLES;
	r->status.fired = CYCLES;
	r->status.seen = CYCLES;
	delta = result_add_series(r, "delta");
	result_add_series(r, "early");
	late = result_add_series(r, "late");
	for (uint64_t i = 0; i < CYCLES; i++) {
		series_add(delta, i, i, 0);
		series_add(late, 2 * i, i, 0);
	}
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	result_free(*state);
	free(*state);
	return 0;
}

static void test_all_cycles(void **state)
{
	struct result *r = *state;

	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_COMPLETE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "\nmissed: 0 cycles: 0 with");
	says_not(text, "\nphase:");
	print(r, OUTPUT_ECI, text, sizeof(text));
	says(text, "************ RESULTS (ns) ************\n\n* Max: 99\n* Avg: 50\n* Min: 0\n");
}

/* Nothing makes up for a missed cycle: it was one of those asked for */
static void test_missed_cycles(void **state)
{
	struct result *r = *state;

	r->status.missed = 3;
	r->status.late = 4;
	r->status.seen = CYCLES - 7;
	setting_add(r, "phase_ns", 12345);
	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_COMPLETE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "\nmissed: 7 cycles: 3 with the interrupt before still outstanding, 4 with");
	says(text, "\nphase:  12345 ns ");
}

static void test_lost_cycles(void **state)
{
	struct result *r = *state;

	r->status.missed = 3;
	r->status.seen = CYCLES - 4;
	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_INCOMPLETE);
}

static void reason_is(const struct result *r, const char *part)
{
	for (size_t i = 0; i < r->reasons.nr; i++)
		if (strstr(r->reasons.items[i], part))
			return;
	fail_msg("no reason says '%s'", part);
}

static void judged_of(struct result *r, uint64_t seen, uint64_t missed, uint64_t late,
		      enum verdict expected)
{
	strlist_free(&r->reasons);
	r->status.seen = seen;
	r->status.missed = missed;
	r->status.late = late;
	verdict_decide(r);
	assert_int_equal(r->verdict, expected);
}

/* Cycles without an interrupt are a result, as long as there are the others */
static void test_most_cycles(void **state)
{
	struct result *r = *state;

	judged_of(r, 90, 4, 6, VERDICT_COMPLETE);
	judged_of(r, 89, 4, 7, VERDICT_INCOMPLETE);
	reason_is(r, "only 89 of 100 cycles had an interrupt: 4 missed, 7 late");
	assert_int_equal(result_exit_code(r), EXIT_DOUBT);
	judged_of(r, 3, 0, 97, VERDICT_INCOMPLETE);
	/* of a duration, the cycles there were */
	r->status.state = KLAT_STOPPED;
	r->end = END_DURATION;
	r->status.asked = 0;
	judged_of(r, 900, 40, 60, VERDICT_COMPLETE);
	judged_of(r, 899, 41, 60, VERDICT_INCOMPLETE);
	reason_is(r, "only 899 of 1000 cycles");
	/* a limit may end a run after the first cycles */
	r->status.flags = KLAT_RUN_LIMIT;
	judged_of(r, 2, 4, 0, VERDICT_COMPLETE);
}

/* One interrupt has no other to be compared with */
static void test_one_cycle(void **state)
{
	struct result *r = *state;

	series_free(&r->series[0]);
	assert_int_equal(series_init(&r->series[0], "delta"), 0);
	r->status.asked = 1;
	judged_of(r, 1, 0, 0, VERDICT_COMPLETE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "delta    no data");
	print(r, OUTPUT_HIST, text, sizeof(text));
	print(r, OUTPUT_ECI, text, sizeof(text));
	/* of two there should have been one */
	r->status.asked = 2;
	judged_of(r, 2, 0, 0, VERDICT_INCOMPLETE);
	reason_is(r, "no data");
}

static void test_late(void **state)
{
	struct result *r = *state;

	judged_of(r, CYCLES - 4, 0, 4, VERDICT_COMPLETE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "periods without a request because the requests came too late: 4");
}

static void test_limit(void **state)
{
	struct result *r = *state;

	r->limit_ns = 150;
	r->status.state = KLAT_STOPPED;
	r->status.flags = KLAT_RUN_LIMIT;
	verdict_decide(r);
	assert_int_equal(result_exit_code(r), EXIT_LIMIT);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "\nlimit 150ns of early and late: EXCEEDED\n");
	print(r, OUTPUT_JSON, text, sizeof(text));
	says(text, "\"of\": \"early and late\"");
}

#define RESULT_TEST(fn)	cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RESULT_TEST(test_all_cycles),
		RESULT_TEST(test_missed_cycles),
		RESULT_TEST(test_lost_cycles),
		RESULT_TEST(test_most_cycles),
		RESULT_TEST(test_one_cycle),
		RESULT_TEST(test_late),
		RESULT_TEST(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
