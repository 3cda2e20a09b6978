// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/mmio_latency: the text of Intel ECI's module of that name, line by line.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "mmio_latency.h"

static void show_values(struct seq_file *file, const struct klat_clock_info *clock,
			const struct klat_series *series)
{
	if (!series->count) {
		seq_puts(file, " no data\n");
		return;
	}
	seq_puts(file, " Stats:\n");
	seq_printf(file, "  max= %llu\n", klat_ticks_to_ns(clock, series->max));
	seq_printf(file, "  avg= %llu\n", klat_mean_ns(clock, series));
	seq_printf(file, "  min= %llu\n", klat_ticks_to_ns(clock, series->min));
	/* 64 bits of ticks are decades of nothing but reading */
	seq_printf(file, "  total= %llu\n", klat_ticks_to_ns(clock, (u64)series->sum));
	seq_printf(file, "  loops= %llu\n", series->count);
}

static void show(struct seq_file *file, struct mmio_latency *mmio,
		 const struct klat_series *series)
{
	bool data = series->count;

	seq_puts(file, "RT Core Module\n");
	seq_puts(file, "------------------------\n");
	show_values(file, &mmio->bench.clock, series);
	seq_puts(file, "\n");
	seq_printf(file, " mmio-outliers: %llu\n",
		   data ? READ_ONCE(mmio->reader.read.outliers) : 0);
	seq_printf(file, " sched-outliers: %llu\n",
		   data ? READ_ONCE(mmio->reader.gap.outliers) : 0);
}

static int text_show(struct seq_file *file, void *unused)
{
	struct mmio_latency *mmio = file->private;
	struct klat_series *series;
	int ret;

	series = kvzalloc(sizeof(*series), GFP_KERNEL);
	if (!series)
		return -ENOMEM;
	mutex_lock(&mmio->bench.lock);
	ret = klat_bench_snapshot(&mmio->bench, KLAT_MMIO_LATENCY_READ, KLAT_CPU_ALL, series);
	if (!ret)
		show(file, mmio, series);
	mutex_unlock(&mmio->bench.lock);
	kvfree(series);
	return ret;
}

static int text_open(struct inode *inode, struct file *file)
{
	struct mmio_latency *mmio = container_of(file->private_data, struct mmio_latency, text);

	file->private_data = NULL;	/* the seq_file's from here on */
	return single_open(file, text_show, mmio);
}

static const struct file_operations text_fops = {
	.owner = THIS_MODULE,
	.open = text_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

int mmio_latency_text_register(struct mmio_latency *mmio)
{
	mmio->text = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		/* the plain name is that of /dev/klat/mmio_latency */
		.name = "mmio_latency_text",
		.nodename = "mmio_latency",
		.mode = 0444,
		.fops = &text_fops,
	};
	return misc_register(&mmio->text);
}

void mmio_latency_text_unregister(struct mmio_latency *mmio)
{
	if (!IS_ERR_OR_NULL(mmio->text.this_device))
		misc_deregister(&mmio->text);
}
