// SPDX-License-Identifier: GPL-2.0
/*
 * The CPUs of a run: what each needs, their threads, and what becomes of a CPU that
 * goes offline. It is missing from then on, and its thread is made anew when it is
 * back; the run fails only when none is left.
 */
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../core/clock.h"
#include "../core/pin.h"
#include "../core/run.h"
#include "hwlat_detector.h"

/* how long the loop's own step is looked for in a round: a part of a second */
#define STEP_PART	20000
/* so that all threads are there when the first window begins */
#define AHEAD_NS	(2 * NSEC_PER_MSEC)
/* while one CPU does not end its window, the windows of the others are remembered */
#define AWAY_NS		(2 * NSEC_PER_SEC)

static bool with_steps(const struct hwlat *hwlat)
{
	return hwlat->config.flags & KLAT_HWLAT_DETECTOR_FLAG_STEPS;
}

/* Series and ring are the core's, and so are freed by it */
static int make_series(struct hwlat_cpu *cpu)
{
	struct klat_bench *bench = &cpu->hwlat->bench;

	cpu->gap = klat_bench_add_series(bench, KLAT_HWLAT_DETECTOR_GAP, cpu->cpu);
	cpu->loop.spill = klat_bench_add_series(bench, KLAT_HWLAT_DETECTOR_GAP, cpu->cpu);
	cpu->looked = klat_bench_add_series(bench, KLAT_HWLAT_DETECTOR_LOOKED, cpu->cpu);
	if (!cpu->gap || !cpu->loop.spill || !cpu->looked)
		return -ENOMEM;
	if (!with_steps(cpu->hwlat))
		return 0;
	cpu->loop.step = klat_bench_add_series(bench, KLAT_HWLAT_DETECTOR_STEP, cpu->cpu);
	return cpu->loop.step ? 0 : -ENOMEM;
}

static int make_cpu(struct hwlat *hwlat, unsigned int number)
{
	struct hwlat_cpu *cpu;

	cpu = kvzalloc_node(sizeof(*cpu), GFP_KERNEL, cpu_to_node(number));
	if (!cpu)
		return -ENOMEM;
	cpu->hwlat = hwlat;
	cpu->cpu = number;
	cpu->index = hwlat->nr_cpus;
	cpu->since = HWLAT_NOT_LOOKING;
	hwlat->cpu[hwlat->nr_cpus++] = cpu;
	return make_series(cpu);
}

/* As many as fit into the time that a CPU may be away for, and some; a power of two */
static u32 nr_spans(const struct hwlat *hwlat)
{
	return roundup_pow_of_two(div64_u64(AWAY_NS, hwlat->config.window_ns) + 8);
}

static int make_cpus(struct hwlat *hwlat)
{
	unsigned int number;
	int ret;

	hwlat->cpu = kcalloc(cpumask_weight(&hwlat->cpus), sizeof(*hwlat->cpu), GFP_KERNEL);
	if (!hwlat->cpu)
		return -ENOMEM;
	for_each_cpu(number, &hwlat->cpus) {
		ret = make_cpu(hwlat, number);
		if (ret)
			return ret;
	}
	return hwlat_group_init(&hwlat->group, hwlat->nr_cpus, nr_spans(hwlat),
				(hwlat->nr_cpus + 1) * HWLAT_GAPS) ? -ENOMEM : 0;
}

void hwlat_cpus_free(struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		kvfree(hwlat->cpu[i]);
	kfree(hwlat->cpu);
	hwlat->cpu = NULL;
	hwlat->nr_cpus = 0;
}

static void measure_step_here(void *arg)
{
	struct hwlat_cpu *cpu = arg;

	cpu->step = hwlat_measure_step(&cpu->loop, cpu->hwlat->bench.clock.hz / STEP_PART);
}

/* Those of different CPUs may differ: the longest counts */
static int check_threshold(struct hwlat *hwlat, struct klat_refusal *refusal)
{
	const struct klat_clock_info *clock = &hwlat->bench.clock;
	u64 threshold = hwlat->config.threshold_ns;
	u32 i;

	hwlat->step = 0;
	for (i = 0; i < hwlat->nr_cpus; i++) {
		/* one that is gone has none, and will be found out */
		smp_call_function_single(hwlat->cpu[i]->cpu, measure_step_here, hwlat->cpu[i],
					 true);
		hwlat->step = max(hwlat->step, hwlat->cpu[i]->step);
	}
	if (klat_ns_to_ticks(clock, threshold) >= 2 * hwlat->step)
		return 0;
	return klat_refuse(refusal, -EINVAL,
			   "threshold_ns = %llu: must be at least %llu ns: two of the loop's steps",
			   threshold, klat_ticks_to_ns(clock, 2 * hwlat->step) + 1);
}

static u64 ticks_or_never(const struct hwlat *hwlat, u64 ns)
{
	return ns ? klat_ns_to_ticks(&hwlat->bench.clock, ns) : U64_MAX;
}

/* Far more than recording a gap takes; registers may be slow in a virtual machine */
static u64 recording_cost(const struct hwlat *hwlat)
{
	return 16 * hwlat->step + 2 * hwlat->bench.disturb_cost;
}

static void prepare_cpu(struct hwlat_cpu *cpu, bool first)
{
	const struct hwlat *hwlat = cpu->hwlat;
	u32 flags = hwlat->config.flags;
	struct hwlat_loop *loop = &cpu->loop;

	klat_watch_start(&cpu->watch, cpu->cpu, !(flags & KLAT_HWLAT_DETECTOR_FLAG_NO_DISTURB),
			 first && !(flags & KLAT_HWLAT_DETECTOR_FLAG_ALLOW_IDLE));
	loop->known = cpu->watch.meter.known & (KLAT_KNOWN_SMI | KLAT_KNOWN_NMI);
	loop->threshold = klat_ns_to_ticks(&hwlat->bench.clock, hwlat->config.threshold_ns);
	loop->recording = loop->threshold + recording_cost(hwlat);
	loop->limit = ticks_or_never(hwlat, hwlat->config.limit_ns);
	loop->fast = loop->step ? min_t(u64, loop->threshold, HWLAT_STEPS - 1) :
				  loop->threshold;
}

/* Under hwlat->lock: created, not started */
static int make_thread(struct hwlat_cpu *cpu)
{
	struct task_struct *thread;

	thread = klat_pin_ordinary_thread(hwlat_thread, cpu, cpu->cpu,
					  cpu->hwlat->bench.ops->name);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	cpu->thread = thread;
	cpu->leave = false;
	cpu->state = KLAT_CPU_USED;
	return 0;
}

/* The thread's windows end; the loop's end is the last thing that it looks at */
static void leave(struct hwlat_cpu *cpu)
{
	WRITE_ONCE(cpu->leave, true);
	smp_mb();	/* pairs with the second one in begin_window() */
	WRITE_ONCE(cpu->loop.end, 0);
}

/* Under hwlat->lock */
static void stop_threads(struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		leave(hwlat->cpu[i]);
	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat->cpu[i]->thread)
			kthread_stop(hwlat->cpu[i]->thread);
}

static void put_threads(struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++) {
		if (hwlat->cpu[i]->thread)
			put_task_struct(hwlat->cpu[i]->thread);
		hwlat->cpu[i]->thread = NULL;
	}
}

/* hotplug waits for us: nothing here waits for hotplug */
static int make_threads(struct hwlat *hwlat, struct klat_refusal *refusal)
{
	struct hwlat_cpu *cpu;
	u32 i;
	int ret = 0;

	mutex_lock(&hwlat->lock);
	for (i = 0; i < hwlat->nr_cpus && !ret; i++) {
		cpu = hwlat->cpu[i];
		ret = klat_run_use_cpu(&hwlat->bench, cpu->cpu, refusal);
		if (ret)
			break;
		ret = make_thread(cpu);
		if (ret)
			klat_refuse(refusal, ret, "no thread on CPU %u (%d)", cpu->cpu, ret);
	}
	if (ret) {
		stop_threads(hwlat);
		put_threads(hwlat);
	}
	hwlat->alive = !ret;
	mutex_unlock(&hwlat->lock);
	return ret;
}

static void stop_watching(struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		klat_watch_stop(&hwlat->cpu[i]->watch);
}

int hwlat_cpus_start(struct hwlat *hwlat, struct klat_refusal *refusal)
{
	u32 i;
	int ret;

	hwlat_cpus_free(hwlat);
	hwlat->nr_ever_missing = 0;
	ret = hwlat_parse_cpus(hwlat->config.cpus, &hwlat->cpus, refusal);
	if (ret)
		return ret;
	ret = make_cpus(hwlat);
	if (ret) {
		klat_refuse(refusal, ret, "not enough memory for %u CPUs",
			    cpumask_weight(&hwlat->cpus));
		goto err_free;
	}
	ret = check_threshold(hwlat, refusal);
	if (ret)
		goto err_group;
	for (i = 0; i < hwlat->nr_cpus; i++)
		prepare_cpu(hwlat->cpu[i], i == 0);
	ret = make_threads(hwlat, refusal);
	if (ret)
		goto err_watch;
	return 0;

err_watch:
	stop_watching(hwlat);
err_group:
	hwlat_group_free(&hwlat->group);
err_free:
	hwlat_cpus_free(hwlat);
	return ret;
}

/* When the windows of @cpu are: the first one that begins after now */
static void place_windows(struct hwlat_cpu *cpu)
{
	const struct hwlat *hwlat = cpu->hwlat;
	u64 window = hwlat->config.window_ns, now = ktime_get_ns();

	cpu->next = hwlat->base;
	if (!(hwlat->config.flags & KLAT_HWLAT_DETECTOR_FLAG_ALIGNED))
		cpu->next += div_u64(window * cpu->index, hwlat->nr_cpus);
	if (cpu->next < now)
		cpu->next += (div64_u64(now - cpu->next, window) + 1) * window;
}

static void set_off(struct hwlat_cpu *cpu)
{
	place_windows(cpu);
	wake_up_process(cpu->thread);
}

void hwlat_cpus_go(struct hwlat *hwlat)
{
	u32 i;

	mutex_lock(&hwlat->lock);
	hwlat->base = ktime_get_ns() + AHEAD_NS;
	hwlat->until = hwlat->config.duration_ns ? hwlat->base + hwlat->config.duration_ns :
						   U64_MAX;
	hwlat->going = true;
	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat->cpu[i]->thread)
			set_off(hwlat->cpu[i]);
	mutex_unlock(&hwlat->lock);
}

void hwlat_cpus_halt(struct hwlat *hwlat)
{
	mutex_lock(&hwlat->lock);
	hwlat->alive = false;
	hwlat->going = false;
	stop_threads(hwlat);
	mutex_unlock(&hwlat->lock);

	mutex_lock(&hwlat->collecting);
	hwlat_collect(hwlat, true);
	mutex_unlock(&hwlat->collecting);
}

/* What is missing now was so to the end of the run */
static void end_absences(struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat->cpu[i]->state == KLAT_CPU_MISSING)
			hwlat->cpu[i]->missing += ktime_get_ns() - hwlat->cpu[i]->missing_since;
}

void hwlat_cpus_stop(struct hwlat *hwlat)
{
	mutex_lock(&hwlat->lock);
	put_threads(hwlat);
	end_absences(hwlat);
	mutex_unlock(&hwlat->lock);
	stop_watching(hwlat);
	hwlat_group_free(&hwlat->group);
}

static struct hwlat_cpu *find_cpu(const struct hwlat *hwlat, unsigned int number)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat->cpu[i]->cpu == number)
			return hwlat->cpu[i];
	return NULL;
}

static bool any_thread(const struct hwlat *hwlat)
{
	u32 i;

	for (i = 0; i < hwlat->nr_cpus; i++)
		if (hwlat->cpu[i]->thread)
			return true;
	return false;
}

static void lose_cpu(struct hwlat_cpu *cpu)
{
	leave(cpu);
	klat_pin_thread_stop(cpu->thread);
	cpu->thread = NULL;
	cpu->state = KLAT_CPU_MISSING;
	if (!cpu->absences++)
		cpu->hwlat->nr_ever_missing++;
	cpu->missing_since = ktime_get_ns();
}

/*
 * For hotplug, which may come late: the run may be over, and the next START be at
 * work on the CPUs' memory. Or the end is under way: then the thread has been
 * stopped, but not given up, and is not ours.
 */
static struct hwlat_cpu *find_if_alive(const struct hwlat *hwlat, unsigned int number)
{
	return hwlat->alive ? find_cpu(hwlat, number) : NULL;
}

void hwlat_cpu_gone(struct klat_bench *bench, unsigned int number)
{
	struct hwlat *hwlat = hwlat_of(bench);
	struct hwlat_cpu *cpu;
	bool last = false;

	mutex_lock(&hwlat->lock);
	cpu = find_if_alive(hwlat, number);
	if (cpu && cpu->thread) {
		lose_cpu(cpu);
		last = !any_thread(hwlat);
	}
	mutex_unlock(&hwlat->lock);
	if (last)
		klat_run_end(bench, KLAT_FAILED, ENODEV, 0, "CPU %u went offline", number);
}

void hwlat_cpu_back(struct klat_bench *bench, unsigned int number)
{
	struct hwlat *hwlat = hwlat_of(bench);
	struct hwlat_cpu *cpu;

	mutex_lock(&hwlat->lock);
	cpu = find_if_alive(hwlat, number);
	/* without a thread it stays missing */
	if (cpu && cpu->state == KLAT_CPU_MISSING && !make_thread(cpu)) {
		cpu->missing += ktime_get_ns() - cpu->missing_since;
		klat_disturb_skip(&cpu->watch.meter);
		if (hwlat->going)
			set_off(cpu);
	}
	mutex_unlock(&hwlat->lock);
}

void hwlat_cpu_tell(struct klat_bench *bench, struct klat_cpu *tell)
{
	struct hwlat *hwlat = hwlat_of(bench);
	struct hwlat_cpu *cpu;

	mutex_lock(&hwlat->lock);
	cpu = find_cpu(hwlat, tell->cpu);
	if (cpu) {
		tell->state = cpu->state;
		tell->absences = cpu->absences;
		tell->missing_since = cpu->missing_since;
		tell->missing = cpu->missing;
		if (cpu->state == KLAT_CPU_MISSING && hwlat->alive)
			tell->missing += ktime_get_ns() - cpu->missing_since;
		klat_watch_disturb(&cpu->watch, &tell->disturb);
	}
	mutex_unlock(&hwlat->lock);
}
