// SPDX-License-Identifier: GPL-2.0
/* The table of caterpillar: out of raw cycles, and with some of them lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "caterpillar.h"
#include "print.h"

#define CYCLES	2	/* a sample */

static const uint64_t ticks[] = { 51200, 51900, 51150, 58300, 51180, 51420 };

#define NR_TICKS	(sizeof(ticks) / sizeof(ticks[0]))

static char text[1 << 20];

static int setup(void **state)
{
	struct caterpillar_table *t = calloc(1, sizeof(*t));
	struct result *r = calloc(1, sizeof(*r));

	if (!t || !r)
		return -1;
	pthread_mutex_init(&t->lock, NULL);
	t->cycles = CYCLES;
	r->command = "caterpillar";
	r->kind = &caterpillar_kind;
	r->own = t;
	r->info.clock_hz = 2000000000;
	r->info.clock_flags = KLAT_CLOCK_STABLE;
	r->irq.number = -1;
	r->status.state = KLAT_DONE;
	r->status.asked = r->status.fired = r->status.seen = NR_TICKS;
	result_add_series(r, "cycle");
	for (size_t i = 0; i < NR_TICKS; i++)
		series_add(&r->series[0], ticks[i], i, 0);
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct result *r = *state;

	caterpillar_free(r->own);
	free(r->own);
	result_free(r);
	free(r);
	return 0;
}

/* The cycles whose numbers are in @seqs, UINT64_MAX at the end; the run did all */
static struct caterpillar_table *read_only(struct result *r, const uint64_t *seqs)
{
	struct caterpillar_table *t = r->own;

	for (; *seqs != UINT64_MAX; seqs++)
		caterpillar_add(t, *seqs, ticks[*seqs]);
	caterpillar_end(t, r->status.seen);
	return t;
}

#define READ(r, ...)	read_only(r, (const uint64_t []){ __VA_ARGS__, UINT64_MAX })

static void has(const struct caterpillar_span *s, uint64_t min, uint64_t max,
		long double jitter)
{
	assert_int_equal(s->min, min);
	assert_int_equal(s->max, max);
	assert_true(fabsl(s->jitter - jitter) < 1e-6L);
}

/* Standard deviation of the first @n */
static long double deviation(size_t n)
{
	long double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += (long double)ticks[i] / n;
	for (size_t i = 0; i < n; i++)
		squares += (ticks[i] - mean) * (ticks[i] - mean) / n;
	return sqrtl(squares);
}

/* The extremes of the session run on, and its deviation is that of all cycles */
static void test_table(void **state)
{
	const struct caterpillar_table *t = READ(*state, 0, 1, 2, 3, 4, 5);

	assert_int_equal(t->nr, 3);
	for (size_t i = 0; i < t->nr; i++) {
		assert_int_equal(t->rows[i].number, i + 1);
		assert_int_equal(t->rows[i].state, CATERPILLAR_WHOLE);
		assert_true(t->rows[i].session_whole);
	}
	has(&t->rows[0].own, 51200, 51900, 350);
	has(&t->rows[0].session, 51200, 51900, 350);
	has(&t->rows[1].own, 51150, 58300, 3575);
	has(&t->rows[1].session, 51150, 58300, deviation(4));
	has(&t->rows[2].own, 51180, 51420, 120);
	has(&t->rows[2].session, 51150, 58300, deviation(6));
	/* it sinks as samples accrue */
	assert_true(deviation(6) < deviation(4));
}

static void test_eci(void **state)
{
	struct result *r = *state;

	READ(r, 0, 1, 2, 3, 4, 5);
	verdict_decide(r);
	print(r, OUTPUT_ECI, text, sizeof(text));
	assert_string_equal(text,
		"ticks of a clock of 2000000000 Hz; jitter: standard deviation; "
		"spread: max - min\n"
		"  SampleMin  SampleMax SmplJitter SessionMin SessionMax SessionJitter     Sample"
		"    SmplSpread SessionSpread\n"
		"      51200      51900        350      51200      51900           350          1"
		"           700           700\n"
		"      51150      58300       3575      51150      58300          2995          2"
		"          7150          7150\n"
		"      51180      51420        120      51150      58300          2595          3"
		"           240          7150\n");
}

static void test_text(void **state)
{
	struct result *r = *state;
	const char *table, *series;

	r->machine.hypervisor = (struct hypervisor) { true, true, "QEMU TCG" };
	READ(r, 0, 1, 2, 3, 4, 5);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	assert_ptr_equal(strstr(text, "emulated"), text);
	table = strstr(text, "SampleMin");
	series = strstr(text, "\ncycle ");
	assert_true(table && series && table < series);
	says(text, "verdict: COMPLETE");
	says_not(text, "LOST");
	says_not(text, "counted by the module");
}

/* What was lost is not computed from what is left, neither there nor after it */
static void test_lost(void **state)
{
	struct result *r = *state;
	const struct caterpillar_table *t = READ(r, 0, 1, 3, 4, 5);

	assert_int_equal(t->nr, 3);
	assert_int_equal(t->rows[0].state, CATERPILLAR_WHOLE);
	assert_true(t->rows[0].session_whole);
	assert_int_equal(t->rows[1].state, CATERPILLAR_LOST);
	assert_int_equal(t->rows[1].cycles, 1);
	assert_false(t->rows[1].session_whole);
	assert_int_equal(t->rows[2].state, CATERPILLAR_WHOLE);
	assert_false(t->rows[2].session_whole);
	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_COMPLETE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text,
	     "          -          -          -          -          -             -          2"
	     "             -             -  LOST: 1 of 2 cycles were read\n");
	says(text,
	     "      51180      51420        120          -          -             -          3"
	     "           240             -\n");
	says(text, "Session, counted by the module: min 51150 max 58300 jitter 2595 spread 7150\n");
	says(text, "raw cycles that were not read: 1 ");
	print(r, OUTPUT_JSON, text, sizeof(text));
	says(text, "\"state\": \"lost\"");
	says(text, "\"session\": null");
}

/* None of its cycles arrived: neither in between, nor at the end, nor ever */
static void test_all_lost(void **state)
{
	const struct caterpillar_table *t = READ(*state, 0, 1, 4);

	assert_int_equal(t->nr, 3);
	assert_int_equal(t->rows[1].number, 2);
	assert_int_equal(t->rows[1].state, CATERPILLAR_LOST);
	assert_int_equal(t->rows[1].cycles, 0);
	assert_int_equal(t->rows[2].state, CATERPILLAR_LOST);
	assert_int_equal(t->rows[2].cycles, 1);
}

static void test_nothing_read(void **state)
{
	struct result *r = *state;
	struct caterpillar_table *t = r->own;

	r->reader.error = 5;
	caterpillar_end(t, NR_TICKS);
	assert_int_equal(t->nr, 3);
	for (size_t i = 0; i < t->nr; i++)
		assert_int_equal(t->rows[i].state, CATERPILLAR_LOST);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "reading the raw cycles failed");
}

/* The run ended in the middle of a sample: that is known, and no loss */
static void test_cut(void **state)
{
	struct result *r = *state;
	const struct caterpillar_table *t = r->own;

	r->status.seen = 5;
	READ(r, 0, 1, 2, 3, 4);
	assert_int_equal(t->nr, 3);
	assert_int_equal(t->rows[2].state, CATERPILLAR_CUT);
	has(&t->rows[2].own, 51180, 51180, 0);
	assert_true(t->rows[2].session_whole);
	has(&t->rows[2].session, 51150, 58300, deviation(5));
	print(r, OUTPUT_ECI, text, sizeof(text));
	says(text, "  cut: 1 of 2 cycles were read\n");
}

static void test_cut_and_lost(void **state)
{
	struct result *r = *state;
	const struct caterpillar_table *t = r->own;

	r->status.seen = 5;
	READ(r, 0, 1, 2, 3);
	assert_int_equal(t->nr, 3);
	assert_int_equal(t->rows[2].state, CATERPILLAR_LOST);
}

/* Memory is bounded; the session goes on */
static void test_many(void **state)
{
	struct result *r = *state;
	struct caterpillar_table *t = r->own;
	const uint64_t samples = CATERPILLAR_ROWS_MAX + 3;

	for (uint64_t i = 0; i < samples * CYCLES; i++)
		caterpillar_add(t, i, 100 + i % 7);
	caterpillar_end(t, samples * CYCLES);
	assert_int_equal(t->nr, CATERPILLAR_ROWS_MAX);
	assert_int_equal(t->left_out, 3);
	assert_false(t->gap);
	assert_int_equal(t->session.stats.count, samples * CYCLES);
	print(r, OUTPUT_KTAP, text, sizeof(text));
	says(text, "# cycle (ns): count 6 ");
}

/* As the reader's thread hands them over */
static void test_take(void **state)
{
	struct result *r = *state;
	struct caterpillar_table *t = r->own;
	struct klat_sample samples[4];
	struct reader_batch batch = {
		.records = (const char *)samples,
		.nr = 4,
		.size = sizeof(samples[0]),
	};

	for (size_t i = 0; i < 4; i++)
		samples[i] = (struct klat_sample) { .seq = i, .value = ticks[i] };
	caterpillar_take(t, &batch);
	assert_int_equal(t->nr, 2);
	has(&t->rows[1].session, 51150, 58300, deviation(4));
}

/* As a terminal that takes its time: the reader's thread must be able to go on */
static ssize_t write_slowly(void *table, const char *buf, size_t len)
{
	struct caterpillar_table *t = table;

	(void)buf;
	assert_int_equal(pthread_mutex_trylock(&t->lock), 0);
	pthread_mutex_unlock(&t->lock);
	return (ssize_t)len;
}

static void test_live_keeps_nobody_waiting(void **state)
{
	struct result *r = *state;
	FILE *slow = fopencookie(r->own, "w", (cookie_io_functions_t) { .write = write_slowly });

	assert_non_null(slow);
	setvbuf(slow, NULL, _IONBF, 0);
	caterpillar_kind.live(r, slow);
	READ(r, 0, 1);
	caterpillar_kind.live(r, slow);
	fclose(slow);
}

#define TABLE_TEST(fn)	cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TABLE_TEST(test_table),
		TABLE_TEST(test_eci),
		TABLE_TEST(test_text),
		TABLE_TEST(test_lost),
		TABLE_TEST(test_all_lost),
		TABLE_TEST(test_nothing_read),
		TABLE_TEST(test_cut),
		TABLE_TEST(test_cut_and_lost),
		TABLE_TEST(test_many),
		TABLE_TEST(test_take),
		TABLE_TEST(test_live_keeps_nobody_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
