// SPDX-License-Identifier: GPL-2.0
/* Durations, options and CPU lists as klat reads them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cpulist.h"
#include "duration.h"
#include "machine.h"
#include "options.h"

static void duration_is(const char *text, uint64_t expected)
{
	uint64_t ns = 1;

	assert_int_equal(duration_parse(text, &ns), 0);
	assert_int_equal(ns, expected);
}

static void duration_fails(const char *text, int error)
{
	uint64_t ns;

	assert_int_equal(duration_parse(text, &ns), error);
}

static void test_duration(void **state)
{
	(void)state;
	duration_is("0", 0);
	duration_is("0s", 0);
	duration_is("1ns", 1);
	duration_is("10us", 10000);
	duration_is("1.5ms", 1500000);
	duration_is("0.001us", 1);
	duration_is("2s", 2000000000);
	duration_is("3m", 180000000000);
	duration_is("1h", 3600000000000);
	duration_is("2d", 172800000000000);
	duration_is("18446744073.709551615s", UINT64_MAX);
	duration_is("18446744073709551ns", 18446744073709551);
}

static void test_duration_wrong(void **state)
{
	static const char *const texts[] = {
		"", "5", "ms", "-5ms", "+5ms", " 5ms", "5 ms", "5ms ", "5.ms", ".5ms", "5min",
		"0.5ns", "1e3s", "0x10s", "5MS", "1.2.3s",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		duration_fails(texts[i], -EINVAL);
	duration_fails("18446744073.709551616s", -ERANGE);
	duration_fails("213504d", -ERANGE);
	duration_fails("99999999999999999999ns", -ERANGE);
}

static void test_duration_format(void **state)
{
	static const uint64_t values[] = {
		0, 1, 999, 1000, 1001, 1500000, 60000000000, 3600000000000, UINT64_MAX,
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		duration_format(values[i], text, sizeof(text));
		duration_is(text, values[i]);
	}
	duration_format(90000000000, text, sizeof(text));
	assert_string_equal(text, "90s");
	duration_format(3600000000000, text, sizeof(text));
	assert_string_equal(text, "1h");
}

struct options {
	uint64_t number;
	uint64_t duration;
	uint64_t hex;
	uint64_t size;
	int cpu;
	const char *text;
	unsigned int choice;
	bool flag;
};

static const char *const choices[] = { "red", "green", NULL };

static const struct option_def defs[] = {
	{ 'n', "number", "N", "", OPTION_NUMBER, offsetof(struct options, number), 1, 10, NULL },
	{ 'd', "duration", "T", "", OPTION_DURATION, offsetof(struct options, duration),
	  10000, 3600000000000, NULL },
	{ 'c', "cpu", "CPU", "", OPTION_CPU, offsetof(struct options, cpu), 0, 65535, NULL },
	{ 't', "text", "TEXT", "", OPTION_TEXT, offsetof(struct options, text), 0, 4, NULL },
	{ 'x', "choice", "C", "", OPTION_CHOICE, offsetof(struct options, choice), 0, 0, choices },
	{ 'f', "flag", NULL, "", OPTION_SET, offsetof(struct options, flag), 0, 0, NULL },
	{ 0, "no-flag", NULL, "", OPTION_CLEAR, offsetof(struct options, flag), 0, 0, NULL },
	{ 0, "hex", "0xHEX", "", OPTION_HEX, offsetof(struct options, hex), 0, INT64_MAX, NULL },
	{ 0, "size", "SIZE", "", OPTION_SIZE, offsetof(struct options, size), 4096, 1ULL << 40,
	  NULL },
	{ 0 }
};

enum { NUMBER, DURATION, CPU, TEXT, CHOICE, FLAG, NO_FLAG, HEX, SIZE };

static void store_ok(struct options *o, int def, const char *text)
{
	char why[256];

	assert_int_equal(option_store(&defs[def], o, text, why, sizeof(why)), 0);
}

static void store_fails(int def, const char *text, const char *part)
{
	struct options o = { .number = 7, .choice = 1 };
	char why[256] = "";

	assert_int_not_equal(option_store(&defs[def], &o, text, why, sizeof(why)), 0);
	if (!strstr(why, part))
		fail_msg("'%s' does not say '%s'", why, part);
}

static void test_option_store(void **state)
{
	struct options o = { 0 };

	(void)state;
	store_ok(&o, NUMBER, "10");
	assert_int_equal(o.number, 10);
	store_ok(&o, DURATION, "10us");
	assert_int_equal(o.duration, 10000);
	store_ok(&o, CPU, "127");
	assert_int_equal(o.cpu, 127);
	store_ok(&o, TEXT, "soft");
	assert_string_equal(o.text, "soft");
	store_ok(&o, CHOICE, "green");
	assert_int_equal(o.choice, 1);
	store_ok(&o, FLAG, NULL);
	assert_true(o.flag);
	store_ok(&o, NO_FLAG, NULL);
	assert_false(o.flag);
	store_ok(&o, HEX, "0xfebc0008");
	assert_true(o.hex == 0xfebc0008);
	store_ok(&o, HEX, "0x7fffffffffffffff");
	assert_true(o.hex == INT64_MAX);
	store_ok(&o, HEX, "0");
	assert_int_equal(o.hex, 0);
}

static void test_size(void **state)
{
	static const char *const wrong[] = {
		"", "K", "64KB", "64 K", "6.5K", "-64K", "0x1000", "64T", "64Ki",
	};
	struct options o = { 0 };

	(void)state;
	store_ok(&o, SIZE, "5000");
	assert_int_equal(o.size, 5000);
	store_ok(&o, SIZE, "64K");
	assert_int_equal(o.size, 65536);
	store_ok(&o, SIZE, "2m");
	assert_int_equal(o.size, 2 << 20);
	store_ok(&o, SIZE, "3G");
	assert_true(o.size == 3ULL << 30);
	store_fails(SIZE, "4095", "4K .. 1024G");
	store_fails(SIZE, "1025G", "4K .. 1024G");
	/* 2^64 and more do not come around */
	store_fails(SIZE, "17179869185G", "4K .. 1024G");
	store_fails(SIZE, "18446744073709551617", "4K .. 1024G");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		store_fails(SIZE, wrong[i], "size");
}

static void test_option_wrong(void **state)
{
	(void)state;
	store_fails(NUMBER, "0", "1 .. 10");
	store_fails(NUMBER, "11", "1 .. 10");
	store_fails(NUMBER, "-1", "1 .. 10");
	store_fails(NUMBER, "5x", "whole number");
	store_fails(NUMBER, "", "whole number");
	store_fails(NUMBER, "18446744073709551617", "1 .. 10");
	store_fails(HEX, "10", "hexadecimal");
	store_fails(HEX, "febc0008", "hexadecimal");
	store_fails(HEX, "0x", "hexadecimal");
	store_fails(HEX, "0x-1", "hexadecimal");
	store_fails(HEX, "-0x1", "hexadecimal");
	store_fails(HEX, "0x8g", "hexadecimal");
	store_fails(HEX, "0x8000000000000000", "0x0 .. 0x7fffffffffffffff");
	store_fails(HEX, "0x10000000000000000", "0x0 .. 0x7fffffffffffffff");
	store_fails(DURATION, "9us", "10us .. 1h");
	store_fails(DURATION, "61m", "10us .. 1h");
	store_fails(DURATION, "1", "units");
	store_fails(CPU, "-1", "0 .. 65535");
	store_fails(CPU, "4294967296", "0 .. 65535");
	store_fails(TEXT, "", "1 .. 4");
	store_fails(TEXT, "longer", "1 .. 4");
	store_fails(CHOICE, "blue", "red green");
}

static enum options_result parse(struct options *o, int argc, char **argv)
{
	const struct option_group groups[] = { { "Options", defs, o }, { 0 } };
	const struct option_set set = { "test", "", "", groups };

	return options_parse(&set, argc, argv);
}

static void test_options(void **state)
{
	char *shorts[] = { "t", "-n5", "-d", "1ms", "-f", "-x", "red", NULL };
	char *longs[] = { "t", "--number=6", "--duration", "2ms", "--flag", "--no-flag", NULL };
	char *wrong[] = { "t", "--nonsense", NULL };
	char *operand[] = { "t", "-n", "5", "more", NULL };
	struct options o = { 0 };

	(void)state;
	assert_int_equal(parse(&o, 7, shorts), OPTIONS_GO);
	assert_int_equal(o.number, 5);
	assert_int_equal(o.duration, 1000000);
	assert_true(o.flag);
	assert_int_equal(parse(&o, 6, longs), OPTIONS_GO);
	assert_int_equal(o.number, 6);
	assert_int_equal(o.duration, 2000000);
	assert_false(o.flag);
	assert_int_equal(parse(&o, 2, wrong), OPTIONS_WRONG);
	assert_int_equal(parse(&o, 4, operand), OPTIONS_WRONG);
}

static void cpulist_is(const char *text, const char *expected, int weight)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	char buf[512];

	cpulist_parse(text, set);
	cpulist_print(set, buf, sizeof(buf));
	assert_string_equal(buf, expected);
	assert_int_equal(hwloc_bitmap_weight(set), weight);
	hwloc_bitmap_free(set);
}

static void test_cpulist(void **state)
{
	(void)state;
	cpulist_is("", "", 0);
	cpulist_is("\n", "", 0);
	cpulist_is("                 (null)\n", "", 0);
	cpulist_is("4-7\n", "4-7", 4);
	cpulist_is("1,3,5-7,64-127", "1,3,5-7,64-127", 69);
	cpulist_is("nonsense", "", 0);
}

static void test_rt(void **state)
{
	(void)state;
	assert_true(version_is_rt("#1 SMP PREEMPT_RT Debian 6.12.9-1"));
	assert_true(version_is_rt("#1 SMP PREEMPT RT"));
	assert_false(version_is_rt("#59-Ubuntu SMP PREEMPT_DYNAMIC"));
	assert_false(version_is_rt("#1 SMP PREEMPT"));
	assert_false(version_is_rt("#3-lowlatency SMP PREEMPT"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_duration_wrong),
		cmocka_unit_test(test_duration_format),
		cmocka_unit_test(test_option_store),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_option_wrong),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_cpulist),
		cmocka_unit_test(test_rt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
