// SPDX-License-Identifier: GPL-2.0
/* drivers/core/ring.[ch]: order, losses, wrap, and a reader beside a writer. */
#include "unit.h"
#include <pthread.h>
#include <sched.h>

#include "random.h"
#include "ring.h"

#define ENTRIES		64

static void push(struct klat_ring *ring, u64 seq)
{
	klat_ring_push(ring, 2, seq, seq + 1000, seq * 3, 5);
}

static void check_sample(const struct klat_sample *sample, u64 seq)
{
	assert_true(sample->seq == seq);
	assert_true(sample->time == seq + 1000);
	assert_true(sample->value == seq * 3);
	assert_int_equal(sample->cpu, 5);
	assert_int_equal(sample->series, 2);
	assert_int_equal(sample->reserved, 0);
}

/* As the device's read() does it; false if there is none */
static bool get(struct klat_ring *ring, struct klat_sample *sample)
{
	const struct klat_sample *oldest = klat_ring_peek(ring);

	if (!oldest)
		return false;
	*sample = *oldest;
	klat_ring_pop(ring);
	return true;
}

/* Takes @count samples that must be @seq and those after it */
static void take(struct klat_ring *ring, u64 seq, u32 count)
{
	struct klat_sample sample;

	while (count--) {
		assert_true(get(ring, &sample));
		check_sample(&sample, seq++);
	}
}

static void new_ring_is_empty(void **state UNUSED)
{
	struct klat_ring *ring = klat_ring_alloc(ENTRIES, 0);
	struct klat_sample sample;

	assert_true(klat_ring_empty(ring));
	assert_false(get(ring, &sample));
	assert_int_equal(ring->lost, 0);
	klat_ring_free(ring);
	klat_ring_free(NULL);
}

static void full_ring_counts_what_it_loses(void **state UNUSED)
{
	struct klat_ring *ring = klat_ring_alloc(ENTRIES, 0);
	u64 seq;

	for (seq = 0; seq < ENTRIES + 10; seq++)
		push(ring, seq);
	assert_int_equal(ring->lost, 10);
	take(ring, 0, 3);
	/* room for three; the two after them are lost again */
	for (; seq < ENTRIES + 15; seq++)
		push(ring, seq);
	assert_int_equal(ring->lost, 12);
	take(ring, 3, ENTRIES - 3);
	/* the gap in the numbers is the ten that were lost */
	take(ring, ENTRIES + 10, 3);
	assert_true(klat_ring_empty(ring));
	klat_ring_free(ring);
}

static void indices_wrap(void **state UNUSED)
{
	struct klat_ring *ring = klat_ring_alloc(ENTRIES, 0);
	u64 seq;

	ring->head = ring->tail = 0xffffffff - 100;
	for (seq = 0; seq < 300; seq++) {
		push(ring, seq);
		/* twenty at a time */
		if (seq % 20 != 19)
			continue;
		assert_false(klat_ring_empty(ring));
		take(ring, seq - 19, 20);
		assert_true(klat_ring_empty(ring));
	}
	assert_true(ring->head < 1000);
	assert_int_equal(ring->lost, 0);
	klat_ring_free(ring);
}

static void full_ring_across_the_wrap(void **state UNUSED)
{
	struct klat_ring *ring = klat_ring_alloc(ENTRIES, 0);
	u64 seq;

	ring->head = ring->tail = 0xffffffff - ENTRIES / 2;
	for (seq = 0; seq < ENTRIES + 5; seq++)
		push(ring, seq);
	assert_int_equal(ring->lost, 5);
	take(ring, 0, ENTRIES);
	assert_true(klat_ring_empty(ring));
	klat_ring_free(ring);
}

#define PUSHES	2000000

static void *push_all(void *arg)
{
	struct random random = { 10 };
	volatile u64 spin;
	u64 seq;

	for (seq = 0; seq < PUSHES; seq++) {
		push(arg, seq);
		/* bursts that overrun the reader, and gaps in which it catches up */
		for (spin = random_below(&random, seq / 1000 % 2 ? 200 : 10); spin; spin--)
			;
		if (!(seq % 5000))
			sched_yield();
	}
	return NULL;
}

struct tally {
	u64 next;	/* the least number that may come */
	u64 read;
	u64 gaps;
};

static void tally_sample(struct tally *tally, const struct klat_sample *sample)
{
	assert_true(sample->seq >= tally->next);
	check_sample(sample, sample->seq);
	tally->gaps += sample->seq - tally->next;
	tally->next = sample->seq + 1;
	tally->read++;
}

static void take_all(struct klat_ring *ring, struct tally *tally)
{
	struct klat_sample sample;

	while (get(ring, &sample))
		tally_sample(tally, &sample);
}

static void nothing_is_lost_unaccounted(void **state UNUSED)
{
	struct klat_ring *ring = klat_ring_alloc(ENTRIES, 0);
	struct tally tally = { 0 };
	pthread_t writer;

	ring->head = ring->tail = 0xffffffff - PUSHES / 16;
	assert_int_equal(pthread_create(&writer, NULL, push_all, ring), 0);
	while (pthread_tryjoin_np(writer, NULL))
		take_all(ring, &tally);
	take_all(ring, &tally);
	print_message("%llu read, %llu lost\n", tally.read, ring->lost);
	assert_true(tally.read > 0);
	assert_true(tally.read + ring->lost == PUSHES);
	/* those after the last one read were lost, too */
	assert_true(tally.gaps + PUSHES - tally.next == ring->lost);
	klat_ring_free(ring);
}

struct record {
	struct klat_sample sample;
	u64 more[2];
};

static void push_record(struct klat_ring *ring, u64 seq)
{
	struct record record = { .sample.seq = seq, .more = { seq + 1, seq + 2 } };

	klat_ring_push_record(ring, &record);
}

static void check_record(struct klat_ring *ring, u64 seq)
{
	const struct record *record = (const void *)klat_ring_peek(ring);

	assert_non_null(record);
	assert_true(record->sample.seq == seq);
	assert_true(record->more[0] == seq + 1 && record->more[1] == seq + 2);
	klat_ring_pop(ring);
}

static void records_are_whole(void **state UNUSED)
{
	struct klat_ring *ring = klat_ring_alloc_records(ENTRIES, sizeof(struct record), 0);
	u64 seq;

	assert_true(klat_ring_has_room(ring, ENTRIES));
	assert_false(klat_ring_has_room(ring, ENTRIES + 1));
	/* several times around */
	for (seq = 0; seq < 3 * ENTRIES; seq++) {
		push_record(ring, seq);
		if (seq >= ENTRIES / 2)
			check_record(ring, seq - ENTRIES / 2);
	}
	assert_true(klat_ring_has_room(ring, ENTRIES / 2));
	assert_false(klat_ring_has_room(ring, ENTRIES / 2 + 1));
	klat_ring_lose(ring, 7);
	klat_ring_lose(ring, 3);
	assert_int_equal(ring->lost, 10);
	for (seq -= ENTRIES / 2; seq < 3 * ENTRIES; seq++)
		check_record(ring, seq);
	assert_true(klat_ring_empty(ring));
	klat_ring_free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_ring_is_empty),
		cmocka_unit_test(full_ring_counts_what_it_loses),
		cmocka_unit_test(indices_wrap),
		cmocka_unit_test(full_ring_across_the_wrap),
		cmocka_unit_test(nothing_is_lost_unaccounted),
		cmocka_unit_test(records_are_whole),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
