// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>

#include "../core/clock.h"
#include "../core/pin.h"
#include "hwlat_detector.h"

/* Room for lines of the file "sample" */
#define SAMPLES	1024

static const char *const series_names[] = {
	[KLAT_HWLAT_DETECTOR_GAP] = "gap",
	[KLAT_HWLAT_DETECTOR_STEP] = "step",
	[KLAT_HWLAT_DETECTOR_LOOKED] = "looked",
};

/* Nobody reads them while the lock is held, and no thread writes any */
static void forget_samples(struct hwlat *hwlat)
{
	mutex_lock(&hwlat->samples_lock);
	while (klat_ring_peek(hwlat->samples))
		klat_ring_pop(hwlat->samples);
	mutex_unlock(&hwlat->samples_lock);
}

static int make_ring(struct hwlat *hwlat, struct klat_refusal *refusal)
{
	const struct klat_hwlat_detector_config *config = &hwlat->config;

	if (klat_bench_add_ring(&hwlat->bench, config->ring_entries, 0))
		return klat_refuse(refusal, -ENOMEM, "not enough memory for %u records",
				   config->ring_entries);
	hwlat->events = 0;
	forget_samples(hwlat);
	return 0;
}

/* Again: a CPU may have gone since the configuration was checked */
static int hwlat_start(struct klat_bench *bench, struct klat_refusal *refusal)
{
	struct hwlat *hwlat = hwlat_of(bench);
	int ret;

	ret = hwlat_check(&hwlat->config, refusal);
	hwlat->ran = hwlat->config;
	if (!ret)
		ret = make_ring(hwlat, refusal);
	return ret ?: hwlat_cpus_start(hwlat, refusal);
}

static void hwlat_go(struct klat_bench *bench)
{
	hwlat_cpus_go(hwlat_of(bench));
}

static void hwlat_halt(struct klat_bench *bench)
{
	hwlat_cpus_halt(hwlat_of(bench));
}

static void hwlat_stop(struct klat_bench *bench)
{
	hwlat_cpus_stop(hwlat_of(bench));
}

static void hwlat_counters(struct klat_bench *bench, struct klat_status *status)
{
	struct hwlat *hwlat = hwlat_of(bench);
	struct klat_disturb disturb;
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++) {
		status->fired += READ_ONCE(hwlat->cpu[i]->windows);
		status->late += READ_ONCE(hwlat->cpu[i]->late);
		klat_watch_disturb(&hwlat->cpu[i]->watch, &disturb);
		if (!i)
			status->disturb.known = disturb.known;
		klat_disturb_add(&status->disturb, &disturb);
	}
}

/*
 * The kernel moves a thread off a CPU that is about to go, and leaves it where it is
 * if the CPU stays after all.
 */
static bool is_looking(const struct hwlat_cpu *cpu)
{
	return cpu->thread && klat_pin_thread_cpu(cpu->thread) == cpu->cpu;
}

static u32 nr_looking(const struct hwlat *hwlat)
{
	u32 i, nr = 0;

	for (i = 0; i < hwlat->nr_cpus; i++)
		nr += is_looking(hwlat->cpu[i]);
	return nr;
}

/* Of the threads that there are: the first that is not as it should be, or 0 */
static int priority(const struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat->cpu[i]->thread && hwlat->cpu[i]->thread->rt_priority)
			return hwlat->cpu[i]->thread->rt_priority;
	return 0;
}

static void hwlat_settings(struct klat_bench *bench, struct klat_settings *settings)
{
	struct hwlat *hwlat = hwlat_of(bench);

	mutex_lock(&hwlat->lock);
	klat_settings_add_asked(settings, "cpus", hwlat->nr_cpus, nr_looking(hwlat));
	klat_settings_add_asked(settings, "prio", 0, priority(hwlat));
	klat_watch_settings(&hwlat->cpu[0]->watch, settings);
	klat_settings_add(settings, "step", hwlat->step);
	klat_settings_add(settings, "cpus_missing", hwlat->nr_ever_missing);
	mutex_unlock(&hwlat->lock);
}

static u32 hwlat_primary(struct klat_bench *bench)
{
	return KLAT_HWLAT_DETECTOR_GAP;
}

int hwlat_total(struct hwlat *hwlat, u32 id, u32 cpu, struct hwlat_total *total)
{
	struct klat_series *series = kvzalloc(sizeof(*series), GFP_KERNEL);
	int ret;

	if (!series)
		return -ENOMEM;
	ret = klat_bench_snapshot(&hwlat->bench, id, cpu, series);
	total->max = series->max;
	/* 64 bits of ticks are decades of nothing but looking */
	total->sum = series->sum;
	kvfree(series);
	return ret;
}

static void add_disturb(const struct klat_disturb *disturb, struct seq_buf *text)
{
	if (disturb->known & KLAT_KNOWN_SMI)
		seq_buf_printf(text, "* SMIs: %llu\n", disturb->smi);
	else
		seq_buf_printf(text, "* SMIs: unknown\n");
	if (disturb->known & KLAT_KNOWN_NMI)
		seq_buf_printf(text, "* NMIs: %llu\n", disturb->nmi);
	else
		seq_buf_printf(text, "* NMIs: unknown\n");
}

/* In all, and the share of the run on the CPU that it was the least on */
static void add_looked(struct hwlat *hwlat, u64 duration, struct seq_buf *text)
{
	const struct klat_clock_info *clock = &hwlat->bench.clock;
	struct hwlat_total looked;
	u64 sum = 0, least = U64_MAX;
	u32 i, cpu = 0;

	for (i = 0; i < hwlat->nr_cpus; i++) {
		if (hwlat_total(hwlat, KLAT_HWLAT_DETECTOR_LOOKED, hwlat->cpu[i]->cpu, &looked))
			return;
		sum += looked.sum;
		if (looked.sum < least) {
			least = looked.sum;
			cpu = hwlat->cpu[i]->cpu;
		}
	}
	seq_buf_printf(text, "* Looked: %llu ns\n", klat_ticks_to_ns(clock, sum));
	/* thousandths: the run would have to be of centuries to overflow that */
	least = klat_ticks_to_ns(clock, least) * 1000 / max(duration, 1ULL);
	seq_buf_printf(text, "* Looked the least: CPU %u, %llu.%llu %% of the run\n", cpu,
		       least / 10, least % 10);
}

static void hwlat_report(struct klat_bench *bench, const struct klat_status *status,
			 struct seq_buf *text)
{
	struct hwlat *hwlat = hwlat_of(bench);
	const struct klat_hwlat_detector_config *config = &hwlat->ran;

	seq_buf_printf(text, "* Threshold: %llu ns\n", config->threshold_ns);
	seq_buf_printf(text, "* The loop's own step: %llu ns\n",
		       klat_ticks_to_ns(&bench->clock, hwlat->step));
	seq_buf_printf(text, "* Window: %llu ns, width %llu ns, %s\n", config->window_ns,
		       config->width_ns,
		       config->flags & KLAT_HWLAT_DETECTOR_FLAG_ALIGNED ? "aligned" :
									  "staggered");
	seq_buf_printf(text, "* CPUs: %*pbl\n", cpumask_pr_args(&hwlat->cpus));
	if (hwlat->nr_ever_missing)
		seq_buf_printf(text, "* CPUs that were missing: %u\n", hwlat->nr_ever_missing);
	add_looked(hwlat, status->duration, text);
	add_disturb(&status->disturb, text);
}

static void hwlat_say(const char *line)
{
	pr_info("%s\n", line);
}

static void hwlat_configure_default(struct klat_bench *bench)
{
	struct hwlat *hwlat = hwlat_of(bench);

	hwlat->config = hwlat->own;
}

static const struct klat_bench_ops hwlat_ops = {
	.name = KBUILD_MODNAME,
	.version = HWLAT_DETECTOR_VERSION,
	.owner = THIS_MODULE,
	.debugfs_dir = "hwlat_detector",
	.events = "Gaps",
	.by_time = true,
	.nr_series = ARRAY_SIZE(series_names),
	.series = series_names,
	.config_size = sizeof(struct klat_hwlat_detector_config),
	.config_size_min = offsetofend(struct klat_hwlat_detector_config, cpus),
	.sample_size = sizeof(struct klat_hwlat_detector_record),
	.configure = hwlat_configure,
	.configure_default = hwlat_configure_default,
	.start = hwlat_start,
	.go = hwlat_go,
	.halt = hwlat_halt,
	.stop = hwlat_stop,
	.counters = hwlat_counters,
	.settings = hwlat_settings,
	.primary = hwlat_primary,
	.cpu_gone = hwlat_cpu_gone,
	.cpu_back = hwlat_cpu_back,
	.cpu = hwlat_cpu_tell,
	.report = hwlat_report,
	.say = hwlat_say,
};

static struct hwlat *hwlat;

static int load(void)
{
	struct klat_refusal refusal;
	int ret;

	ret = klat_bench_load(&hwlat->bench, &hwlat_ops, hwlat_param_autostart(),
			      hwlat_param_verbosity(), &refusal);
	if (ret) {
		pr_err(KBUILD_MODNAME ": %s\n", refusal.text);
		return ret;
	}
	/* last of all: a file may be open from here on */
	hwlat_debugfs_add(hwlat);
	return 0;
}

static int __init hwlat_init(void)
{
	int ret;

	hwlat = kzalloc(sizeof(*hwlat), GFP_KERNEL);
	if (!hwlat)
		return -ENOMEM;
	mutex_init(&hwlat->lock);
	mutex_init(&hwlat->collecting);
	mutex_init(&hwlat->samples_lock);
	ret = hwlat_params(&hwlat->own);
	if (ret)
		goto err_free;
	hwlat->samples = klat_ring_alloc(SAMPLES, 0);
	if (!hwlat->samples) {
		ret = -ENOMEM;
		goto err_free;
	}
	ret = load();
	if (ret)
		goto err_samples;
	return 0;

err_samples:
	hwlat_cpus_free(hwlat);
	klat_ring_free(hwlat->samples);
err_free:
	kfree(hwlat);
	return ret;
}

static void __exit hwlat_exit(void)
{
	klat_bench_unload(&hwlat->bench);
	hwlat_cpus_free(hwlat);
	klat_ring_free(hwlat->samples);
	kfree(hwlat);
}

module_init(hwlat_init);
module_exit(hwlat_exit);
MODULE_DESCRIPTION("Time that is taken from CPUs behind the kernel's back");
MODULE_AUTHOR("The klat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(HWLAT_DETECTOR_VERSION);
