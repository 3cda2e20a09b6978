/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_SLAB_H
#define KLAT_UNIT_LINUX_SLAB_H

#include <stdlib.h>
#include <string.h>

#define GFP_KERNEL			0
#define array_size(number, size)	((size_t)(number) * (size))
#define kfree(memory)			free(memory)
#define kvfree(memory)			free(memory)
#define kvzalloc_node			kzalloc_node
#define kvcalloc(number, size, flags)	calloc(number, size)

static inline void *kzalloc_node(size_t size, int flags, int node)
{
	void *memory = aligned_alloc(64, (size + 63) / 64 * 64);

	(void)flags;
	(void)node;
	return memory ? memset(memory, 0, size) : NULL;
}

#endif
