// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) fmt

#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../core/pin.h"
#include "../core/run.h"
#include "msi_lat.h"

static const char *const series_names[] = {
	[KLAT_MSI_LAT_LATENCY] = "latency",
	[KLAT_MSI_LAT_SERVICE] = "service",
	[KLAT_MSI_LAT_THREAD] = "thread",
	[KLAT_MSI_LAT_WRITE] = "write",
	[KLAT_MSI_LAT_FLUSH] = "flush",
};

static void device_lost(void *context, int error, const char *why)
{
	struct msi_lat *msi = context;

	klat_run_end(&msi->bench, KLAT_FAILED, error, 0, "%s", why);
}

static bool threaded(const struct msi_lat *msi)
{
	return msi->config.mode == KLAT_MSI_LAT_MODE_THREAD;
}

/* Written before anything can fire, so that the hot side never finds a gap */
static int make_series(struct msi_lat *msi)
{
	const struct klat_msi_lat_config *config = &msi->config;
	struct klat_bench *bench = &msi->bench;
	struct msi_lat_hot *hot = &msi->hot;

	hot->latency = klat_bench_add_series(bench, KLAT_MSI_LAT_LATENCY, config->irq_cpu);
	msi->write = klat_bench_add_series(bench, KLAT_MSI_LAT_WRITE, config->trigger_cpu);
	msi->flush = klat_bench_add_series(bench, KLAT_MSI_LAT_FLUSH, config->trigger_cpu);
	if (!hot->latency || !msi->write || !msi->flush)
		return -ENOMEM;
	if (threaded(msi)) {
		hot->service = klat_bench_add_series(bench, KLAT_MSI_LAT_SERVICE,
						     config->irq_cpu);
		hot->thread = klat_bench_add_series(bench, KLAT_MSI_LAT_THREAD,
						    config->irq_cpu);
		if (!hot->service || !hot->thread)
			return -ENOMEM;
	}
	if (klat_bench_add_ring(bench, config->ring_entries, config->irq_cpu))
		return -ENOMEM;
	hot->ring = bench->ring;
	klat_ring_set_series(hot->ring, threaded(msi) ? KLAT_MSI_LAT_SERVICE :
							KLAT_MSI_LAT_LATENCY);
	return 0;
}

static void prepare(struct msi_lat *msi)
{
	const struct klat_msi_lat_config *config = &msi->config;
	const struct klat_clock_info *clock = &msi->bench.clock;

	memset(&msi->exchange, 0, sizeof(msi->exchange));
	memset(&msi->hot, 0, sizeof(msi->hot));
	msi->fired = 0;
	msi->missed = 0;
	msi->late = 0;
	msi->unanswered = 0;
	msi->unanswered_in_a_row = 0;
	msi->hot.cpu = config->irq_cpu;
	msi->hot.told.seq = U64_MAX;
	msi->hot.offset = klat_ns_to_ticks(clock, config->offset_ns);
	msi->hot.limit = config->limit_ns ? klat_ns_to_ticks(clock, config->limit_ns) : U64_MAX;
	msi->hot.extras_above = !(config->flags & KLAT_MSI_LAT_FLAG_NO_DISTURB) ||
				msi->bench.report.verbosity == KLAT_SAY_SAMPLES ?
				0 : msi->hot.limit;
	msi->exchange.shot.block_ticks = config->block_ticks;
	msi->exchange.shot.flush = config->flags & KLAT_MSI_LAT_FLAG_FLUSH;
	msi->exchange.shot.open = config->irq_cpu == config->trigger_cpu &&
				  !config->block_ticks && !msi->exchange.shot.flush;
}

static int open_source(struct msi_lat *msi, struct klat_refusal *refusal)
{
	msi->source = (struct klat_source){
		.user = msi->bench.ops->name,
		.clock = &msi->bench.clock,
		.owner = msi->bench.ops->owner,
		.cpu = msi->config.irq_cpu,
		.handler = threaded(msi) ? msi_lat_irq_first : msi_lat_irq,
		.thread = threaded(msi) ? msi_lat_irq_thread : NULL,
		.lost = device_lost,
		.context = msi,
	};
	return klat_source_open(&msi->source, msi->config.source, msi->config.bdf, refusal);
}

static int start_trigger(struct msi_lat *msi, struct klat_refusal *refusal)
{
	u32 cpu = msi->config.trigger_cpu;

	msi->trigger = klat_pin_thread(msi_lat_trigger, msi, cpu, msi->bench.ops->name);
	if (IS_ERR(msi->trigger))
		return klat_refuse(refusal, PTR_ERR(msi->trigger), "no thread on CPU %u (%ld)",
				   cpu, PTR_ERR(msi->trigger));
	return 0;
}

static void start_watch(struct msi_lat *msi)
{
	u32 flags = msi->config.flags;

	klat_watch_start(&msi->watch, msi->config.irq_cpu,
			 !(flags & KLAT_MSI_LAT_FLAG_NO_DISTURB),
			 !(flags & KLAT_MSI_LAT_FLAG_ALLOW_IDLE));
}

static int msi_lat_start(struct klat_bench *bench, struct klat_refusal *refusal)
{
	struct msi_lat *msi = msi_lat_of(bench);
	int ret;

	prepare(msi);
	ret = make_series(msi);
	if (ret)
		return klat_refuse(refusal, ret, "not enough memory for the statistics");
	ret = open_source(msi, refusal);
	if (ret)
		return ret;
	ret = klat_run_use_cpu(bench, msi->config.irq_cpu, refusal);
	if (!ret)
		ret = klat_run_use_cpu(bench, msi->config.trigger_cpu, refusal);
	if (!ret)
		ret = start_trigger(msi, refusal);
	if (ret) {
		klat_source_close(&msi->source);
		return ret;
	}
	start_watch(msi);
	return 0;
}

static void msi_lat_go(struct klat_bench *bench)
{
	wake_up_process(msi_lat_of(bench)->trigger);
}

static void msi_lat_halt(struct klat_bench *bench)
{
	kthread_stop(msi_lat_of(bench)->trigger);
}

static void msi_lat_stop(struct klat_bench *bench)
{
	struct msi_lat *msi = msi_lat_of(bench);

	put_task_struct(msi->trigger);
	klat_watch_stop(&msi->watch);
	klat_source_close(&msi->source);
}

static void msi_lat_counters(struct klat_bench *bench, struct klat_status *status)
{
	struct msi_lat *msi = msi_lat_of(bench);

	if (msi->config.count > 0)
		status->asked = msi->config.count;
	status->fired = msi->fired;
	status->missed = msi->missed;
	status->late = msi->late;
	status->unanswered = msi->unanswered;
	status->unexpected = msi->hot.unexpected;
	status->elsewhere = msi->hot.elsewhere;
	status->clipped = msi->hot.clipped;
	klat_watch_counters(&msi->watch, status);
	klat_source_names(&msi->source, status);
}

static void msi_lat_settings(struct klat_bench *bench, struct klat_settings *settings)
{
	struct msi_lat *msi = msi_lat_of(bench);

	klat_settings_add_asked(settings, "irq_cpu", msi->config.irq_cpu,
				msi->source.ops->cpu(&msi->source));
	klat_settings_add_asked(settings, "trigger_cpu", msi->config.trigger_cpu,
				klat_pin_thread_cpu(msi->trigger));
	klat_settings_add_asked(settings, "trigger_prio", KLAT_PIN_PRIORITY,
				msi->trigger->rt_priority);
	klat_watch_settings(&msi->watch, settings);
	klat_source_settings(&msi->source, settings);
}

/* Of the run that there is, or was: the configuration may be another one by now */
static bool has_service(const struct msi_lat *msi)
{
	return msi->hot.service;
}

static u32 msi_lat_primary(struct klat_bench *bench)
{
	return has_service(msi_lat_of(bench)) ? KLAT_MSI_LAT_SERVICE : KLAT_MSI_LAT_LATENCY;
}

static const char *msi_lat_title(struct klat_bench *bench)
{
	return has_service(msi_lat_of(bench)) ? ", request to interrupt thread" : NULL;
}

static void msi_lat_say(const char *line)
{
	pr_info("%s\n", line);
}

static void msi_lat_configure_default(struct klat_bench *bench)
{
	msi_lat_params(&msi_lat_of(bench)->config);
}

static const struct klat_bench_ops msi_lat_ops = {
	.name = KBUILD_MODNAME,
	.version = MSI_LAT_VERSION,
	.owner = THIS_MODULE,
	.debugfs_dir = "msi_latency_test",
	.events = "Interrupts",
	.nr_series = ARRAY_SIZE(series_names),
	.series = series_names,
	.config_size = sizeof(struct klat_msi_lat_config),
	.config_size_min = offsetofend(struct klat_msi_lat_config, bdf),
	.configure = msi_lat_configure,
	.configure_default = msi_lat_configure_default,
	.start = msi_lat_start,
	.go = msi_lat_go,
	.halt = msi_lat_halt,
	.stop = msi_lat_stop,
	.counters = msi_lat_counters,
	.settings = msi_lat_settings,
	.primary = msi_lat_primary,
	.title = msi_lat_title,
	.say = msi_lat_say,
};

static struct msi_lat *msi_lat;

static int __init msi_lat_init(void)
{
	struct klat_refusal refusal;
	int ret;

	msi_lat = kzalloc(sizeof(*msi_lat), GFP_KERNEL);
	if (!msi_lat)
		return -ENOMEM;
	ret = klat_bench_load(&msi_lat->bench, &msi_lat_ops, msi_lat_param_autostart(),
			      msi_lat_param_verbosity(), &refusal);
	if (!ret)
		return 0;
	pr_err(KBUILD_MODNAME ": %s\n", refusal.text);
	kfree(msi_lat);
	return ret;
}

static void __exit msi_lat_exit(void)
{
	klat_bench_unload(&msi_lat->bench);
	kfree(msi_lat);
}

module_init(msi_lat_init);
module_exit(msi_lat_exit);
MODULE_DESCRIPTION("Latency of message-signalled interrupts");
MODULE_AUTHOR("The klat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(MSI_LAT_VERSION);
