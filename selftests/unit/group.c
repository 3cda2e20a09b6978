// SPDX-License-Identifier: GPL-2.0
/*
 * drivers/hwlat_detector/group.c: which gaps are one event, who was quiet, and that
 * it is the same whoever ends his window first.
 */
#include "unit.h"
#include <stdio.h>

#include "group.h"
#include "random.h"

#define CPUS	4
#define SPANS	8
#define ROOM	1000

static void begin(struct hwlat_group *group, u32 room)
{
	assert_int_equal(hwlat_group_init(group, CPUS, SPANS, room), 0);
}

static void add(struct hwlat_group *group, u32 cpu, u64 from, u64 to)
{
	struct hwlat_gap gap = { .begin = from, .end = to, .cpu = cpu };

	assert_true(hwlat_group_add(group, &gap));
}

/* The events that are over at @horizon, as "cpu:begin-end ... /q..." each in [] */
static const char *tell(struct hwlat_group *group, u64 horizon)
{
	static char text[100000];
	struct hwlat_span event;
	char *to = text;
	u32 told = 0, nr, i;

	*to = '\0';
	hwlat_group_sort(group);
	while ((nr = hwlat_group_event(group, told, horizon, &event))) {
		const struct hwlat_gap *gap = &group->gap[told];

		to += sprintf(to, "[%llu-%llu", event.begin, event.end);
		for (i = 0; i < nr; i++)
			to += sprintf(to, " %u:%llu-%llu", gap[i].cpu, gap[i].begin, gap[i].end);
		for (i = 0; i < CPUS; i++)
			if (hwlat_group_quiet(group, i, gap, nr, &event))
				to += sprintf(to, " q%u", i);
		to += sprintf(to, "]");
		told += nr;
	}
	hwlat_group_drop(group, told);
	return text;
}

static void no_gap_is_no_event(void **state UNUSED)
{
	struct hwlat_group group;

	begin(&group, ROOM);
	assert_string_equal(tell(&group, U64_MAX), "");
	hwlat_group_free(&group);
	hwlat_group_free(&group);
}

static void what_overlaps_is_one_event(void **state UNUSED)
{
	struct hwlat_group group;

	begin(&group, ROOM);
	add(&group, 1, 105, 120);
	add(&group, 0, 100, 110);
	/* the end of one and the begin of the next are no overlap */
	add(&group, 2, 120, 130);
	assert_string_equal(tell(&group, U64_MAX),
			    "[100-120 0:100-110 1:105-120][120-130 2:120-130]");
	hwlat_group_free(&group);
}

static void what_others_connect_is_one_event(void **state UNUSED)
{
	struct hwlat_group group;

	begin(&group, ROOM);
	/* the long one spans two of the same CPU; the last overlaps only one of them */
	add(&group, 0, 100, 110);
	add(&group, 0, 150, 170);
	add(&group, 1, 105, 160);
	add(&group, 2, 165, 180);
	assert_string_equal(tell(&group, U64_MAX),
			    "[100-180 0:100-110 1:105-160 0:150-170 2:165-180]");
	hwlat_group_free(&group);
}

static void of_equals_the_lower_cpu_is_first(void **state UNUSED)
{
	struct hwlat_group group;

	begin(&group, ROOM);
	add(&group, 3, 100, 110);
	add(&group, 1, 100, 110);
	add(&group, 2, 100, 105);
	assert_string_equal(tell(&group, U64_MAX),
			    "[100-110 1:100-110 2:100-105 3:100-110]");
	hwlat_group_free(&group);
}

static void large_times_and_long_gaps(void **state UNUSED)
{
	struct hwlat_group group;
	u64 at = 1ULL << 63;

	begin(&group, ROOM);
	add(&group, 0, at, at + (1ULL << 33));
	add(&group, 1, at + (1ULL << 32), at + (1ULL << 32) + 1);
	assert_string_equal(tell(&group, at), "");
	assert_string_equal(tell(&group, U64_MAX),
			    "[9223372036854775808-9223372045444710400 "
			    "0:9223372036854775808-9223372045444710400 "
			    "1:9223372041149743104-9223372041149743105]");
	hwlat_group_free(&group);
}

static void an_event_waits_for_the_horizon(void **state UNUSED)
{
	struct hwlat_group group;

	begin(&group, ROOM);
	add(&group, 0, 100, 110);
	add(&group, 0, 200, 210);
	assert_string_equal(tell(&group, 109), "");
	assert_string_equal(tell(&group, 150), "[100-110 0:100-110]");
	/* one that began before the horizon joins it */
	add(&group, 1, 209, 300);
	assert_string_equal(tell(&group, 299), "");
	assert_string_equal(tell(&group, 300), "[200-300 0:200-210 1:209-300]");
	assert_string_equal(tell(&group, U64_MAX), "");
	hwlat_group_free(&group);
}

static void quiet_is_who_looked_all_the_time(void **state UNUSED)
{
	struct hwlat_group group;

	begin(&group, ROOM);
	hwlat_group_looked(&group, 0, 0, 1000);
	hwlat_group_looked(&group, 1, 100, 110);	/* just the event */
	hwlat_group_looked(&group, 2, 101, 1000);	/* began too late */
	hwlat_group_looked(&group, 3, 0, 109);		/* ended too early */
	add(&group, 0, 100, 110);
	assert_string_equal(tell(&group, U64_MAX), "[100-110 0:100-110 q1]");
	/* two windows that meet are not one */
	hwlat_group_looked(&group, 3, 109, 1000);
	add(&group, 0, 100, 110);
	assert_string_equal(tell(&group, U64_MAX), "[100-110 0:100-110 q1]");
	hwlat_group_free(&group);
}

static void windows_are_remembered_long_enough(void **state UNUSED)
{
	struct hwlat_group group;
	u64 i;

	begin(&group, ROOM);
	for (i = 1; i <= SPANS; i++)
		hwlat_group_looked(&group, 1, i * 1000, i * 1000 + 500);
	add(&group, 0, 1100, 1110);
	assert_string_equal(tell(&group, U64_MAX), "[1100-1110 0:1100-1110 q1]");
	hwlat_group_looked(&group, 1, i * 1000, i * 1000 + 500);
	add(&group, 0, 1100, 1110);
	add(&group, 0, 2100, 2110);
	assert_string_equal(tell(&group, U64_MAX),
			    "[1100-1110 0:1100-1110][2100-2110 0:2100-2110 q1]");
	hwlat_group_free(&group);
}

static void without_room_nothing_is_kept(void **state UNUSED)
{
	struct hwlat_gap gap = { .begin = 1, .end = 2 };
	struct hwlat_group group;

	begin(&group, 2);
	assert_true(hwlat_group_add(&group, &gap));
	assert_true(hwlat_group_add(&group, &gap));
	assert_false(hwlat_group_add(&group, &gap));
	tell(&group, U64_MAX);
	assert_true(hwlat_group_add(&group, &gap));
	hwlat_group_free(&group);
}

/* What a CPU sees in a window */
#define WINDOWS		6
#define WINDOW_GAPS	5

struct window {
	u32 cpu;
	struct hwlat_span span;
	struct hwlat_gap gap[WINDOW_GAPS];
	u32 nr;
};

static void make_window(struct random *random, struct window *window, u32 cpu, u64 from, u64 to)
{
	u64 at = from;

	window->cpu = cpu;
	window->span = (struct hwlat_span){ from, to };
	for (window->nr = 0; window->nr < WINDOW_GAPS; window->nr++) {
		u64 first = at + 1 + random_below(random, (to - from) / WINDOW_GAPS);
		u64 last = first + 1 + random_below(random, (to - from) / WINDOW_GAPS);

		if (last >= to)
			break;
		window->gap[window->nr] = (struct hwlat_gap){
			.begin = first, .end = last, .cpu = cpu };
		at = last;
	}
}

/* The least begin of the windows that are not over when @done of @order are */
static u64 horizon_after(const struct window *window, const u32 *order, u32 done, u32 nr)
{
	u64 horizon = U64_MAX;
	u32 i;

	for (i = done; i < nr; i++)
		if (window[order[i]].span.begin < horizon)
			horizon = window[order[i]].span.begin;
	return horizon;
}

/* Ends the windows in that order, and tells after each what is over */
static char *tell_in_order(const struct window *window, const u32 *order, u32 nr)
{
	char *all = calloc(1, 100000);
	struct hwlat_group group;
	u32 i, j;

	begin(&group, ROOM);
	for (i = 0; i < nr; i++) {
		const struct window *ended = &window[order[i]];

		for (j = 0; j < ended->nr; j++)
			assert_true(hwlat_group_add(&group, &ended->gap[j]));
		hwlat_group_looked(&group, ended->cpu, ended->span.begin, ended->span.end);
		strcat(all, tell(&group, horizon_after(window, order, i + 1, nr)));
	}
	assert_int_equal(group.nr, 0);
	hwlat_group_free(&group);
	return all;
}

/* Any order that has each CPU's own windows one after the other */
static void shuffle(struct random *random, u32 *order)
{
	u32 next[CPUS] = { 0 }, i, cpu;

	for (i = 0; i < CPUS * WINDOWS; i++) {
		do
			cpu = random_below(random, CPUS);
		while (next[cpu] == WINDOWS);
		order[i] = cpu * WINDOWS + next[cpu]++;
	}
}

static void the_order_of_windows_does_not_matter(void **state UNUSED)
{
	struct random random = { 7 };
	struct window window[CPUS * WINDOWS];
	u32 order[CPUS * WINDOWS], round, cpu, i;
	char *first, *again;

	for (round = 0; round < 300; round++) {
		for (cpu = 0; cpu < CPUS; cpu++)
			for (i = 0; i < WINDOWS; i++)
				make_window(&random, &window[cpu * WINDOWS + i], cpu,
					    1000 * i + 250 * cpu + random_below(&random, 50),
					    1000 * i + 250 * cpu + 900);
		shuffle(&random, order);
		first = tell_in_order(window, order, CPUS * WINDOWS);
		assert_true(strchr(first, ':') && strchr(first, 'q'));
		shuffle(&random, order);
		again = tell_in_order(window, order, CPUS * WINDOWS);
		assert_string_equal(first, again);
		free(first);
		free(again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_gap_is_no_event),
		cmocka_unit_test(what_overlaps_is_one_event),
		cmocka_unit_test(what_others_connect_is_one_event),
		cmocka_unit_test(of_equals_the_lower_cpu_is_first),
		cmocka_unit_test(large_times_and_long_gaps),
		cmocka_unit_test(an_event_waits_for_the_horizon),
		cmocka_unit_test(quiet_is_who_looked_all_the_time),
		cmocka_unit_test(windows_are_remembered_long_enough),
		cmocka_unit_test(without_room_nothing_is_kept),
		cmocka_unit_test(the_order_of_windows_does_not_matter),
	};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
