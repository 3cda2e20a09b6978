// SPDX-License-Identifier: GPL-2.0
/* drivers/core/series.c: copies taken while a writer is at work. */
#include "unit.h"
#include <pthread.h>
#include <time.h>

#include "feed.h"
#include "random.h"

/* so many of both, or as many as come in time: a busy machine may show few */
#define GOOD_COPIES	2000
#define WRITER_MET	500
#define TIME_S		10

static void a_writer_in_the_middle_is_met(void **state UNUSED)
{
	struct klat_series *series = new_series(0), *copy = new_series(0);

	feed(series, 5, 0);
	klat_series_write_begin(series);
	assert_false(klat_series_try_copy(copy, series));
	klat_series_write_end(series);
	assert_true(klat_series_try_copy(copy, series));
	assert_true(copy->count == 1);
	free(series);
	free(copy);
}

static void a_copy_is_the_same(void **state UNUSED)
{
	struct klat_series *series = new_series(3), *copy = new_series(3);
	struct random random = { 8 };
	int i;

	assert_true(klat_series_try_copy(copy, series));
	assert_true(copy->count == 0);
	for (i = 0; i < 1000; i++) {
		feed(series, random_magnitude(&random), i);
		/* again and again over the copy before */
		assert_true(klat_series_try_copy(copy, series));
		assert_memory_equal(copy, series, offsetof(struct klat_series, bucket));
		assert_memory_equal(copy->bucket, series->bucket, sizeof(copy->bucket));
		assert_memory_equal(copy->worst, series->worst, sizeof(copy->worst));
		assert_int_equal(copy->nr_worst, series->nr_worst);
	}
	free(series);
	free(copy);
}

struct race {
	struct klat_series *series;
	u32 buckets;		/* values of that many buckets */
	u64 pause;		/* between two values */
	bool stop;
};

/* Only values that their bucket tells exactly, so that buckets give the sums */
static void *write_values(void *arg)
{
	struct race *race = arg;
	struct random random = { 9 };
	volatile u64 spin;
	u64 seq = 0;

	while (!__atomic_load_n(&race->stop, __ATOMIC_RELAXED)) {
		feed(race->series, klat_hist_lower(random_below(&random, race->buckets)),
		     seq++);
		for (spin = random_below(&random, race->pause); spin; spin--)
			;
	}
	return NULL;
}

static void check_copy(const struct klat_series *copy)
{
	klat_u128 sum = 0, squares = 0;
	u64 count = 0, value;
	u32 i;

	for (i = 0; i < KLAT_HIST_BUCKETS; i++) {
		value = klat_hist_lower(i);
		count += copy->bucket[i];
		sum += (klat_u128)value * copy->bucket[i];
		squares += (klat_u128)value * value * copy->bucket[i];
		if (copy->bucket[i])
			assert_true(value >= copy->min && value <= copy->max);
	}
	assert_true(count == copy->count);
	assert_true(sum == copy->sum);
	assert_true(squares == copy->squares);
}

static void race(u32 buckets, u64 pause)
{
	struct race race = { .series = new_series(0), .buckets = buckets, .pause = pause };
	struct klat_series *copy = new_series(0);
	time_t deadline = time(NULL) + TIME_S;
	u64 good = 0, met = 0, count = 0;
	pthread_t writer;

	assert_int_equal(pthread_create(&writer, NULL, write_values, &race), 0);
	while ((good < GOOD_COPIES || met < WRITER_MET) && time(NULL) < deadline) {
		if (!klat_series_try_copy(copy, race.series)) {
			met++;
			continue;
		}
		check_copy(copy);
		assert_true(copy->count >= count);
		count = copy->count;
		good++;
	}
	__atomic_store_n(&race.stop, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	print_message("%llu good copies of %llu values, the writer was met %llu times\n", good,
		      count, met);
	assert_true(good > 0);
	free(race.series);
	free(copy);
}

static void copies_of_a_running_series_agree(void **state UNUSED)
{
	/* narrow and fast, so that copy and writer meet often; wide and slower */
	race(64, 300);
	race(1024, 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_writer_in_the_middle_is_met),
		cmocka_unit_test(a_copy_is_the_same),
		cmocka_unit_test(copies_of_a_running_series_agree),
	};

	return cmocka_run_group_tests_name("series_copy", tests, NULL, NULL);
}
