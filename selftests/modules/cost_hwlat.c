// SPDX-License-Identifier: GPL-2.0
/*
 * What the loop of hwlat_detector costs, by the loop itself: with a threshold of 0
 * it records every step as a gap, so that the lengths are its steps, and what lies
 * between the end of one and the begin of the next is what recording takes.
 */
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sort.h>

#include "drivers/core/clock.h"
#include "drivers/hwlat_detector/hwlat_detector.h"
#include "cost.h"

/* more than any step; the loop ends when it has no room for more */
#define LOOK_TICKS	1000000
/* the first ones find cold code, where that matters */
#define WARM_UP		16

struct rows {
	struct klat_series *spill;
	struct hwlat_loop loop;
	u64 ticks[HWLAT_GAPS];
};

static int by_value(const void *left, const void *right)
{
	const u64 *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void print_row(struct seq_file *file, struct rows *rows, const char *name, u32 nr)
{
	sort(rows->ticks, nr, sizeof(rows->ticks[0]), by_value, NULL);
	seq_printf(file, "%s %llu %llu %llu\n", name, rows->ticks[0], rows->ticks[nr / 2],
		   rows->ticks[nr - 1]);
}

static void look(struct rows *rows, u64 fast, struct klat_series *step)
{
	struct hwlat_loop *loop = &rows->loop;
	unsigned long flags;

	memset(loop, 0, sizeof(*loop));
	loop->fast = fast;
	loop->threshold = fast;
	loop->limit = U64_MAX;
	/* what recording takes is never taken for a gap */
	loop->recording = U64_MAX;
	loop->known = KLAT_KNOWN_SMI | KLAT_KNOWN_NMI;
	loop->spill = rows->spill;
	loop->step = step;
	local_irq_save(flags);
	loop->end = klat_clock() + LOOK_TICKS;
	hwlat_look(loop);
	local_irq_restore(flags);
}

static void show_recorded(struct seq_file *file, struct rows *rows)
{
	const struct hwlat_seen *seen = rows->loop.seen + WARM_UP;
	u32 nr = rows->loop.nr - WARM_UP, i;

	for (i = 0; i < nr; i++)
		rows->ticks[i] = seen[i].length;
	print_row(file, rows, "hwlat_step", nr);
	for (i = 0; i < nr - 1; i++)
		rows->ticks[i] = seen[i + 1].begin - seen[i].begin - seen[i].length;
	print_row(file, rows, "hwlat_record", nr - 1);
}

/* Those that are counted are not recorded: least and most of them alone */
static void show_counted(struct seq_file *file, const struct hwlat_loop *loop)
{
	u32 least = 0, most = HWLAT_STEPS - 1;

	while (least < most && !loop->steps[least])
		least++;
	while (most > least && !loop->steps[most])
		most--;
	seq_printf(file, "hwlat_step_counted %u %u %u\n", least, most, most);
}

int cost_hwlat_show(struct seq_file *file)
{
	struct rows *rows = kvzalloc(sizeof(*rows), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!rows)
		return ret;
	rows->spill = kvzalloc(sizeof(*rows->spill), GFP_KERNEL);
	if (!rows->spill)
		goto free_rows;
	klat_series_init(rows->spill, 0, 0);
	look(rows, 0, NULL);
	ret = rows->loop.nr == HWLAT_GAPS ? 0 : -ENODATA;
	if (ret)
		goto free_all;
	show_recorded(file, rows);
	look(rows, HWLAT_STEPS - 1, rows->spill);
	show_counted(file, &rows->loop);
	/* gap, looked, and one for gaps that were not kept */
	seq_printf(file, "hwlat_cpu_bytes %zu\n",
		   sizeof(struct hwlat_cpu) + 3 * sizeof(struct klat_series));
free_all:
	kvfree(rows->spill);
free_rows:
	kvfree(rows);
	return ret;
}
