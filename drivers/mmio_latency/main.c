// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) fmt

#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../core/pin.h"
#include "../core/run.h"
#include "mmio_latency.h"

static const char *const series_names[] = {
	[KLAT_MMIO_LATENCY_READ] = "read",
	[KLAT_MMIO_LATENCY_GAP] = "gap",
};

/* Written before anything is read, so that the thread never finds a gap */
static int make_series(struct mmio_latency *mmio)
{
	struct mmio_reader *reader = &mmio->reader;
	struct klat_bench *bench = &mmio->bench;
	u32 cpu = mmio->config.cpu;

	reader->read.series = klat_bench_add_series(bench, KLAT_MMIO_LATENCY_READ, cpu);
	reader->gap.series = klat_bench_add_series(bench, KLAT_MMIO_LATENCY_GAP, cpu);
	if (!reader->read.series || !reader->gap.series ||
	    klat_bench_add_ring(bench, mmio->config.ring_entries, cpu))
		return -ENOMEM;
	reader->ring = bench->ring;
	return 0;
}

static void prepare(struct mmio_latency *mmio)
{
	const struct klat_mmio_latency_config *config = &mmio->config;
	const struct klat_clock_info *clock = &mmio->bench.clock;
	struct mmio_reader *reader = &mmio->reader;

	memset(reader, 0, sizeof(*reader));
	reader->limit = config->limit_ns ? klat_ns_to_ticks(clock, config->limit_ns) : U64_MAX;
	reader->read.outlier = klat_ns_to_ticks(clock, config->mmio_outlier_ns);
	reader->gap.outlier = klat_ns_to_ticks(clock, config->sched_outlier_ns);
}

static int start_reader(struct mmio_latency *mmio, struct klat_refusal *refusal)
{
	struct task_struct *thread;
	u32 cpu = mmio->config.cpu;
	int ret;

	ret = klat_run_use_cpu(&mmio->bench, cpu, refusal);
	if (ret)
		return ret;
	thread = klat_pin_thread(mmio_latency_reader, mmio, cpu, mmio->bench.ops->name);
	if (IS_ERR(thread))
		return klat_refuse(refusal, PTR_ERR(thread), "no thread on CPU %u (%ld)", cpu,
				   PTR_ERR(thread));
	mmio->reader.thread = thread;
	return 0;
}

static int mmio_latency_start(struct klat_bench *bench, struct klat_refusal *refusal)
{
	struct mmio_latency *mmio = mmio_latency_of(bench);
	u32 flags = mmio->config.flags;
	int ret;

	prepare(mmio);
	ret = make_series(mmio);
	if (ret)
		return klat_refuse(refusal, ret, "not enough memory for the statistics");
	ret = mmio_device_hold(mmio, refusal);
	if (ret)
		return ret;
	ret = start_reader(mmio, refusal);
	if (ret) {
		mmio_device_release(mmio);
		return ret;
	}
	klat_watch_start(&mmio->watch, mmio->config.cpu,
			 !(flags & KLAT_MMIO_LATENCY_FLAG_NO_DISTURB),
			 !(flags & KLAT_MMIO_LATENCY_FLAG_ALLOW_IDLE));
	return 0;
}

static void mmio_latency_go(struct klat_bench *bench)
{
	wake_up_process(mmio_latency_of(bench)->reader.thread);
}

static void mmio_latency_halt(struct klat_bench *bench)
{
	kthread_stop(mmio_latency_of(bench)->reader.thread);
}

static void mmio_latency_stop(struct klat_bench *bench)
{
	struct mmio_latency *mmio = mmio_latency_of(bench);

	put_task_struct(mmio->reader.thread);
	klat_watch_stop(&mmio->watch);
	mmio_device_release(mmio);
}

static void mmio_latency_counters(struct klat_bench *bench, struct klat_status *status)
{
	struct mmio_latency *mmio = mmio_latency_of(bench);

	if (mmio->config.count > 0)
		status->asked = mmio->config.count;
	status->fired = READ_ONCE(mmio->reader.fired);
	status->unanswered = READ_ONCE(mmio->reader.discarded);
	klat_watch_counters(&mmio->watch, status);
	strscpy(status->device, mmio->device.name, sizeof(status->device));
}

static void mmio_latency_settings(struct klat_bench *bench, struct klat_settings *settings)
{
	struct mmio_latency *mmio = mmio_latency_of(bench);
	struct mmio_reader *reader = &mmio->reader;

	klat_settings_add_asked(settings, "cpu", mmio->config.cpu,
				klat_pin_thread_cpu(reader->thread));
	klat_settings_add_asked(settings, "prio", KLAT_PIN_PRIORITY,
				reader->thread->rt_priority);
	klat_watch_settings(&mmio->watch, settings);
	mmio_device_settings(&mmio->device, settings);
	klat_settings_add(settings, "width", mmio->config.width);
	if (READ_ONCE(reader->read.series->count))
		klat_settings_add(settings, "value", (s64)READ_ONCE(reader->value));
	klat_settings_add(settings, "mmio_outliers", READ_ONCE(reader->read.outliers));
	klat_settings_add(settings, "sched_outliers", READ_ONCE(reader->gap.outliers));
}

static u32 mmio_latency_primary(struct klat_bench *bench)
{
	return KLAT_MMIO_LATENCY_READ;
}

static void mmio_latency_say(const char *line)
{
	pr_info("%s\n", line);
}

static void mmio_latency_configure_default(struct klat_bench *bench)
{
	mmio_latency_params(&mmio_latency_of(bench)->config);
}

static const struct klat_bench_ops mmio_latency_ops = {
	.name = KBUILD_MODNAME,
	.version = MMIO_LATENCY_VERSION,
	.owner = THIS_MODULE,
	.debugfs_dir = "mmio_latency_test",
	.events = "Reads",
	.nr_series = ARRAY_SIZE(series_names),
	.series = series_names,
	.config_size = sizeof(struct klat_mmio_latency_config),
	.config_size_min = offsetofend(struct klat_mmio_latency_config, bdf),
	.configure = mmio_latency_configure,
	.configure_default = mmio_latency_configure_default,
	.start = mmio_latency_start,
	.go = mmio_latency_go,
	.halt = mmio_latency_halt,
	.stop = mmio_latency_stop,
	.counters = mmio_latency_counters,
	.settings = mmio_latency_settings,
	.primary = mmio_latency_primary,
	.say = mmio_latency_say,
};

static struct mmio_latency *mmio_latency;

static int load(struct mmio_latency *mmio)
{
	struct klat_refusal refusal;
	int ret;

	ret = klat_bench_load(&mmio->bench, &mmio_latency_ops, mmio_latency_param_autostart(),
			      mmio_latency_param_verbosity(), &refusal);
	if (ret) {
		pr_err(KBUILD_MODNAME ": %s\n", refusal.text);
		return ret;
	}
	/*
	 * Last of all, because a file may be open from here on, and so it may not
	 * make the loading fail, either.
	 */
	ret = mmio_latency_text_register(mmio);
	if (ret)
		pr_warn(KBUILD_MODNAME ": there is no /dev/mmio_latency (%d)\n", ret);
	return 0;
}

static int __init mmio_latency_init(void)
{
	int ret;

	mmio_latency = kzalloc(sizeof(*mmio_latency), GFP_KERNEL);
	if (!mmio_latency)
		return -ENOMEM;
	ret = mmio_device_init(&mmio_latency->device);
	if (ret)
		goto err_free;
	ret = load(mmio_latency);
	if (ret)
		goto err_device;
	return 0;

err_device:
	mmio_device_exit(&mmio_latency->device);
err_free:
	kfree(mmio_latency);
	return ret;
}

static void __exit mmio_latency_exit(void)
{
	mmio_latency_text_unregister(mmio_latency);
	klat_bench_unload(&mmio_latency->bench);
	mmio_device_exit(&mmio_latency->device);
	kfree(mmio_latency);
}

module_init(mmio_latency_init);
module_exit(mmio_latency_exit);
MODULE_DESCRIPTION("Latency of reading a device register");
MODULE_AUTHOR("The klat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(MMIO_LATENCY_VERSION);
