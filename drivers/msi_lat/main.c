// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
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
	if (klat_bench_add_ring(bench, config->ring_entries,
				threaded(msi) ? KLAT_MSI_LAT_SERVICE : KLAT_MSI_LAT_LATENCY,
				config->irq_cpu))
		return -ENOMEM;
	hot->ring = bench->ring;
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
	msi->clock_was_stable = klat_clock_stable();
	msi->hot.cpu = config->irq_cpu;
	msi->hot.told.seq = U64_MAX;
	msi->hot.offset = klat_ns_to_ticks(clock, config->offset_ns);
	msi->hot.limit = config->limit_ns ? klat_ns_to_ticks(clock, config->limit_ns) : U64_MAX;
	msi->hot.disturb = !(config->flags & KLAT_MSI_LAT_FLAG_NO_DISTURB);
	msi->verbosity = msi->bench.run.flags & KLAT_RUN_MODULE ? msi_lat_param_verbosity() :
								  MSI_LAT_SILENT;
	msi->hot.extras_above = msi->hot.disturb || msi->verbosity == MSI_LAT_SAMPLES ?
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
		.owner = msi->bench.ops->owner,
		.cpu = msi->config.irq_cpu,
		.handler = threaded(msi) ? msi_lat_irq_first : msi_lat_irq,
		.thread = threaded(msi) ? msi_lat_irq_thread : NULL,
		.lost = device_lost,
		.context = msi,
	};
	return klat_source_open(&msi->source, msi->config.source, msi->config.bdf, refusal);
}

static bool holds_latency(const struct msi_lat *msi)
{
	return !(msi->config.flags & KLAT_MSI_LAT_FLAG_ALLOW_IDLE);
}

/* Settings: asked, and in effect now. The order is for people. */
static void add_setting(struct klat_setting *settings, u32 *nr, const char *name,
			bool asked, s64 value_asked, s64 value)
{
	struct klat_setting *setting = &settings[*nr];

	if (*nr == KLAT_MAX_SETTINGS)
		return;
	(*nr)++;
	strscpy(setting->name, name, sizeof(setting->name));
	setting->flags = asked ? KLAT_SETTING_ASKED : 0;
	setting->asked = value_asked;
	setting->after = value;
	setting->flags |= KLAT_SETTING_AFTER;
}

static void settings_now(struct msi_lat *msi, struct klat_setting *settings, u32 *nr)
{
	struct klat_source *source = &msi->source;
	struct klat_source_fact fact;
	unsigned int i;

	*nr = 0;
	add_setting(settings, nr, "irq_cpu", true, msi->config.irq_cpu,
		    source->ops->cpu(source));
	add_setting(settings, nr, "trigger_cpu", true, msi->config.trigger_cpu,
		    klat_pin_thread_cpu(msi->trigger));
	add_setting(settings, nr, "trigger_prio", true, 50, msi->trigger->rt_priority);
	if (holds_latency(msi))
		add_setting(settings, nr, "latency_qos_us", true, 0,
			    cpu_latency_qos_request_active(&msi->qos) ? 0 : -1);
	if (source->irq >= 0)
		add_setting(settings, nr, "irq", false, 0, source->irq);
	for (i = 0; source->ops->fact && source->ops->fact(source, i, &fact); i++)
		add_setting(settings, nr, fact.name, true, fact.asked, fact.effect);
}

static void settings_before(struct msi_lat *msi)
{
	u32 nr;

	memset(msi->before, 0, sizeof(msi->before));
	settings_now(msi, msi->before, &nr);
}

/* Adds what was in effect at the start to what is in effect now */
static void settings_both(struct msi_lat *msi, struct klat_status *status)
{
	u32 i, j;

	settings_now(msi, status->settings, &status->nr_settings);
	for (i = 0; i < status->nr_settings; i++) {
		struct klat_setting *setting = &status->settings[i];

		for (j = 0; j < KLAT_MAX_SETTINGS; j++) {
			if (strcmp(setting->name, msi->before[j].name))
				continue;
			setting->before = msi->before[j].after;
			setting->flags |= KLAT_SETTING_BEFORE;
		}
	}
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

static int msi_lat_start(struct klat_bench *bench, struct klat_refusal *refusal)
{
	struct msi_lat *msi = msi_lat_of(bench);
	int ret;

	prepare(msi);
	ret = make_series(msi);
	if (ret) {
		klat_refuse(refusal, ret, "not enough memory for the statistics");
		goto err_series;
	}
	ret = open_source(msi, refusal);
	if (ret)
		goto err_series;
	ret = klat_run_use_cpu(bench, msi->config.irq_cpu, refusal);
	if (!ret)
		ret = klat_run_use_cpu(bench, msi->config.trigger_cpu, refusal);
	if (!ret)
		ret = start_trigger(msi, refusal);
	if (ret)
		goto err_source;

	if (msi->hot.disturb)
		klat_disturb_start(&msi->hot.meter, msi->config.irq_cpu);
	msi->steal_known = klat_disturb_steal(msi->config.irq_cpu, &msi->steal_start);
	if (holds_latency(msi))
		cpu_latency_qos_add_request(&msi->qos, 0);
	settings_before(msi);
	msi_lat_report_start(msi);
	wake_up_process(msi->trigger);
	return 0;

err_source:
	klat_source_close(&msi->source);
err_series:
	klat_bench_forget(bench);
	return ret;
}

static void counters_now(struct msi_lat *msi, struct klat_status *status)
{
	u64 steal;

	if (msi->config.count > 0)
		status->asked = msi->config.count;
	status->fired = msi->fired;
	status->seen = READ_ONCE(msi_lat_main_series(msi)->count);
	status->missed = msi->missed;
	status->late = msi->late;
	status->unanswered = msi->unanswered;
	status->unexpected = msi->hot.unexpected;
	status->elsewhere = msi->hot.elsewhere;
	status->clipped = msi->hot.clipped;
	status->disturb = msi->hot.meter.sum;
	if (msi->steal_known && klat_disturb_steal(msi->config.irq_cpu, &steal)) {
		status->disturb.known |= KLAT_KNOWN_STEAL;
		status->disturb.steal = steal - msi->steal_start;
	}
	strscpy(status->source, msi->source.name, sizeof(status->source));
	strscpy(status->device, msi->source.device, sizeof(status->device));
}

/* What changes while the run goes on */
static void status_now(struct msi_lat *msi, struct klat_status *status)
{
	counters_now(msi, status);
	settings_both(msi, status);
}

static void msi_lat_stop(struct klat_bench *bench)
{
	struct msi_lat *msi = msi_lat_of(bench);

	msi_lat_report_stop(msi);
	klat_pin_thread_stop(msi->trigger);
	memset(&msi->last, 0, sizeof(msi->last));
	settings_both(msi, &msi->last);
	if (holds_latency(msi))
		cpu_latency_qos_remove_request(&msi->qos);
	klat_source_close(&msi->source);
	/* only now: an interrupt that was still outstanding is counted, too */
	counters_now(msi, &msi->last);
}

/* All but what the core has filled in */
static void copy_last(struct klat_status *status, const struct klat_status *last)
{
	status->asked = last->asked;
	status->fired = last->fired;
	status->seen = last->seen;
	status->missed = last->missed;
	status->late = last->late;
	status->unanswered = last->unanswered;
	status->unexpected = last->unexpected;
	status->elsewhere = last->elsewhere;
	status->clipped = last->clipped;
	status->disturb = last->disturb;
	memcpy(status->source, last->source, sizeof(status->source));
	memcpy(status->device, last->device, sizeof(status->device));
	status->nr_settings = last->nr_settings;
	memcpy(status->settings, last->settings, sizeof(status->settings));
}

static void msi_lat_status(struct klat_bench *bench, struct klat_status *status)
{
	struct msi_lat *msi = msi_lat_of(bench);

	if (bench->run.state == KLAT_RUNNING)
		status_now(msi, status);
	else
		copy_last(status, &msi->last);
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
	.nr_series = ARRAY_SIZE(series_names),
	.series = series_names,
	.config_size = sizeof(struct klat_msi_lat_config),
	.config_size_min = offsetofend(struct klat_msi_lat_config, bdf),
	.configure = msi_lat_configure,
	.configure_default = msi_lat_configure_default,
	.start = msi_lat_start,
	.stop = msi_lat_stop,
	.status = msi_lat_status,
	.ended = msi_lat_report_final,
	.report = msi_lat_report_show,
};

static struct msi_lat *msi_lat;

static int autostart(struct msi_lat *msi)
{
	struct klat_refusal refusal = {};
	int ret;

	mutex_lock(&msi->bench.lock);
	ret = klat_run_start(&msi->bench, true, &refusal);
	mutex_unlock(&msi->bench.lock);
	if (ret)
		pr_err("%s\n", refusal.text);
	return ret;
}

static int __init msi_lat_init(void)
{
	int ret;

	msi_lat = kzalloc(sizeof(*msi_lat), GFP_KERNEL);
	if (!msi_lat)
		return -ENOMEM;
	msi_lat_report_init(msi_lat);
	ret = klat_bench_init(&msi_lat->bench, &msi_lat_ops);
	if (ret)
		goto err_free;
	if (msi_lat_param_autostart())
		ret = autostart(msi_lat);
	if (!ret)
		ret = klat_bench_publish(&msi_lat->bench);
	if (!ret)
		return 0;
	klat_bench_exit(&msi_lat->bench);
err_free:
	kfree(msi_lat);
	return ret;
}

static void __exit msi_lat_exit(void)
{
	klat_bench_unpublish(&msi_lat->bench);
	klat_bench_exit(&msi_lat->bench);
	kfree(msi_lat);
}

module_init(msi_lat_init);
module_exit(msi_lat_exit);
MODULE_DESCRIPTION("Latency of message-signalled interrupts");
MODULE_AUTHOR("The klat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(MSI_LAT_VERSION);
