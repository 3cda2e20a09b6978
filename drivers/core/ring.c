// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "ring.h"

struct klat_ring *klat_ring_alloc_records(u32 entries, u32 size, u32 cpu)
{
	struct klat_ring *ring;

	ring = kzalloc_node(sizeof(*ring), GFP_KERNEL, cpu_to_node(cpu));
	if (!ring)
		return NULL;
	ring->slot = kvzalloc_node(array_size(entries, size), GFP_KERNEL, cpu_to_node(cpu));
	if (!ring->slot) {
		kfree(ring);
		return NULL;
	}
	ring->mask = entries - 1;
	ring->size = size;
	return ring;
}

struct klat_ring *klat_ring_alloc(u32 entries, u32 cpu)
{
	return klat_ring_alloc_records(entries, sizeof(struct klat_sample), cpu);
}

bool klat_ring_has_room(const struct klat_ring *ring, u32 nr)
{
	/* pairs with the release in klat_ring_pop() */
	return nr <= ring->mask + 1 - (ring->head - smp_load_acquire(&ring->tail));
}

void klat_ring_push_record(struct klat_ring *ring, const void *record)
{
	u32 head = ring->head;

	memcpy((void *)ring->slot + (size_t)(head & ring->mask) * ring->size, record,
	       ring->size);
	/* pairs with the acquire in klat_ring_peek() */
	smp_store_release(&ring->head, head + 1);
}

void klat_ring_lose(struct klat_ring *ring, u64 nr)
{
	WRITE_ONCE(ring->lost, ring->lost + nr);
}

void klat_ring_set_series(struct klat_ring *ring, u16 series)
{
	u32 i;

	for (i = 0; i <= ring->mask; i++)
		ring->slot[i].series = series;
}

void klat_ring_free(struct klat_ring *ring)
{
	if (!ring)
		return;
	kvfree(ring->slot);
	kfree(ring);
}
