// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include <linux/mm.h>
#include <linux/topology.h>

#include "ring.h"

struct klat_ring *klat_ring_alloc(u32 entries, u32 cpu)
{
	struct klat_ring *ring;

	ring = kzalloc_node(sizeof(*ring), GFP_KERNEL, cpu_to_node(cpu));
	if (!ring)
		return NULL;
	ring->slot = kvzalloc_node(array_size(entries, sizeof(*ring->slot)),
				   GFP_KERNEL, cpu_to_node(cpu));
	if (!ring->slot) {
		kfree(ring);
		return NULL;
	}
	ring->mask = entries - 1;
	return ring;
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
