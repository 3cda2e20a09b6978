// SPDX-License-Identifier: GPL-2.0
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/suspend.h>

#include "bench.h"
#include "chardev.h"
#include "disturb.h"
#include "run.h"

/* tries to copy a series between two of its values, before the writer is stopped */
#define SNAPSHOT_TRIES	64

struct klat_series *klat_bench_add_series(struct klat_bench *bench, u32 id, u32 cpu)
{
	struct klat_series *series;

	series = kvzalloc_node(sizeof(*series), GFP_KERNEL, cpu_to_node(cpu));
	if (!series)
		return NULL;
	klat_series_init(series, id, cpu);
	series->next = bench->series;
	bench->series = series;
	return series;
}

int klat_bench_add_ring(struct klat_bench *bench, u32 entries, u32 cpu)
{
	struct klat_ring *ring;

	ring = klat_ring_alloc_records(entries, klat_bench_sample_size(bench), cpu);
	if (!ring)
		return -ENOMEM;
	/* a reader may look at it from here on */
	smp_store_release(&bench->ring, ring);
	return 0;
}

void klat_bench_forget(struct klat_bench *bench)
{
	struct klat_series *series, *next;

	/* no reader waits while no run is going on: this is had at once */
	mutex_lock(&bench->read_lock);
	klat_ring_free(bench->ring);
	bench->ring = NULL;
	mutex_unlock(&bench->read_lock);

	for (series = bench->series; series; series = next) {
		next = series->next;
		kvfree(series);
	}
	bench->series = NULL;
}

struct snapshot {
	struct klat_series *into;
	const struct klat_series *from;
	bool good;
};

static void snapshot_here(void *arg)
{
	struct snapshot *snapshot = arg;

	snapshot->good = klat_series_try_copy(snapshot->into, snapshot->from);
}

/*
 * If values come too fast for a copy to fall between two, the copy is taken on
 * the writer's CPU, in an interrupt: for its length no value can come.
 */
static void snapshot_one(struct klat_series *into, const struct klat_series *from)
{
	struct snapshot snapshot = { .into = into, .from = from };
	int tries = 0;

	while (!snapshot.good) {
		if (tries++ < SNAPSHOT_TRIES ||
		    smp_call_function_single(from->cpu, snapshot_here, &snapshot, true))
			snapshot_here(&snapshot);
		cond_resched();
	}
}

int klat_bench_snapshot(struct klat_bench *bench, u32 id, u32 cpu,
			struct klat_series *into)
{
	struct klat_series *series, *copy;

	if (id >= bench->ops->nr_series)
		return -EINVAL;
	copy = kvzalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	klat_series_init(into, id, cpu);
	for (series = bench->series; series; series = series->next) {
		if (series->id != id || (cpu != KLAT_CPU_ALL && series->cpu != cpu))
			continue;
		memset(copy, 0, sizeof(*copy));
		snapshot_one(copy, series);
		klat_series_merge(into, copy);
	}
	kvfree(copy);
	return 0;
}

static void counters_now(struct klat_bench *bench, struct klat_status *status)
{
	u32 primary = bench->ops->primary(bench);
	const struct klat_series *series;

	for (series = bench->series; series; series = series->next)
		if (series->id == primary)
			status->seen += READ_ONCE(series->count);
	bench->ops->counters(bench, status);
}

static void settings_now(struct klat_bench *bench, struct klat_status *status)
{
	struct klat_settings now = {};

	bench->ops->settings(bench, &now);
	klat_settings_report(&bench->before, &now, status);
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

u64 klat_bench_seen(struct klat_bench *bench)
{
	struct klat_status *status = kzalloc(sizeof(*status), GFP_KERNEL);
	u64 seen;

	if (!status)
		return 0;
	counters_now(bench, status);
	seen = status->seen;
	kfree(status);
	return seen;
}

/* The device that is measured is not asked anything meanwhile */
static void settings_at_start(struct klat_bench *bench, struct klat_status *status)
{
	u32 i;

	klat_settings_report(&bench->before, &bench->before, status);
	for (i = 0; i < status->nr_settings; i++) {
		status->settings[i].after = 0;
		status->settings[i].flags &= ~KLAT_SETTING_AFTER;
	}
}

static void times(const struct klat_run *run, struct klat_status *status)
{
	u64 end = run->state == KLAT_RUNNING ? ktime_get_ns() : run->end_mono;

	status->start_mono = run->start_mono;
	status->start_real = run->start_real;
	status->duration = end - run->start_mono;
}

void klat_bench_status(struct klat_bench *bench, struct klat_status *status)
{
	times(&bench->run, status);
	if (bench->run.state != KLAT_RUNNING) {
		copy_last(status, &bench->last);
		return;
	}
	counters_now(bench, status);
	settings_at_start(bench, status);
}

void klat_bench_wake_readers(struct klat_bench *bench)
{
	struct task_struct *task;

	klat_bench_sample_ready();
	local_irq_disable();
	task = klat_bench_reader(bench);
	if (task)
		wake_up_process(task);
	klat_bench_wake_pollers(bench);
	local_irq_enable();
}

void klat_bench_stop(struct klat_bench *bench)
{
	klat_report_stop(bench);
	bench->ops->halt(bench);
	memset(&bench->last, 0, sizeof(bench->last));
	settings_now(bench, &bench->last);
	bench->ops->stop(bench);
	/* only now: an interrupt that was still outstanding is counted, too */
	counters_now(bench, &bench->last);
}

static void poll_work(struct irq_work *work)
{
	struct klat_bench *bench = container_of(work, struct klat_bench, poll_work);

	WRITE_ONCE(bench->polled, false);
	wake_up_interruptible_all(&bench->poll_queue);
}

static int cpu_online_callback(unsigned int cpu, struct hlist_node *node)
{
	klat_run_cpu_online(hlist_entry(node, struct klat_bench, hotplug_node), cpu);
	return 0;
}

static int cpu_offline_callback(unsigned int cpu, struct hlist_node *node)
{
	klat_run_cpu_offline(hlist_entry(node, struct klat_bench, hotplug_node), cpu);
	return 0;
}

static int pm_callback(struct notifier_block *notifier, unsigned long event, void *unused)
{
	struct klat_bench *bench = container_of(notifier, struct klat_bench, pm_notifier);
	bool running;

	switch (event) {
	case PM_HIBERNATION_PREPARE:
	case PM_SUSPEND_PREPARE:
		mutex_lock(&bench->lock);
		bench->asleep = true;
		running = bench->run.state == KLAT_RUNNING;
		mutex_unlock(&bench->lock);
		if (running) {
			klat_run_end(bench, KLAT_FAILED, EHOSTDOWN, 0,
				     "the system went to sleep");
			klat_run_wait(bench);
		}
		break;
	case PM_POST_HIBERNATION:
	case PM_POST_SUSPEND:
		mutex_lock(&bench->lock);
		bench->asleep = false;
		mutex_unlock(&bench->lock);
		break;
	}
	return NOTIFY_DONE;
}

static int watch_cpus(struct klat_bench *bench)
{
	int ret;

	ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, bench->ops->name,
				      cpu_online_callback, cpu_offline_callback);
	if (ret < 0)
		return ret;
	bench->hotplug_state = ret;
	ret = cpuhp_state_add_instance(bench->hotplug_state, &bench->hotplug_node);
	if (ret)
		cpuhp_remove_multi_state(bench->hotplug_state);
	return ret;
}

static void unwatch_cpus(struct klat_bench *bench)
{
	cpuhp_state_remove_instance_nocalls(bench->hotplug_state, &bench->hotplug_node);
	cpuhp_remove_multi_state(bench->hotplug_state);
}

static int current_value_show(struct seq_file *file, void *unused)
{
	struct klat_bench *bench = file->private;

	klat_report_show(bench, file);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(current_value);

/* Failures are not errors: a kernel may have debugfs switched off */
static void make_debugfs(struct klat_bench *bench)
{
	bench->debugfs = debugfs_create_dir(bench->ops->debugfs_dir, NULL);
	/* read only, no ioctl, no mmap: lockdown leaves such a file readable */
	debugfs_create_file("current_value", 0444, bench->debugfs, bench,
			    &current_value_fops);
}

static void init_members(struct klat_bench *bench, const struct klat_bench_ops *ops)
{
	bench->ops = ops;
	mutex_init(&bench->lock);
	mutex_init(&bench->read_lock);
	rcuwait_init(&bench->reader);
	init_waitqueue_head(&bench->poll_queue);
	init_irq_work(&bench->poll_work, poll_work);
	klat_run_init(&bench->run);
	klat_clock_measure(&bench->clock);
	bench->disturb_cost = klat_disturb_cost();
	ops->configure_default(bench);
}

static int init_bench(struct klat_bench *bench, const struct klat_bench_ops *ops)
{
	int ret;

	init_members(bench, ops);
	bench->workqueue = alloc_ordered_workqueue("%s", 0, ops->name);
	if (!bench->workqueue)
		return -ENOMEM;
	ret = watch_cpus(bench);
	if (ret)
		goto err_workqueue;
	bench->pm_notifier.notifier_call = pm_callback;
	ret = register_pm_notifier(&bench->pm_notifier);
	if (ret)
		goto err_cpus;
	return 0;

err_cpus:
	unwatch_cpus(bench);
err_workqueue:
	destroy_workqueue(bench->workqueue);
	return ret;
}

static void exit_bench(struct klat_bench *bench)
{
	/* to no effect if nothing runs */
	klat_run_end(bench, KLAT_STOPPED, 0, 0, "the module was unloaded");
	klat_run_wait(bench);
	unregister_pm_notifier(&bench->pm_notifier);
	unwatch_cpus(bench);
	destroy_workqueue(bench->workqueue);
	irq_work_sync(&bench->poll_work);
	klat_bench_forget(bench);
}

static int publish(struct klat_bench *bench)
{
	int ret;

	ret = klat_chardev_register(bench);
	if (ret)
		return ret;
	make_debugfs(bench);
	return 0;
}

int klat_bench_load(struct klat_bench *bench, const struct klat_bench_ops *ops,
		    bool autostart, enum klat_verbosity verbosity,
		    struct klat_refusal *refusal)
{
	int ret;

	refusal->text[0] = '\0';
	klat_report_init(&bench->report, verbosity);
	ret = init_bench(bench, ops);
	if (ret)
		return klat_refuse(refusal, ret, "cannot be set up (%d)", ret);
	if (autostart) {
		mutex_lock(&bench->lock);
		ret = klat_run_start(bench, true, refusal);
		mutex_unlock(&bench->lock);
	}
	if (!ret) {
		ret = publish(bench);
		if (ret)
			klat_refuse(refusal, ret, "no device can be made (%d)", ret);
	}
	if (ret)
		exit_bench(bench);
	return ret;
}

void klat_bench_unload(struct klat_bench *bench)
{
	klat_chardev_unregister(bench);
	debugfs_remove(bench->debugfs);
	exit_bench(bench);
}
