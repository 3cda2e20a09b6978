// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/ktime.h>

#include "run.h"

static void wake_all(struct klat_bench *bench)
{
	rcuwait_wake_up(&bench->reader);
	wake_up_interruptible_all(&bench->poll_queue);
	wake_up_all(&bench->run.over);
}

static void forget_cpus(struct klat_run *run)
{
	spin_lock(&run->cpu_lock);
	cpumask_clear(&run->cpus_in_use);
	spin_unlock(&run->cpu_lock);
	wake_up_all(&run->over);
}

static void end_work(struct work_struct *work)
{
	struct klat_run *run = container_of(work, struct klat_run, end_work);
	struct klat_bench *bench = container_of(run, struct klat_bench, run);

	mutex_lock(&bench->lock);
	/* pairs with the release in klat_run_end(): then the outcome is complete */
	if (run->state == KLAT_RUNNING && smp_load_acquire(&run->must_stop)) {
		klat_bench_stop(bench);
		run->end_mono = ktime_get_ns();
		forget_cpus(run);
		/* whoever sees this sees the last samples, too */
		smp_store_release(&run->state, run->outcome.state);
		if (bench->module_run)
			klat_report_final(bench);
		bench->module_run = false;
	}
	mutex_unlock(&bench->lock);
	wake_all(bench);
}

void klat_run_init(struct klat_run *run)
{
	INIT_WORK(&run->end_work, end_work);
	spin_lock_init(&run->cpu_lock);
	init_waitqueue_head(&run->over);
}

int klat_run_start(struct klat_bench *bench, bool by_module, struct klat_refusal *refusal)
{
	struct klat_run *run = &bench->run;
	int ret;

	if (run->state == KLAT_RUNNING)
		return klat_refuse(refusal, -EBUSY, "a run is going on");
	if (bench->asleep)
		return klat_refuse(refusal, -EBUSY, "the system is going to sleep");

	klat_bench_forget(bench);
	memset(&run->outcome, 0, sizeof(run->outcome));
	run->state = KLAT_IDLE;
	run->flags = by_module ? KLAT_RUN_MODULE : 0;
	if (!klat_clock_stable())
		run->flags |= KLAT_RUN_CLOCK_UNSTABLE;
	run->number++;
	run->must_stop = false;
	atomic_set(&run->ending, 0);
	run->start_mono = ktime_get_ns();
	run->start_real = ktime_get_real_ns();
	klat_report_prepare(&bench->report, by_module);

	ret = bench->ops->start(bench, refusal);
	if (ret) {
		klat_bench_forget(bench);
		forget_cpus(run);
		return ret;
	}
	memset(&bench->before, 0, sizeof(bench->before));
	bench->ops->settings(bench, &bench->before);
	bench->module_run = by_module;
	/* whoever sees this sees that no end of it has been said, too */
	smp_store_release(&run->state, KLAT_RUNNING);
	klat_report_start(bench);
	bench->ops->go(bench);
	/* it may have ended while start() was still at work, to no effect */
	if (atomic_read(&run->ending))
		queue_work(bench->workqueue, &run->end_work);
	return 0;
}

void klat_run_end(struct klat_bench *bench, enum klat_state state, int error, u32 flags,
		  const char *fmt, ...)
{
	struct klat_run *run = &bench->run;
	va_list args;

	if (atomic_cmpxchg(&run->ending, 0, 1))
		return;
	run->outcome.state = state;
	run->outcome.error = error;
	run->outcome.flags = flags;
	va_start(args, fmt);
	vscnprintf(run->outcome.message, sizeof(run->outcome.message), fmt, args);
	va_end(args);
	/* pairs with the acquire in end_work() */
	smp_store_release(&run->must_stop, true);
	queue_work(bench->workqueue, &run->end_work);
}

bool klat_run_limit_ends(struct klat_bench *bench, bool freeze)
{
	/*
	 * One that is counted when the end has been said: the run has its end, and
	 * the trace goes on to who knows where; but the limit was exceeded.
	 */
	if (smp_load_acquire(&bench->run.must_stop)) {
		bench->run.outcome.flags |= KLAT_RUN_LIMIT;
		return false;
	}
	if (freeze)
		tracing_off();
	return true;
}

void klat_run_over_limit(struct klat_bench *bench, u64 seq, u64 ticks, u64 limit_ns,
			 bool freeze)
{
	if (!klat_run_limit_ends(bench, freeze))
		return;
	klat_run_end(bench, KLAT_STOPPED, 0, KLAT_RUN_LIMIT,
		     "sample %llu of %llu ns is above the limit of %llu ns", seq,
		     klat_ticks_to_ns(&bench->clock, ticks), limit_ns);
}

/*
 * Not for the work alone: another who said the end first may not have queued it
 * yet. Not for the state alone: the work has more to do after it. And not for the
 * end of a run that was started meanwhile, of which nobody has said the end.
 */
void klat_run_wait(struct klat_bench *bench)
{
	struct klat_run *run = &bench->run;

	/* pairs with the release in klat_run_start() */
	wait_event(run->over, smp_load_acquire(&run->state) != KLAT_RUNNING ||
			      !atomic_read(&run->ending));
	flush_work(&run->end_work);
}

int klat_run_use_cpu(struct klat_bench *bench, unsigned int cpu,
		     struct klat_refusal *refusal)
{
	struct klat_run *run = &bench->run;
	bool there;

	spin_lock(&run->cpu_lock);
	there = cpumask_test_cpu(cpu, &run->cpus_there);
	if (there)
		cpumask_set_cpu(cpu, &run->cpus_in_use);
	spin_unlock(&run->cpu_lock);
	if (!there)
		return klat_refuse(refusal, -EINVAL, "CPU %u is not online (online: %*pbl)",
				   cpu, cpumask_pr_args(cpu_online_mask));
	return 0;
}

static bool cpu_in_use(struct klat_run *run, unsigned int cpu)
{
	bool in_use;

	spin_lock(&run->cpu_lock);
	in_use = cpumask_test_cpu(cpu, &run->cpus_in_use);
	spin_unlock(&run->cpu_lock);
	return in_use;
}

void klat_run_cpu_online(struct klat_bench *bench, unsigned int cpu)
{
	spin_lock(&bench->run.cpu_lock);
	cpumask_set_cpu(cpu, &bench->run.cpus_there);
	spin_unlock(&bench->run.cpu_lock);
	if (bench->ops->cpu_back && cpu_in_use(&bench->run, cpu))
		bench->ops->cpu_back(bench, cpu);
}

/*
 * Threads must not outlive their CPU. START may be at work and hold bench->lock;
 * it does not wait for hotplug once it uses the CPU, so waiting for it is safe.
 * Later runs find the CPU gone.
 */
void klat_run_cpu_offline(struct klat_bench *bench, unsigned int cpu)
{
	struct klat_run *run = &bench->run;

	spin_lock(&run->cpu_lock);
	cpumask_clear_cpu(cpu, &run->cpus_there);
	spin_unlock(&run->cpu_lock);
	if (!cpu_in_use(run, cpu))
		return;
	if (bench->ops->cpu_gone) {
		bench->ops->cpu_gone(bench, cpu);
		return;
	}
	klat_run_end(bench, KLAT_FAILED, ENODEV, 0, "CPU %u went offline", cpu);
	wait_event(run->over, !cpu_in_use(run, cpu));
}
