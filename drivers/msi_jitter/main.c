// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) fmt

#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>

#include "../core/run.h"
#include "msi_jitter.h"

static const char *const series_names[] = {
	[KLAT_MSI_JITTER_DELTA] = "delta",
	[KLAT_MSI_JITTER_EARLY] = "early",
	[KLAT_MSI_JITTER_LATE] = "late",
};

static void device_lost(void *context, int error, const char *why)
{
	struct msi_jitter *jitter = context;

	klat_run_end(&jitter->bench, KLAT_FAILED, error, 0, "%s", why);
}

static int make_series(struct msi_jitter *jitter)
{
	struct klat_bench *bench = &jitter->bench;
	struct msi_jitter_hot *hot = &jitter->hot;
	u32 cpu = jitter->config.irq_cpu;

	hot->delta = klat_bench_add_series(bench, KLAT_MSI_JITTER_DELTA, cpu);
	hot->early = klat_bench_add_series(bench, KLAT_MSI_JITTER_EARLY, cpu);
	hot->late = klat_bench_add_series(bench, KLAT_MSI_JITTER_LATE, cpu);
	if (!hot->delta || !hot->early || !hot->late ||
	    klat_bench_add_ring(bench, jitter->config.ring_entries, cpu))
		return -ENOMEM;
	hot->ring = bench->ring;
	return 0;
}

static void prepare(struct msi_jitter *jitter)
{
	const struct klat_msi_jitter_config *config = &jitter->config;
	struct msi_jitter_hot *hot = &jitter->hot;

	memset(&jitter->exchange, 0, sizeof(jitter->exchange));
	memset(hot, 0, sizeof(*hot));
	jitter->cycle = 0;
	jitter->fired = 0;
	jitter->missed = 0;
	jitter->late = 0;
	jitter->unanswered = 0;
	jitter->overdue = 0;
	jitter->seen_before = 0;
	hot->cpu = config->irq_cpu;
	hot->limit = config->limit_ns ?
		     klat_ns_to_ticks(&jitter->bench.clock, config->limit_ns) : S64_MAX;
	hot->extras_above = jitter->bench.report.verbosity == KLAT_SAY_SAMPLES ?
			    -1 : (s64)hot->limit;
	/* the timer is an interrupt itself */
	jitter->exchange.shot.hold = true;
}

static int open_source(struct msi_jitter *jitter, struct klat_refusal *refusal)
{
	jitter->source = (struct klat_source){
		.user = jitter->bench.ops->name,
		.clock = &jitter->bench.clock,
		.owner = jitter->bench.ops->owner,
		.cpu = jitter->config.irq_cpu,
		.handler = msi_jitter_irq,
		.lost = device_lost,
		.context = jitter,
	};
	return klat_source_open(&jitter->source, jitter->config.source, jitter->config.bdf,
				refusal);
}

/* Of the interrupts on the measuring CPU, the timer's is ours, too */
static void start_watch(struct msi_jitter *jitter)
{
	const struct klat_msi_jitter_config *config = &jitter->config;

	klat_watch_start(&jitter->watch, config->irq_cpu,
			 !(config->flags & KLAT_MSI_JITTER_FLAG_NO_DISTURB),
			 !(config->flags & KLAT_MSI_JITTER_FLAG_ALLOW_IDLE));
	if (!msi_jitter_by_device(jitter) && config->timer_cpu == config->irq_cpu)
		jitter->watch.meter.own = 2;
}

static int msi_jitter_start(struct klat_bench *bench, struct klat_refusal *refusal)
{
	struct msi_jitter *jitter = msi_jitter_of(bench);
	int ret;

	prepare(jitter);
	ret = make_series(jitter);
	if (ret)
		return klat_refuse(refusal, ret, "not enough memory for the statistics");
	ret = open_source(jitter, refusal);
	if (ret)
		return ret;
	ret = klat_run_use_cpu(bench, jitter->config.irq_cpu, refusal);
	if (!ret && !msi_jitter_by_device(jitter))
		ret = klat_run_use_cpu(bench, jitter->config.timer_cpu, refusal);
	if (ret)
		goto err_source;
	start_watch(jitter);
	ret = msi_jitter_cycle_prepare(jitter, refusal);
	if (!ret)
		return 0;
	klat_watch_stop(&jitter->watch);
err_source:
	klat_source_close(&jitter->source);
	return ret;
}

static void msi_jitter_go(struct klat_bench *bench)
{
	msi_jitter_cycle_go(msi_jitter_of(bench));
}

/* No interrupt comes any more: what a short run kept is counted now */
static void msi_jitter_halt(struct klat_bench *bench)
{
	struct msi_jitter *jitter = msi_jitter_of(bench);
	unsigned long flags;

	msi_jitter_cycle_stop(jitter);
	local_irq_save(flags);
	msi_jitter_settle(jitter);
	local_irq_restore(flags);
}

static void msi_jitter_stop(struct klat_bench *bench)
{
	struct msi_jitter *jitter = msi_jitter_of(bench);

	klat_watch_stop(&jitter->watch);
	klat_source_close(&jitter->source);
}

static void msi_jitter_counters(struct klat_bench *bench, struct klat_status *status)
{
	struct msi_jitter *jitter = msi_jitter_of(bench);

	if (jitter->config.count > 0)
		status->asked = jitter->config.count;
	status->seen = READ_ONCE(jitter->hot.seen);
	status->fired = jitter->fired;
	status->missed = jitter->missed;
	status->late = jitter->late + jitter->hot.skipped;
	if (msi_jitter_by_device(jitter))
		status->fired = READ_ONCE(jitter->hot.served);
	status->unanswered = jitter->unanswered;
	status->unexpected = jitter->hot.unexpected;
	status->elsewhere = jitter->hot.elsewhere;
	klat_watch_counters(&jitter->watch, status);
	klat_source_names(&jitter->source, status);
}

static s64 phase_ns(const struct msi_jitter *jitter)
{
	const struct klat_clock_info *clock = &jitter->bench.clock;
	s64 phase = READ_ONCE(jitter->hot.phase);

	return phase < 0 ? -(s64)klat_ticks_to_ns(clock, -phase) :
			   klat_ticks_to_ns(clock, phase);
}

static void msi_jitter_settings(struct klat_bench *bench, struct klat_settings *settings)
{
	struct msi_jitter *jitter = msi_jitter_of(bench);

	klat_settings_add_asked(settings, "irq_cpu", jitter->config.irq_cpu,
				jitter->source.ops->cpu(&jitter->source));
	if (!msi_jitter_by_device(jitter))
		klat_settings_add(settings, "timer_cpu", jitter->config.timer_cpu);
	klat_settings_add(settings, "phase_ns", phase_ns(jitter));
	klat_watch_settings(&jitter->watch, settings);
	klat_source_settings(&jitter->source, settings);
}

static void msi_jitter_report(struct klat_bench *bench, const struct klat_status *status,
			      struct seq_buf *text)
{
	struct msi_jitter *jitter = msi_jitter_of(bench);

	if (READ_ONCE(jitter->hot.phase_known))
		seq_buf_printf(text, "* Phase: %lld\n", phase_ns(jitter));
}

static u32 msi_jitter_primary(struct klat_bench *bench)
{
	return KLAT_MSI_JITTER_DELTA;
}

static void msi_jitter_say(const char *line)
{
	pr_info("%s\n", line);
}

static void msi_jitter_configure_default(struct klat_bench *bench)
{
	msi_jitter_params(&msi_jitter_of(bench)->config);
}

static const struct klat_bench_ops msi_jitter_ops = {
	.name = KBUILD_MODNAME,
	.version = MSI_JITTER_VERSION,
	.owner = THIS_MODULE,
	.debugfs_dir = "msi_jitter_test",
	.events = "Interrupts",
	.nr_series = ARRAY_SIZE(series_names),
	.series = series_names,
	.config_size = sizeof(struct klat_msi_jitter_config),
	.config_size_min = offsetofend(struct klat_msi_jitter_config, bdf),
	.configure = msi_jitter_configure,
	.configure_default = msi_jitter_configure_default,
	.start = msi_jitter_start,
	.go = msi_jitter_go,
	.halt = msi_jitter_halt,
	.stop = msi_jitter_stop,
	.counters = msi_jitter_counters,
	.settings = msi_jitter_settings,
	.primary = msi_jitter_primary,
	.report = msi_jitter_report,
	.say = msi_jitter_say,
};

static struct msi_jitter *msi_jitter;

static int __init msi_jitter_init(void)
{
	struct klat_refusal refusal;
	int ret;

	msi_jitter = kzalloc(sizeof(*msi_jitter), GFP_KERNEL);
	if (!msi_jitter)
		return -ENOMEM;
	ret = klat_bench_load(&msi_jitter->bench, &msi_jitter_ops,
			      msi_jitter_param_autostart(), msi_jitter_param_verbosity(),
			      &refusal);
	if (!ret)
		return 0;
	pr_err(KBUILD_MODNAME ": %s\n", refusal.text);
	kfree(msi_jitter);
	return ret;
}

static void __exit msi_jitter_exit(void)
{
	klat_bench_unload(&msi_jitter->bench);
	kfree(msi_jitter);
}

module_init(msi_jitter_init);
module_exit(msi_jitter_exit);
MODULE_DESCRIPTION("Jitter of cyclic message-signalled interrupts");
MODULE_AUTHOR("The klat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(MSI_JITTER_VERSION);
