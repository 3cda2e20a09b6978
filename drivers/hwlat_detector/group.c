// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "group.h"

int hwlat_group_init(struct hwlat_group *group, u32 nr_cpus, u32 nr_spans, u32 room)
{
	group->nr_cpus = nr_cpus;
	group->nr_spans = nr_spans;
	group->room = room;
	group->nr = 0;
	group->gap = kvcalloc(room, sizeof(*group->gap), GFP_KERNEL);
	group->span = kvcalloc((size_t)nr_cpus * nr_spans, sizeof(*group->span), GFP_KERNEL);
	group->looked = kvcalloc(nr_cpus, sizeof(*group->looked), GFP_KERNEL);
	if (group->gap && group->span && group->looked)
		return 0;
	hwlat_group_free(group);
	return -1;
}

void hwlat_group_free(struct hwlat_group *group)
{
	kvfree(group->gap);
	kvfree(group->span);
	kvfree(group->looked);
	memset(group, 0, sizeof(*group));
}

/* Window number @window of a CPU */
static struct hwlat_span *span_of(const struct hwlat_group *group, u32 cpu, u64 window)
{
	return &group->span[(size_t)cpu * group->nr_spans + (u32)window % group->nr_spans];
}

void hwlat_group_looked(struct hwlat_group *group, u32 cpu, u64 begin, u64 end)
{
	*span_of(group, cpu, group->looked[cpu]++) = (struct hwlat_span){ begin, end };
}

bool hwlat_group_add(struct hwlat_group *group, const struct hwlat_gap *gap)
{
	if (group->nr == group->room)
		return false;
	group->gap[group->nr++] = *gap;
	return true;
}

/* The CPU decides between equals, so that the order is the same every time */
static int by_begin(const void *left, const void *right)
{
	const struct hwlat_gap *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

void hwlat_group_sort(struct hwlat_group *group)
{
	sort(group->gap, group->nr, sizeof(*group->gap), by_begin, NULL);
}

u32 hwlat_group_event(const struct hwlat_group *group, u32 first, u64 horizon,
		      struct hwlat_span *span)
{
	const struct hwlat_gap *gap = group->gap;
	u32 i;

	if (first == group->nr)
		return 0;
	*span = (struct hwlat_span){ gap[first].begin, gap[first].end };
	for (i = first + 1; i < group->nr && gap[i].begin < span->end; i++)
		span->end = max(span->end, gap[i].end);
	return span->end <= horizon ? i - first : 0;
}

static bool looked_through(const struct hwlat_group *group, u32 cpu,
			   const struct hwlat_span *event)
{
	u64 last = group->looked[cpu], oldest = last - min_t(u64, last, group->nr_spans);
	const struct hwlat_span *span;

	/* the latest that had begun by then */
	while (last-- > oldest) {
		span = span_of(group, cpu, last);
		if (span->begin <= event->begin)
			return event->end <= span->end;
	}
	return false;
}

bool hwlat_group_quiet(const struct hwlat_group *group, u32 cpu, const struct hwlat_gap *gap,
		       u32 nr, const struct hwlat_span *event)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (gap[i].cpu == cpu)
			return false;
	return looked_through(group, cpu, event);
}

void hwlat_group_drop(struct hwlat_group *group, u32 nr)
{
	group->nr -= nr;
	memmove(group->gap, group->gap + nr, group->nr * sizeof(*group->gap));
}
