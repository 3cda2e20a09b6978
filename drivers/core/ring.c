// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include <linux/mm.h>
#include <linux/topology.h>

#include "ring.h"

struct klat_ring *klat_ring_alloc(u32 entries, u32 series, u32 cpu)
{
	struct klat_ring *ring;
	u32 i;

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
	ring->series = series;
	/* what never changes is written once, not with every sample */
	for (i = 0; i < entries; i++)
		ring->slot[i].series = series;
	return ring;
}

void klat_ring_free(struct klat_ring *ring)
{
	if (!ring)
		return;
	kvfree(ring->slot);
	kfree(ring);
}
