// SPDX-License-Identifier: GPL-2.0
/* Verdicts and exit codes, and what each output format makes of a result. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
#include <cmocka.h>

#include "print.h"

#define EVENTS	1000

/* A run of EVENTS events that went well */
static int setup(void **state)
{
	struct result *r = calloc(1, sizeof(*r));
	struct series *s;

	if (!r)
		return -1;
	r->command = "msi-lat";
	r->info.clock_hz = 1000000000;
	r->info.clock_flags = KLAT_CLOCK_STABLE;
	r->irq.number = -1;
	r->irq_cpu = 1;
	r->status.state = KLAT_DONE;
	r->status.asked = EVENTS;
	r->status.fired = EVENTS;
	r->status.seen = EVENTS;
	r->before.rt_runtime_known = true;
	r->before.rt_runtime_us = -1;
	snprintf(r->machine.isolated, sizeof(r->machine.isolated), "1");
	result_config_text(r, "source", "soft");
	result_config_ns(r, "period", 1000000);
	s = result_add_series(r, "latency");
	for (uint64_t i = 0; i < EVENTS; i++)
		series_add(s, 1000 + i, i, 1);
	result_add_series(r, "service");
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	result_free(*state);
	free(*state);
	return 0;
}

static void judged(struct result *r, enum verdict verdict, enum exit_code code,
		   const char *reason)
{
	verdict_decide(r);
	assert_int_equal(r->verdict, verdict);
	assert_int_equal(result_exit_code(r), code);
	if (!reason) {
		assert_int_equal(r->reasons.nr, 0);
		return;
	}
	for (size_t i = 0; i < r->reasons.nr; i++)
		if (strstr(r->reasons.items[i], reason))
			return;
	fail_msg("no reason says '%s'", reason);
}

static void test_complete(void **state)
{
	struct result *r = *state;

	r->status.missed = r->status.late = r->status.clipped = r->status.ring_lost = 5;
	r->reader.user = true;
	/* one of the events, so that there is a note on the others, too */
	series_add(result_add_series(r, "user"), 1000, 0, 1);
	judged(r, VERDICT_COMPLETE, EXIT_FINE, NULL);
	assert_int_equal(r->notes.nr, 6);
}

static void test_user_has_all(void **state)
{
	struct result *r = *state;
	struct series *user = result_add_series(r, "user");

	r->reader.user = true;
	for (uint64_t i = 0; i < EVENTS; i++)
		series_add(user, 1000, i, 1);
	judged(r, VERDICT_COMPLETE, EXIT_FINE, NULL);
	assert_int_equal(r->notes.nr, 0);
}

static void test_duration_over(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_STOPPED;
	r->status.asked = EVENTS + 1;
	r->end = END_DURATION;
	judged(r, VERDICT_COMPLETE, EXIT_FINE, NULL);
}

static void test_interrupted(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_STOPPED;
	r->end = END_SIGNAL;
	judged(r, VERDICT_INCOMPLETE, EXIT_DOUBT, "interrupted");
}

static void test_limit(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_STOPPED;
	r->status.flags = KLAT_RUN_LIMIT;
	r->limit_ns = 1500;
	judged(r, VERDICT_COMPLETE, EXIT_LIMIT, NULL);
}

static void test_limit_of_invalid(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_STOPPED;
	r->status.flags = KLAT_RUN_LIMIT | KLAT_RUN_CLOCK_UNSTABLE;
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "clock");
}

static void test_unanswered(void **state)
{
	struct result *r = *state;

	r->status.unanswered = 3;
	r->status.seen -= 3;
	judged(r, VERDICT_INCOMPLETE, EXIT_DOUBT, "3 of 1000");
}

static void test_device_lost(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_FAILED;
	r->status.error = ENODEV;
	snprintf(r->status.message, sizeof(r->status.message), "the device is gone");
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "the device is gone");
}

/* mmio_latency: the errno is that of a device in use */
static void test_device_taken(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_FAILED;
	r->status.error = EBUSY;
	snprintf(r->status.message, sizeof(r->status.message),
		 "device lost: driver igb took 0000:01:00.0");
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "driver igb took");
}

static void test_not_given_back(void **state)
{
	struct result *r = *state;

	r->not_given_back = -EBUSY;
	judged(r, VERDICT_INCOMPLETE, EXIT_DOUBT, "the device was not given back");
	r->status.state = KLAT_STOPPED;
	r->status.flags = KLAT_RUN_LIMIT;
	judged(r, VERDICT_INCOMPLETE, EXIT_DOUBT, "the device was not given back");
}

static void test_failed_otherwise(void **state)
{
	struct result *r = *state;

	r->status.state = KLAT_FAILED;
	r->status.error = ESHUTDOWN;
	judged(r, VERDICT_INCOMPLETE, EXIT_DOUBT, strerror(ESHUTDOWN));
}

static void test_no_data(void **state)
{
	struct result *r = *state;

	r->primary = 1;
	judged(r, VERDICT_INCOMPLETE, EXIT_DOUBT, "no data");
}

static void test_elsewhere(void **state)
{
	struct result *r = *state;

	r->status.elsewhere = 2;
	r->after.irqbalance = true;
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "irqbalance");
}

static void setting_judged(struct result *r, uint32_t flags, int64_t before, int64_t after,
			   enum verdict verdict)
{
	r->status.nr_settings = 1;
	r->status.settings[0] = (struct klat_setting) {
		.name = "irq_cpu", .flags = flags, .asked = 1, .before = before, .after = after,
	};
	strlist_free(&r->reasons);
	judged(r, verdict, verdict == VERDICT_COMPLETE ? EXIT_FINE : EXIT_DOUBT,
	       verdict == VERDICT_COMPLETE ? NULL : "irq_cpu");
}

static void test_settings(void **state)
{
	const uint32_t all = KLAT_SETTING_ASKED | KLAT_SETTING_BEFORE | KLAT_SETTING_AFTER;

	setting_judged(*state, all, 1, 1, VERDICT_COMPLETE);
	setting_judged(*state, all, 0, 1, VERDICT_INVALID);
	setting_judged(*state, all, 1, 0, VERDICT_INVALID);
	/* what is not known cannot differ */
	setting_judged(*state, KLAT_SETTING_ASKED, 0, 0, VERDICT_COMPLETE);
	setting_judged(*state, KLAT_SETTING_BEFORE | KLAT_SETTING_AFTER, 0, 2, VERDICT_COMPLETE);
}

static void test_conditions(void **state)
{
	struct result *r = *state;

	r->before.throttled_known = r->after.throttled_known = true;
	r->after.throttled = 4;
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "throttled");
	snprintf(r->after.clocksource, sizeof(r->after.clocksource), "hpet");
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "hpet");
	strlist_add(&r->after.beside, "hwlat_detector");
	judged(r, VERDICT_INVALID, EXIT_DOUBT, "hwlat_detector");
}

static void test_skipped_periods(void **state)
{
	struct result *r = *state;

	r->status.late = 3;
	r->status.fired = 4;
	r->status.duration = 8004;
	judged(r, VERDICT_COMPLETE, EXIT_FINE, NULL);
	assert_int_equal(r->notes.nr, 2);
	assert_string_equal(r->notes.items[1], "so a request was made every 2001 ns on average");
}

static char text[1 << 20];

static void file_has(const char *path, const char *begin, size_t at_least)
{
	FILE *file = fopen(path, "r");
	size_t got;

	assert_non_null(file);
	got = fread(text, 1, sizeof(text) - 1, file);
	text[got] = '\0';
	fclose(file);
	assert_true(got >= at_least);
	assert_memory_equal(text, begin, strlen(begin));
}

/* What a file has is lost when there is a result to take its place, and not before */
static void test_output_file(void **state)
{
	char path[] = "/tmp/klat-unit-XXXXXX";
	int fd = mkstemp(path);
	FILE *to;

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 1 << 19), 0);
	assert_int_equal(pwrite(fd, "yesterday", 9, 0), 9);
	close(fd);
	to = output_open(path);
	assert_int_equal(output_close(to), 0);
	file_has(path, "yesterday", 1 << 19);
	to = output_open(path);
	output_skip("msi-lat", "no device", OUTPUT_TEXT, to);
	assert_int_equal(output_close(to), 0);
	file_has(path, "yesterday", 1 << 19);
	to = output_open(path);
	output_result(*state, OUTPUT_CSV, to);
	assert_int_equal(output_close(to), 0);
	file_has(path, "benchmark,series,", 1);
	assert_true(strlen(text) < 1 << 16);
	unlink(path);
}

static void emulated(struct result *r)
{
	r->machine.hypervisor = (struct hypervisor) { true, true, "QEMU TCG" };
}

static void test_text(void **state)
{
	static const char label[] = "emulated (QEMU TCG): not a verdict on hardware\n";
	struct result *r = *state;

	emulated(r);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	assert_memory_equal(text, label, strlen(label));
	says(text, "verdict: COMPLETE");
	says(text, "service  no data");
	print(r, OUTPUT_ECI, text, sizeof(text));
	assert_memory_equal(text, label, strlen(label));
	says(text, "************ RESULTS (ns) ************\n\n"
		   "* Max: 1999\n* Avg: 1500\n* Min: 1000\n");
}

static int64_t number(json_t *json, const char *key)
{
	json_t *value = json_object_get(json, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void test_json(void **state)
{
	json_t *json, *series, *value;
	struct result *r = *state;
	int64_t total = 0;
	size_t i;

	emulated(r);
	verdict_decide(r);
	print(r, OUTPUT_JSON, text, sizeof(text));
	json = json_loads(text, 0, NULL);
	assert_non_null(json);
	series = json_array_get(json_object_get(json, "series"), 0);
	assert_int_equal(number(series, "count"), EVENTS);
	assert_int_equal(number(series, "min"), 1000);
	assert_int_equal(number(series, "max"), 1999);
	json_array_foreach(json_object_get(series, "histogram"), i, value)
		total += number(value, "count");
	assert_int_equal(total, EVENTS);
	assert_int_equal(json_array_size(json_object_get(series, "worst")), KLAT_MAX_WORST);
	series = json_array_get(json_object_get(json, "series"), 1);
	assert_int_equal(number(series, "count"), 0);
	assert_true(json_is_null(json_object_get(series, "min")));
	assert_true(json_is_null(json_object_get(series, "percentiles")));
	value = json_object_get(json, "environment");
	assert_true(json_is_true(json_object_get(value, "virtual")));
	assert_string_equal(json_string_value(json_object_get(value, "hypervisor")), "QEMU TCG");
	assert_int_equal(number(json_object_get(json, "config"), "period_ns"), 1000000);
	json_decref(json);
}

static void test_csv(void **state)
{
	verdict_decide(*state);
	print(*state, OUTPUT_CSV, text, sizeof(text));
	says(text, "\nmsi-lat,latency,ns,1000,1000,1499.500,288.675,1999,");
	says(text, "\nmsi-lat,service,ns,0,,,,,,,,,,,,,COMPLETE\n");
}

static void test_hist(void **state)
{
	uint64_t total = 0, value, count;
	char *line, *save;

	verdict_decide(*state);
	print(*state, OUTPUT_HIST, text, sizeof(text));
	says(text, "# Max Latencies: 000001999\n");
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%lu %lu", &value, &count), 2);
		total += count;
	}
	assert_int_equal(total, EVENTS);
}

static void test_ktap(void **state)
{
	struct result *r = *state;

	r->limit_ns = 1500;
	r->status.state = KLAT_STOPPED;
	r->status.flags = KLAT_RUN_LIMIT;
	verdict_decide(r);
	print(r, OUTPUT_KTAP, text, sizeof(text));
	assert_memory_equal(text, "KTAP version 1\n1..3\n", 20);
	says(text, "\nok 1 ");
	says(text, "\nok 2 ");
	says(text, "\nnot ok 3 ");
}

#define RESULT_TEST(fn)	cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RESULT_TEST(test_complete),
		RESULT_TEST(test_user_has_all),
		RESULT_TEST(test_duration_over),
		RESULT_TEST(test_interrupted),
		RESULT_TEST(test_limit),
		RESULT_TEST(test_limit_of_invalid),
		RESULT_TEST(test_unanswered),
		RESULT_TEST(test_device_lost),
		RESULT_TEST(test_device_taken),
		RESULT_TEST(test_not_given_back),
		RESULT_TEST(test_failed_otherwise),
		RESULT_TEST(test_no_data),
		RESULT_TEST(test_elsewhere),
		RESULT_TEST(test_settings),
		RESULT_TEST(test_conditions),
		RESULT_TEST(test_skipped_periods),
		RESULT_TEST(test_output_file),
		RESULT_TEST(test_text),
		RESULT_TEST(test_json),
		RESULT_TEST(test_csv),
		RESULT_TEST(test_hist),
		RESULT_TEST(test_ktap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
