// SPDX-License-Identifier: GPL-2.0
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/prandom.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/topology.h>
#ifdef CONFIG_X86
#include <asm/pgtable.h>
#endif

#include "caterpillar.h"

#define HUGE_ORDER	get_order(SZ_2M)
#define LINES_A_PAGE	(PAGE_SIZE / KLAT_CATERPILLAR_LINE)
/* the same way in each run */
#define SEED		1
/* lines to link before looking whether somebody wants to go on */
#define LINKS_A_TURN	4096

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

/* From here on they are pages like any others, freed one by one */
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

static struct caterpillar_line *line_at(const struct caterpillar_buffer *buffer, u32 i)
{
	struct caterpillar_line *lines = buffer->page[i / LINES_A_PAGE];

	return &lines[i % LINES_A_PAGE];
}

static bool take_turn(u32 i)
{
	if (i % LINKS_A_TURN)
		return true;
	cond_resched();
	return !fatal_signal_pending(current);
}

/* Each line to the one after it, the last to the first. This warms the memory, too */
static int link_in_order(const struct caterpillar_buffer *buffer, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		*line_at(buffer, i) = (struct caterpillar_line){
			.next = line_at(buffer, i + 1 < nr ? i + 1 : 0),
		};
		if (!take_turn(i))
			return -EINTR;
	}
	return 0;
}

/*
 * Sattolo's algorithm: of all the orders that lead through every line before they
 * come back to the first, each is as likely. Begins with lines that lead to
 * themselves.
 */
static int link_permuted(const struct caterpillar_buffer *buffer, u32 nr)
{
	struct rnd_state random;
	u32 i;

	for (i = 0; i < nr; i++) {
		line_at(buffer, i)->next = line_at(buffer, i);
		if (!take_turn(i))
			return -EINTR;
	}
	prandom_seed_state(&random, SEED);
	for (i = nr - 1; i; i--) {
		u32 j = (u64)prandom_u32_state(&random) * i >> 32;

		swap(line_at(buffer, i)->next, line_at(buffer, j)->next);
		if (!take_turn(i))
			return -EINTR;
	}
	return 0;
}

static int link(struct caterpillar_buffer *buffer, u32 walk)
{
	u32 nr = buffer->nr_pages * LINES_A_PAGE;
	int ret;

	buffer->first = line_at(buffer, 0);
	ret = link_in_order(buffer, nr);
	if (!ret && walk == KLAT_CATERPILLAR_PERMUTED)
		ret = link_permuted(buffer, nr);
	return ret;
}

static int make(struct caterpillar_buffer *buffer,
		const struct klat_caterpillar_config *config, struct klat_refusal *refusal)
{
	int node = cpu_to_mem(config->cpu);
	u32 wanted = config->buffer / PAGE_SIZE;
	int ret = -ENOMEM;

	buffer->page = kvmalloc_array(wanted, sizeof(*buffer->page), GFP_KERNEL);
	if (buffer->page)
		ret = fill(buffer, wanted, node);
	if (ret == -ENOMEM)
		return klat_refuse(refusal, ret,
				   "buffer = %llu: node %d of CPU %u has not that much free memory",
				   config->buffer, node, config->cpu);
	if (!ret)
		ret = link(buffer, config->walk);
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
		if (!(buffer->nr_pages % LINKS_A_TURN))
			cond_resched();
	}
	kvfree(buffer->page);
	memset(buffer, 0, sizeof(*buffer));
}
