// SPDX-License-Identifier: GPL-2.0
/*
 * What the parts of a sample cost, one line a part in debugfs' klat_cost/rows:
 * name, least, median, largest, in ticks of the clock. Under an emulator that
 * counts one tick an instruction these are exact instruction counts.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/trace_clock.h>

#include "drivers/core/clock.h"
#include "drivers/core/disturb.h"
#include "drivers/core/ring.h"
#include "drivers/core/series.h"
#include "drivers/mmio_latency/count.h"
#include "drivers/msi_jitter/count.h"
#include "drivers/msi_lat/msi_lat.h"
#include "cost.h"

#define ROUNDS	1000

struct cost {
	struct klat_series *series;
	struct klat_ring *ring;
	struct klat_disturb_meter meter;
	struct msi_jitter_hot jitter;
	struct mmio_reader mmio;
	u64 next_worst;
	u64 value[ROUNDS];
	u64 ticks[ROUNDS];
};

static struct cost *cost;
static struct dentry *directory;

/* Runs STATEMENT for each value, with interrupts off, between two stamps */
#define MEASURE(STATEMENT)						\
	do {								\
		unsigned long flags;					\
		int i;							\
									\
		local_irq_save(flags);					\
		for (i = 0; i < ROUNDS; i++) {				\
			u64 value = cost->value[i];			\
			u64 start, end;					\
									\
			(void)value;	/* not all statements use it */	\
			barrier();					\
			start = klat_clock();				\
			barrier();					\
			STATEMENT;					\
			barrier();					\
			end = klat_clock();				\
			barrier();					\
			cost->ticks[i] = end - start;			\
		}							\
		local_irq_restore(flags);				\
	} while (0)

static int by_value(const void *left, const void *right)
{
	const u64 *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void print_row(struct seq_file *file, const char *name, u64 less)
{
	sort(cost->ticks, ROUNDS, sizeof(cost->ticks[0]), by_value, NULL);
	seq_printf(file, "%s %llu %llu %llu\n", name, cost->ticks[0] - less,
		   cost->ticks[ROUNDS / 2] - less, cost->ticks[ROUNDS - 1] - less);
}

/* Ordinary values between a least and a largest one, with a full worst list */
static void fill(void)
{
	struct klat_worst worst = {};
	u32 seed = 1;
	int i;

	klat_series_init(cost->series, 0, 0);
	klat_series_add(cost->series, 1);
	for (i = 0; i < KLAT_MAX_WORST; i++) {
		worst.value = U32_MAX;
		klat_series_add(cost->series, worst.value);
		klat_series_worst(cost->series, &worst);
	}
	for (i = 0; i < ROUNDS; i++) {
		seed = seed * 1664525 + 1013904223;
		cost->value[i] = 200 + seed % 100000;
	}
}

/* Larger every time: each goes on the worst list, in place of the least */
static noinline void add_worst(void)
{
	struct klat_worst worst = {
		.value = cost->next_worst++,
		.mono = ktime_get_mono_fast_ns(),
		.real = ktime_get_real_fast_ns(),
		.trace = trace_clock_local(),
	};

	klat_series_worst(cost->series, &worst);
}

static void add_and_push(u64 value)
{
	klat_series_add(cost->series, value);
	klat_ring_push_same(cost->ring, value, value, value, 0);
}

/* Deviations from the middle of the values: early and late ones alike */
static void jitter_sample(u64 value)
{
	struct msi_jitter_event event = {
		.seq = value,
		.stamp = value,
		.after_due = value,
	};
	struct msi_jitter_value counted;

	msi_jitter_add(&cost->jitter, &event, &counted);
	/* what the caller looks at next */
	if (counted.worst_stray || counted.worst_delta)
		cost->next_worst++;
}

static void prepare_jitter(void)
{
	cost->jitter.early = cost->series;
	cost->jitter.late = cost->series;
	cost->jitter.delta = cost->series;
	cost->jitter.ring = cost->ring;
	cost->jitter.phase = 50000;
	cost->jitter.seen = 1;
	cost->jitter.cpu = raw_smp_processor_id();
}

/* A read and the gap before it; neither an outlier nor a worst value */
static void mmio_sample(u64 value)
{
	mmio_count(&cost->mmio.gap, value, value, NULL);
	mmio_count_read(&cost->mmio, value, value, value, 0, NULL);
}

static void prepare_mmio(void)
{
	cost->mmio.read.series = cost->series;
	cost->mmio.read.notable = U32_MAX;
	cost->mmio.gap.series = cost->series;
	cost->mmio.gap.notable = U32_MAX;
	cost->mmio.ring = cost->ring;
}

static int rows_show(struct seq_file *file, void *unused)
{
	struct klat_disturb delta;
	u64 pair;

	fill();
	MEASURE();
	print_row(file, "pair", 0);
	pair = cost->ticks[0];
	MEASURE(klat_series_add(cost->series, value));
	print_row(file, "series", pair);
	MEASURE(add_and_push(value));
	print_row(file, "series_ring", pair);
	cost->ring->tail = cost->ring->head;
	prepare_jitter();
	MEASURE(jitter_sample(value));
	print_row(file, "jitter", pair);
	cost->ring->tail = cost->ring->head;
	prepare_mmio();
	MEASURE(mmio_sample(value));
	print_row(file, "mmio", pair);
	klat_disturb_start(&cost->meter, smp_processor_id());
	MEASURE(klat_disturb_sample(&cost->meter, &delta));
	print_row(file, "disturb", pair);
	cost->next_worst = (u64)U32_MAX + 1;
	MEASURE(add_worst());
	print_row(file, "worst", pair);
	seq_printf(file, "series_bytes %zu\n", sizeof(struct klat_series));
	seq_printf(file, "sample_bytes %zu\n", sizeof(struct klat_sample));
	seq_printf(file, "ring_bytes %zu\n", sizeof(struct klat_sample) * MSI_LAT_RING_DEFAULT);
	return cost_hwlat_show(file);
}
DEFINE_SHOW_ATTRIBUTE(rows);

static int __init cost_init(void)
{
	cost = kvzalloc(sizeof(*cost), GFP_KERNEL);
	if (!cost)
		return -ENOMEM;
	cost->series = kvzalloc(sizeof(*cost->series), GFP_KERNEL);
	cost->ring = klat_ring_alloc(2 * ROUNDS, 0);
	if (!cost->series || !cost->ring) {
		kvfree(cost->series);
		klat_ring_free(cost->ring);
		kvfree(cost);
		return -ENOMEM;
	}
	directory = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("rows", 0400, directory, NULL, &rows_fops);
	return 0;
}

static void __exit cost_exit(void)
{
	debugfs_remove(directory);
	klat_ring_free(cost->ring);
	kvfree(cost->series);
	kvfree(cost);
}

module_init(cost_init);
module_exit(cost_exit);
MODULE_DESCRIPTION("klat: the cost of a sample's parts (test only)");
MODULE_LICENSE("GPL");
