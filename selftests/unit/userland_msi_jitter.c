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
		RESULT_TEST(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
