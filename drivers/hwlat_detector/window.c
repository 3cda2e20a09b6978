// SPDX-License-Identifier: GPL-2.0
/*
 * The thread of a CPU. Each window has its place on a grid. A thread that comes
 * late looks a full width all the same, as long as half of what the window leaves
 * to others stays; if it is later than that, for what is left; and a window that
 * has next to nothing left is not begun. So windows never follow each other
 * without a pause in which the thread really sleeps.
 */
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>

#include "../core/clock.h"
#include "../core/pin.h"
#include "../core/run.h"
#include "hwlat_detector.h"

#define MOMENT_TRIES	4
/* close enough, as a part of a second */
#define MOMENT_CLOSE	200000

#define CREATE_TRACE_POINTS
#include "trace.h"

static bool must_stop(const struct hwlat_cpu *cpu)
{
	return READ_ONCE(cpu->leave) || klat_run_must_stop(&cpu->hwlat->bench) ||
	       kthread_should_stop();
}

/* When the window that is due has to be over */
static u64 latest_end(const struct hwlat_cpu *cpu)
{
	const struct klat_hwlat_detector_config *config = &cpu->hwlat->config;
	u64 rest = config->window_ns - config->width_ns;

	return cpu->next + config->width_ns + rest / 2;
}

/* Leaves out windows that there is too little time left for */
static void skip_windows(struct hwlat_cpu *cpu, u64 now)
{
	u64 window = cpu->hwlat->config.window_ns, late;

	if (now < cpu->next || now + KLAT_HWLAT_DETECTOR_WIDTH_MIN <= latest_end(cpu))
		return;
	late = div64_u64(now - cpu->next, window) + 1;
	cpu->late += late;
	cpu->next += late * window;
}

static void sleep_until(const struct hwlat_cpu *cpu, u64 ns)
{
	ktime_t until = ns_to_ktime(ns);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!must_stop(cpu))
		schedule_hrtimeout(&until, HRTIMER_MODE_ABS_PINNED);
	__set_current_state(TASK_RUNNING);
}

/* Sleeps until a window is to be begun; false: none any more */
static bool wait_for_window(struct hwlat_cpu *cpu)
{
	struct hwlat *hwlat = cpu->hwlat;
	u64 now = ktime_get_ns(), wake;

	/* in any case, also when the next window is overdue already */
	wake = max(cpu->next, now + KLAT_HWLAT_DETECTOR_REST_MIN / 2);
	for (;;) {
		sleep_until(cpu, min(wake, hwlat->until));
		cond_resched();
		if (must_stop(cpu) || klat_watch_clock_bad(&hwlat->bench, &cpu->watch))
			return false;
		now = ktime_get_ns();
		if (now >= hwlat->until) {
			klat_run_end(&hwlat->bench, KLAT_DONE, 0, 0,
				     "it looked for as long as was asked");
			return false;
		}
		skip_windows(cpu, now);
		wake = cpu->next;
		/* the run ends before it is worth while */
		if (max(now, wake) + KLAT_HWLAT_DETECTOR_WIDTH_MIN > hwlat->until)
			wake = hwlat->until;
		else if (now >= wake)
			return true;
	}
}

/*
 * The clocks are read one after the other: what comes in between, be it that which we
 * look for, would set them apart. So the closest of some readings is taken.
 */
static void take_moment(const struct klat_clock_info *clock, struct hwlat_moment *moment)
{
	u64 ticks, took, least = U64_MAX;
	struct klat_moment at;
	int i;

	for (i = 0; i < MOMENT_TRIES && least > clock->hz / MOMENT_CLOSE; i++) {
		ticks = klat_clock();
		klat_moment_take(&at);
		took = klat_clock() - ticks;
		if (took >= least)
			continue;
		least = took;
		moment->ticks = ticks;
		moment->at = at;
	}
}

static void clear_loop(struct hwlat_loop *loop)
{
	memset(loop->steps, 0, sizeof(loop->steps));
	loop->blind = 0;
	loop->longest = 0;
	loop->over = 0;
	loop->lost = 0;
	loop->nr = 0;
}

/*
 * Interrupts are off. False if there is no time left after all. Who ends the
 * windows sets leave before loop.end: either we see it here, or the loop does.
 */
static bool begin_window(struct hwlat_cpu *cpu)
{
	const struct klat_clock_info *clock = &cpu->hwlat->bench.clock;
	struct hwlat_loop *loop = &cpu->loop;
	u64 now, end = min(latest_end(cpu), cpu->hwlat->until);

	WRITE_ONCE(cpu->since, klat_clock());
	smp_mb();	/* pairs with the one in horizon() */
	take_moment(clock, &cpu->opened);
	now = cpu->opened.at.mono;
	if (now + KLAT_HWLAT_DETECTOR_WIDTH_MIN > end) {
		cpu->late += end < cpu->hwlat->until;
		return false;
	}
	hwlat_read_counters(loop->known, &cpu->smi, &cpu->nmi);
	WRITE_ONCE(loop->end, cpu->opened.ticks +
		   klat_ns_to_ticks(clock, min(cpu->hwlat->config.width_ns, end - now)));
	smp_mb();	/* pairs with the one in leave() */
	return !READ_ONCE(cpu->leave);
}

/* A trace that is about to be frozen is wanted for this very gap, the last one */
static void trace_before_freezing(const struct hwlat_cpu *cpu)
{
	const struct hwlat_loop *loop = &cpu->loop;
	u32 smi = cpu->smi, nmi = cpu->nmi;
	const struct hwlat_seen *seen;

	if (!loop->nr)
		return;
	seen = &loop->seen[loop->nr - 1];
	if (seen->length != loop->over)
		return;
	if (loop->nr > 1) {
		smi = seen[-1].smi;
		nmi = seen[-1].nmi;
	}
	trace_hwlat_detector_gap(seen->begin + seen->length, seen->length,
				 seen->kind == KLAT_HWLAT_DETECTOR_OUTER, seen->smi - smi,
				 seen->nmi - nmi);
}

static void end_at_limit(struct hwlat_cpu *cpu)
{
	const struct klat_hwlat_detector_config *config = &cpu->hwlat->config;
	bool freeze = config->flags & KLAT_HWLAT_DETECTOR_FLAG_FREEZE_TRACE;
	struct klat_bench *bench = &cpu->hwlat->bench;

	if (freeze)
		trace_before_freezing(cpu);
	if (klat_run_limit_ends(bench, freeze))
		klat_run_end(bench, KLAT_STOPPED, 0, KLAT_RUN_LIMIT,
			     "a gap of %llu ns on CPU %u is above the limit of %llu ns",
			     klat_ticks_to_ns(&bench->clock, cpu->loop.over), cpu->cpu,
			     config->limit_ns);
}

/* The loop compares its own stamps only */
static bool went_backwards(const struct hwlat_cpu *cpu)
{
	const struct hwlat_loop *loop = &cpu->loop;

	return loop->backwards || loop->first < cpu->opened.ticks ||
	       loop->last < loop->first || cpu->closed.ticks < loop->last;
}

/* The window itself; true if it took place. On a CPU that is about to go it does not */
static bool look(struct hwlat_cpu *cpu)
{
	struct klat_disturb delta;
	bool begun;

	clear_loop(&cpu->loop);
	local_irq_disable();
	begun = smp_processor_id() == cpu->cpu && begin_window(cpu);
	if (begun) {
		hwlat_look(&cpu->loop);
		take_moment(&cpu->hwlat->bench.clock, &cpu->closed);
		cpu->loop.backwards = went_backwards(cpu);
		if (unlikely(cpu->loop.over))
			end_at_limit(cpu);
		if (cpu->watch.disturb)
			klat_disturb_sample(&cpu->watch.meter, &delta);
	}
	local_irq_enable();
	return begun;
}

/*
 * What a clock that stood at @open and @close showed at @ticks in between. On x86 a
 * quotient of more than 64 bits is a fault: a stamp from outside makes none.
 */
static u64 between(const struct hwlat_cpu *cpu, u64 ticks, u64 open, u64 close)
{
	u64 part = ticks - cpu->opened.ticks, whole = cpu->closed.ticks - cpu->opened.ticks;

	if (part >= whole)
		return close;
	return open + mul_u64_u64_div_u64(part, close - open, whole);
}

static void moment_of(const struct hwlat_cpu *cpu, u64 ticks, struct klat_moment *moment)
{
	const struct klat_moment *open = &cpu->opened.at, *close = &cpu->closed.at;

	moment->mono = between(cpu, ticks, open->mono, close->mono);
	moment->trace = between(cpu, ticks, open->trace, close->trace);
	/* it may have been set meanwhile */
	moment->real = open->real + (moment->mono - open->mono);
	moment->cpu = cpu->cpu;
}

static void make_gap(struct hwlat_cpu *cpu, const struct hwlat_seen *seen,
		     struct hwlat_gap *gap)
{
	struct klat_moment moment;

	moment_of(cpu, seen->begin, &moment);
	*gap = (struct hwlat_gap){
		.begin = seen->begin,
		.end = seen->begin + seen->length,
		.mono = moment.mono,
		.real = moment.real,
		.trace = moment.trace,
		.known = cpu->loop.known,
		.cpu = cpu->index,
		.kind = seen->kind,
	};
	if (gap->known & KLAT_KNOWN_SMI)
		gap->smi = seen->smi - cpu->smi;
	if (gap->known & KLAT_KNOWN_NMI)
		gap->nmi = seen->nmi - cpu->nmi;
	cpu->smi = seen->smi;
	cpu->nmi = seen->nmi;
}

/* Interrupts off for the writer of a series, but not for all gaps at once */
static void count_gap(struct hwlat_cpu *cpu, u64 length)
{
	local_irq_disable();
	klat_series_add(cpu->gap, length);
	if (cpu->loop.step)
		klat_series_add(cpu->loop.step, length);
	local_irq_enable();
}

/* For which there is no room to wait for its event */
static void lose_gap(struct hwlat_cpu *cpu, const struct hwlat_gap *gap)
{
	struct klat_moment moment = { gap->mono, gap->real, gap->trace, cpu->cpu };

	cpu->loop.lost++;
	local_irq_disable();
	klat_worst_record_at(cpu->gap, HWLAT_NO_EVENT, gap->end - gap->begin, NULL, &moment);
	local_irq_enable();
}

/* The longest gap that was kept */
static u64 count_gaps(struct hwlat_cpu *cpu)
{
	struct hwlat_loop *loop = &cpu->loop;
	struct hwlat *hwlat = cpu->hwlat;
	struct hwlat_gap gap;
	u64 longest = 0;
	u32 i;

	for (i = 0; i < loop->nr; i++) {
		make_gap(cpu, &loop->seen[i], &gap);
		longest = max(longest, loop->seen[i].length);
		count_gap(cpu, loop->seen[i].length);
		trace_hwlat_detector_gap(gap.end, loop->seen[i].length,
					 gap.kind == KLAT_HWLAT_DETECTOR_OUTER, gap.smi, gap.nmi);
		if (!hwlat_group_add(&hwlat->group, &gap))
			lose_gap(cpu, &gap);
	}
	klat_ring_lose(hwlat->bench.ring, loop->lost);
	return longest;
}

/* The longest of a window stands for the others in the worst lists */
static void note_longest(struct hwlat_cpu *cpu, struct klat_series *series, u64 seq)
{
	struct klat_moment moment;

	moment_of(cpu, cpu->loop.longest_begin, &moment);
	klat_worst_record_at(series, seq, cpu->loop.longest, NULL, &moment);
}

/* The loop's own steps; those that it has no counter for were counted at once */
static void count_steps(struct hwlat_cpu *cpu)
{
	struct hwlat_loop *loop = &cpu->loop;
	u32 step;

	local_irq_disable();
	for (step = 0; step < HWLAT_STEPS; step++) {
		if (!loop->steps[step])
			continue;
		klat_series_add_many(loop->step, step, loop->steps[step]);
		if (step > loop->longest) {
			loop->longest = step;
			/* not known any closer */
			loop->longest_begin = loop->first;
		}
	}
	note_longest(cpu, loop->step, cpu->windows);
	local_irq_enable();
}

/* Of the window that has just ended */
static u64 due(const struct hwlat_cpu *cpu)
{
	return cpu->opened.ticks - klat_ns_to_ticks(&cpu->hwlat->bench.clock,
						    cpu->opened.at.mono - cpu->next);
}

static void count_looked(struct hwlat_cpu *cpu)
{
	const struct hwlat_loop *loop = &cpu->loop;
	u64 looked = loop->last - loop->first - loop->blind;

	local_irq_disable();
	if (klat_series_add(cpu->looked, looked))
		klat_worst_record_at(cpu->looked, cpu->windows, looked, NULL, &cpu->opened.at);
	local_irq_enable();
	trace_hwlat_detector_window(due(cpu), loop->first, loop->last, looked);
}

static void count_window(struct hwlat_cpu *cpu)
{
	struct hwlat_loop *loop = &cpu->loop;

	if (count_gaps(cpu) < loop->longest && loop->longest > loop->threshold) {
		local_irq_disable();
		note_longest(cpu, loop->spill, HWLAT_NO_EVENT);
		local_irq_enable();
	}
	if (loop->step)
		count_steps(cpu);
	count_looked(cpu);
	hwlat_group_looked(&cpu->hwlat->group, cpu->index, loop->first, loop->last);
	WRITE_ONCE(cpu->windows, cpu->windows + 1);
}

static void one_window(struct hwlat_cpu *cpu)
{
	struct hwlat *hwlat = cpu->hwlat;
	bool looked, told;

	klat_pin_again(cpu->cpu);
	looked = look(cpu);
	mutex_lock(&hwlat->collecting);
	if (looked && !cpu->loop.backwards)
		count_window(cpu);
	WRITE_ONCE(cpu->since, HWLAT_NOT_LOOKING);
	told = hwlat_collect(hwlat, false);
	mutex_unlock(&hwlat->collecting);
	if (told)
		hwlat_wake_readers(hwlat);
	cpu->next += hwlat->config.window_ns;
	if (cpu->loop.backwards)
		klat_run_end(&hwlat->bench, KLAT_FAILED, ETIME, 0,
			     "the clock of CPU %u went backwards", cpu->cpu);
}

int hwlat_thread(void *arg)
{
	struct hwlat_cpu *cpu = arg;

	while (wait_for_window(cpu))
		one_window(cpu);
	return 0;
}
