// SPDX-License-Identifier: GPL-2.0
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/topology.h>
#ifdef CONFIG_X86
#include <asm/pgtable.h>
#endif

#include "caterpillar.h"
#include "order.h"

#define HUGE_ORDER	get_order(SZ_2M)
/* to free before others get their turn */
#define PAGES_A_TURN	4096

static_assert(sizeof(struct caterpillar_line) == KLAT_CATERPILLAR_LINE);

/* Contiguous memory is not enough: the direct map may have been split there */
static bool is_mapped_huge(void *address)
{
#ifdef CONFIG_X86
	unsigned int level;

	return lookup_address((unsigned long)address, &level) && level >= PG_LEVEL_2M;
#else
	return true;
#endif
}

/* From here on these are pages like any others, freed one by one */
static void keep(struct caterpillar_buffer *buffer, struct page *page, unsigned int order)
{
	u32 i;

	if (order == HUGE_ORDER && is_mapped_huge(page_address(page)))
		buffer->nr_huge++;
	split_page(page, order);
	for (i = 0; i < 1U << order; i++)
		buffer->page[buffer->nr_pages++] = page_address(page + i);
}

/* On @node or not at all, and without having anybody killed for it */
static struct page *allocate(int node, unsigned int order)
{
	gfp_t flags = GFP_KERNEL | __GFP_THISNODE | __GFP_NOWARN;

	return alloc_pages_node(node, flags | (order ? __GFP_NORETRY : __GFP_RETRY_MAYFAIL),
				order);
}

/* Huge pages as far as there are any, then smaller and smaller ones */
static int fill(struct caterpillar_buffer *buffer, u32 wanted, int node)
{
	unsigned int order = HUGE_ORDER;
	struct page *page;

	while (buffer->nr_pages < wanted) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (1U << order > wanted - buffer->nr_pages) {
			order--;
			continue;
		}
		page = allocate(node, order);
		if (page)
			keep(buffer, page, order);
		else if (!order--)
			return -ENOMEM;
		cond_resched();
	}
	return 0;
}

static bool go_on(void)
{
	cond_resched();
	return !fatal_signal_pending(current);
}

static int link_lines(struct caterpillar_buffer *buffer,
		      const struct klat_caterpillar_config *config)
{
	struct caterpillar_lines lines = {
		.page = buffer->page,
		.a_page = PAGE_SIZE / KLAT_CATERPILLAR_LINE,
		.nr = config->buffer / KLAT_CATERPILLAR_LINE,
	};

	buffer->first = caterpillar_line_at(&lines, 0);
	return caterpillar_link(&lines, config->walk == KLAT_CATERPILLAR_PERMUTED, go_on) ?
	       0 : -EINTR;
}

static int make(struct caterpillar_buffer *buffer,
		const struct klat_caterpillar_config *config, struct klat_refusal *refusal)
{
	int node = cpu_to_mem(config->cpu);
	u32 wanted = DIV_ROUND_UP(config->buffer, PAGE_SIZE);
	int ret = -ENOMEM;

	buffer->page = kvmalloc_array(wanted, sizeof(*buffer->page), GFP_KERNEL);
	if (buffer->page)
		ret = fill(buffer, wanted, node);
	if (ret == -ENOMEM)
		return klat_refuse(refusal, ret,
				   "buffer = %llu: node %d of CPU %u has not that much free memory",
				   config->buffer, node, config->cpu);
	if (!ret)
		ret = link_lines(buffer, config);
	if (ret)
		return klat_refuse(refusal, ret, "a signal came while the buffer was made");
	return 0;
}

int caterpillar_buffer_make(struct caterpillar_buffer *buffer,
			    const struct klat_caterpillar_config *config,
			    struct klat_refusal *refusal)
{
	u64 most = (u64)si_mem_available() * PAGE_SIZE / 2;
	int ret;

	memset(buffer, 0, sizeof(*buffer));
	if (config->buffer > most)
		return klat_refuse(refusal, -ENOMEM,
				   "buffer = %llu: must be at most half of the memory that is available, now %llu bytes",
				   config->buffer, most);
	ret = make(buffer, config, refusal);
	if (ret)
		caterpillar_buffer_free(buffer);
	return ret;
}

void caterpillar_buffer_free(struct caterpillar_buffer *buffer)
{
	while (buffer->nr_pages) {
		free_page((unsigned long)buffer->page[--buffer->nr_pages]);
		if (!(buffer->nr_pages % PAGES_A_TURN))
			cond_resched();
	}
	kvfree(buffer->page);
	memset(buffer, 0, sizeof(*buffer));
}
