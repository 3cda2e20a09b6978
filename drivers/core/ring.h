/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sample ring: from one writer with interrupts off to one reader. A full
 * ring drops the newest sample and counts it; the writer never waits.
 */
#ifndef KLAT_CORE_RING_H
#define KLAT_CORE_RING_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <klat/klat.h>

struct klat_ring {
	/* the writer's cache line */
	u32 head;
	u32 mask;
	u64 lost;
	struct klat_sample *slot;	/* larger than that in a ring of records */
	u32 size;		/* of each */
	/* the reader's */
	u32 tail ____cacheline_aligned;
};

/* Of samples; @entries: a power of two */
struct klat_ring *klat_ring_alloc(u32 entries, u32 cpu);
/* Of records of @size bytes, a multiple of 8, that begin with a sample */
struct klat_ring *klat_ring_alloc_records(u32 entries, u32 size, u32 cpu);
void klat_ring_free(struct klat_ring *ring);

/*
 * For records, which are pushed seldom. Room for @nr of them stays until the
 * writer has taken it; without room it says what is lost.
 */
bool klat_ring_has_room(const struct klat_ring *ring, u32 nr);
void klat_ring_push_record(struct klat_ring *ring, const void *record);
void klat_ring_lose(struct klat_ring *ring, u64 nr);

/*
 * All samples will be of @series: klat_ring_push_same() need not write it with
 * every one. Before the first push.
 */
void klat_ring_set_series(struct klat_ring *ring, u16 series);

/* The place for the next sample; NULL, and one more lost, if there is none */
static __always_inline struct klat_sample *klat_ring_place(struct klat_ring *ring, u32 head)
{
	/* pairs with the release in klat_ring_pop() */
	if (unlikely(head - smp_load_acquire(&ring->tail) > ring->mask)) {
		WRITE_ONCE(ring->lost, ring->lost + 1);
		return NULL;
	}
	return &ring->slot[head & ring->mask];
}

/* Fills the place, all but the series, and gives it to the reader */
static __always_inline void klat_ring_fill(struct klat_ring *ring, u32 head,
					   struct klat_sample *sample, u64 seq, u64 time,
					   u64 value, u32 cpu)
{
	sample->seq = seq;
	sample->time = time;
	sample->value = value;
	sample->cpu = cpu;
	/* pairs with the acquire in klat_ring_peek() */
	smp_store_release(&ring->head, head + 1);
}

static __always_inline void klat_ring_push_same(struct klat_ring *ring, u64 seq, u64 time,
						u64 value, u32 cpu)
{
	u32 head = ring->head;
	struct klat_sample *sample = klat_ring_place(ring, head);

	if (likely(sample))
		klat_ring_fill(ring, head, sample, seq, time, value, cpu);
}

static __always_inline void klat_ring_push(struct klat_ring *ring, u16 series, u64 seq,
					   u64 time, u64 value, u32 cpu)
{
	u32 head = ring->head;
	struct klat_sample *sample = klat_ring_place(ring, head);

	if (unlikely(!sample))
		return;
	sample->series = series;
	klat_ring_fill(ring, head, sample, seq, time, value, cpu);
}

/* The oldest sample, NULL if there is none */
static inline const struct klat_sample *klat_ring_peek(const struct klat_ring *ring)
{
	/* pairs with the release in klat_ring_push() */
	if (smp_load_acquire(&ring->head) == ring->tail)
		return NULL;
	return (void *)ring->slot + (size_t)(ring->tail & ring->mask) * ring->size;
}

/* Gives the place of the oldest sample back to the writer */
static inline void klat_ring_pop(struct klat_ring *ring)
{
	/* pairs with the acquire in klat_ring_push() */
	smp_store_release(&ring->tail, ring->tail + 1);
}

static inline bool klat_ring_empty(const struct klat_ring *ring)
{
	return READ_ONCE(ring->head) == READ_ONCE(ring->tail);
}

#endif /* KLAT_CORE_RING_H */
