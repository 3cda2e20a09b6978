// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) fmt

#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/reboot.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../core/pin.h"
#include "../core/run.h"
#include "caterpillar.h"

static const char *const series_names[] = {
	[KLAT_CATERPILLAR_CYCLE] = "cycle",
};

/* Written before anything is counted, so that the thread never finds a gap */
static int make_series(struct caterpillar *cater)
{
	struct klat_bench *bench = &cater->bench;
	u32 cpu = cater->config.cpu;

	cater->worker.series = klat_bench_add_series(bench, KLAT_CATERPILLAR_CYCLE, cpu);
	if (!cater->worker.series ||
	    klat_bench_add_ring(bench, cater->config.ring_entries, cpu))
		return -ENOMEM;
	cater->worker.ring = bench->ring;
	klat_ring_set_series(bench->ring, KLAT_CATERPILLAR_CYCLE);
	return 0;
}

/*
 * A cycle that goes through the whole buffer always begins at its first line: each
 * does the very same. A shorter one goes on where the one before ended, or most of
 * the buffer would never be touched.
 */
static void prepare(struct caterpillar *cater)
{
	const struct klat_caterpillar_config *config = &cater->config;
	const struct klat_clock_info *clock = &cater->bench.clock;

	cater->worker = (struct caterpillar_worker){
		.operations = config->operations,
		.goes_on = config->operations < config->buffer / KLAT_CATERPILLAR_LINE,
		.limit = config->limit_ns ? klat_ns_to_ticks(clock, config->limit_ns) : U64_MAX,
		.too_long = klat_ns_to_ticks(clock, KLAT_CATERPILLAR_CYCLE_MAX),
	};
	memset(&cater->prefetch, 0, sizeof(cater->prefetch));
	caterpillar_table_prepare(&cater->table);
}

/*
 * An ordinary thread: it works nearly all the time, so a real-time one would keep
 * everybody else off its CPU, and be throttled for it. Its cycles cannot be
 * interrupted anyway.
 */
static int make_thread(struct caterpillar *cater, struct klat_refusal *refusal)
{
	struct task_struct *thread;
	u32 cpu = cater->config.cpu;

	thread = klat_pin_ordinary_thread(caterpillar_work, cater, cpu, cater->bench.ops->name);
	if (IS_ERR(thread))
		return klat_refuse(refusal, PTR_ERR(thread), "no thread on CPU %u (%ld)", cpu,
				   PTR_ERR(thread));
	cater->worker.thread = thread;
	return 0;
}

/* On the CPU itself, which must be there */
static int ready_cpu(struct caterpillar *cater, struct klat_refusal *refusal)
{
	int ret;

	ret = klat_run_use_cpu(&cater->bench, cater->config.cpu, refusal);
	if (!ret && cater->config.flags & KLAT_CATERPILLAR_FLAG_NO_PREFETCH)
		ret = caterpillar_prefetch_off(&cater->prefetch, cater->config.cpu, refusal);
	if (!ret)
		ret = caterpillar_try(cater, refusal);
	return ret ?: make_thread(cater, refusal);
}

static int caterpillar_start(struct klat_bench *bench, struct klat_refusal *refusal)
{
	struct caterpillar *cater = caterpillar_of(bench);
	u32 flags = cater->config.flags;
	int ret;

	if (cater->down)
		return klat_refuse(refusal, -ESHUTDOWN, "the system is shutting down");
	prepare(cater);
	ret = make_series(cater);
	if (ret)
		return klat_refuse(refusal, ret, "not enough memory for the statistics");
	ret = caterpillar_buffer_make(&cater->buffer, &cater->config, refusal);
	if (ret)
		return ret;
	cater->worker.line = cater->buffer.first;
	ret = ready_cpu(cater, refusal);
	if (ret) {
		caterpillar_prefetch_restore(&cater->prefetch);
		caterpillar_buffer_free(&cater->buffer);
		return ret;
	}
	klat_watch_start(&cater->watch, cater->config.cpu,
			 !(flags & KLAT_CATERPILLAR_FLAG_NO_DISTURB),
			 !(flags & KLAT_CATERPILLAR_FLAG_ALLOW_IDLE));
	/* a cycle has no interrupt of its own */
	cater->watch.meter.own = 0;
	return 0;
}

static void caterpillar_go(struct klat_bench *bench)
{
	wake_up_process(caterpillar_of(bench)->worker.thread);
}

static void caterpillar_halt(struct klat_bench *bench)
{
	kthread_stop(caterpillar_of(bench)->worker.thread);
}

static void caterpillar_stop(struct klat_bench *bench)
{
	struct caterpillar *cater = caterpillar_of(bench);

	put_task_struct(cater->worker.thread);
	klat_watch_stop(&cater->watch);
	caterpillar_prefetch_restore(&cater->prefetch);
	caterpillar_buffer_free(&cater->buffer);
}

static void caterpillar_counters(struct klat_bench *bench, struct klat_status *status)
{
	struct caterpillar *cater = caterpillar_of(bench);
	const struct klat_caterpillar_config *config = &cater->config;

	/* more than 2^64 are as many as will never be done */
	if (config->samples > 0 &&
	    check_mul_overflow((u64)config->samples, (u64)config->cycles, &status->asked))
		status->asked = U64_MAX;
	status->fired = READ_ONCE(cater->worker.fired);
	klat_watch_counters(&cater->watch, status);
}

static void caterpillar_settings(struct klat_bench *bench, struct klat_settings *settings)
{
	struct caterpillar *cater = caterpillar_of(bench);
	struct caterpillar_worker *worker = &cater->worker;

	klat_settings_add_asked(settings, "cpu", cater->config.cpu,
				klat_pin_thread_cpu(worker->thread));
	klat_settings_add_asked(settings, "prio", 0, worker->thread->rt_priority);
	klat_watch_settings(&cater->watch, settings);
	if (cater->prefetch.mask)
		klat_settings_add_asked(settings, "prefetch_off", cater->prefetch.mask,
					caterpillar_prefetch_now(&cater->prefetch));
	klat_settings_add(settings, "huge_pages", cater->buffer.nr_huge);
	klat_settings_add(settings, "warm_ticks", worker->warm_ticks);
	klat_settings_add(settings, "long_cycles", READ_ONCE(worker->nr_too_long));
}

static u32 caterpillar_primary(struct klat_bench *bench)
{
	return KLAT_CATERPILLAR_CYCLE;
}

static void caterpillar_report(struct klat_bench *bench, const struct klat_status *status,
			       struct seq_buf *text)
{
	caterpillar_table_report(caterpillar_of(bench), text);
}

static void caterpillar_say(const char *line)
{
	pr_info("%s\n", line);
}

static void caterpillar_configure_default(struct klat_bench *bench)
{
	caterpillar_params(&caterpillar_of(bench)->config);
}

static const struct klat_bench_ops caterpillar_ops = {
	.name = KBUILD_MODNAME,
	.version = CATERPILLAR_VERSION,
	.owner = THIS_MODULE,
	.debugfs_dir = "caterpillar_test",
	.events = "Cycles",
	.nr_series = ARRAY_SIZE(series_names),
	.series = series_names,
	.config_size = sizeof(struct klat_caterpillar_config),
	.config_size_min = offsetofend(struct klat_caterpillar_config, limit_ns),
	.configure = caterpillar_configure,
	.configure_default = caterpillar_configure_default,
	.start = caterpillar_start,
	.go = caterpillar_go,
	.halt = caterpillar_halt,
	.stop = caterpillar_stop,
	.counters = caterpillar_counters,
	.settings = caterpillar_settings,
	.primary = caterpillar_primary,
	.report = caterpillar_report,
	.say = caterpillar_say,
};

static struct caterpillar *caterpillar;

/* A kernel that is started by this one would find the prefetchers off */
static int reboot_event(struct notifier_block *notifier, unsigned long event, void *unused)
{
	struct caterpillar *cater = container_of(notifier, struct caterpillar,
						 reboot_notifier);
	struct klat_bench *bench = &cater->bench;

	mutex_lock(&bench->lock);
	cater->down = true;
	mutex_unlock(&bench->lock);
	klat_run_end(bench, KLAT_FAILED, ESHUTDOWN, 0, "the system is shutting down");
	klat_run_wait(bench);
	return NOTIFY_DONE;
}

static int load(struct caterpillar *cater)
{
	struct klat_refusal refusal;
	int ret;

	caterpillar_table_init(&cater->table);
	ret = klat_bench_load(&cater->bench, &caterpillar_ops, caterpillar_param_autostart(),
			      caterpillar_param_verbosity(), &refusal);
	if (ret)
		pr_err(KBUILD_MODNAME ": %s\n", refusal.text);
	return ret;
}

static int __init caterpillar_init(void)
{
	int ret;

	caterpillar = kzalloc(sizeof(*caterpillar), GFP_KERNEL);
	if (!caterpillar)
		return -ENOMEM;
	ret = load(caterpillar);
	if (ret) {
		kfree(caterpillar);
		return ret;
	}
	caterpillar_table_publish(caterpillar);
	caterpillar->reboot_notifier.notifier_call = reboot_event;
	register_reboot_notifier(&caterpillar->reboot_notifier);
	return 0;
}

static void __exit caterpillar_exit(void)
{
	unregister_reboot_notifier(&caterpillar->reboot_notifier);
	klat_bench_unload(&caterpillar->bench);
	kfree(caterpillar);
}

module_init(caterpillar_init);
module_exit(caterpillar_exit);
MODULE_DESCRIPTION("Variation in the time of a memory workload");
MODULE_AUTHOR("The klat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(CATERPILLAR_VERSION);
