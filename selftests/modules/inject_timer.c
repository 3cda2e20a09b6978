// SPDX-License-Identifier: GPL-2.0
/*
 * SMIs and NMIs at moments that are known to the tick, on the only CPU of the
 * deterministic machine, while that CPU has its interrupts off: the timer of its
 * local APIC raises them. The kernel must not use it: boot with nolapic_timer.
 *
 * Written to "timer": "WIDTH", then a line "smi|nmi AFTER TICKS" for each shot. The
 * first comes AFTER ticks from the next end of a stretch of interrupts off of about
 * WIDTH ticks; the second from the end of the stretch that the first has come in or
 * that follows it; and so on. An NMI takes TICKS, for an SMI they are not used.
 *
 * So code that has interrupts off for WIDTH ticks again and again gets one shot in
 * each stretch, where the schedule wants it. The end of a stretch is known by a
 * timer of the kernel's that is due all the time: it comes late then.
 *
 * Read: a line "smi|nmi AT BEGIN LENGTH" for each shot that has come. AT is what
 * the timer was set to; the others are 0 for an SMI.
 *
 * Read from "cost": "smi|nmi GAP STEP LENGTH", one shot in a loop that does nothing
 * but stamp: the longest and the shortest step, and the NMI's length.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/apicdef.h>
#include <asm/tsc.h>

#include "drivers/compat/hrtimer.h"
#include "drivers/core/clock.h"
#include "inject.h"

#define SHOTS_MAX	256
#define TEXT_MAX	16384
#define AFTER_MAX	U32_MAX		/* the timer's register */
#define WIDTH_MIN	20000
/* the deterministic machine's */
#define TSC_KHZ		1000000

/* of a shot whose cost is measured, and of the loop around it */
#define COST_AFTER	5000
#define COST_LOOP	20000

struct shot {
	enum inject_kind kind;
	u64 after;
	u64 ticks;
	u64 at;			/* 0: not set yet */
	struct inject_spun spun;
};

static DEFINE_MUTEX(timer_lock);
static struct shot *shots;
static unsigned int nr_shots;
static unsigned int nr_set;	/* of them, the timer has been set to */
static u64 width;
static struct hrtimer look;
static bool taken;		/* the APIC's timer is ours */
static u32 old_divider;

static const char *kind_name(enum inject_kind kind)
{
	return kind == INJECT_SMI ? "smi" : "nmi";
}

static bool set_apic_timer(struct shot *shot)
{
	u64 now;

	if (shot->kind == INJECT_NMI && inject_nmi_order(cpumask_of(0), shot->ticks))
		return false;
	inject_apic_write(APIC_LVTT, inject_apic_mode(shot->kind));
	inject_apic_write(APIC_TDCR, APIC_TDR_DIV_1);
	now = klat_clock();
	inject_apic_write(APIC_TMICT, shot->after);
	shot->at = now + shot->after;
	return true;
}

static void stop_apic_timer(void)
{
	inject_apic_write(APIC_TMICT, 0);
	inject_apic_write(APIC_LVTT, APIC_LVT_MASKED);
	inject_apic_write(APIC_TDCR, old_divider);
}

/* The last one that was set: its NMI is over, or its SMI's time has passed */
static bool has_come(struct shot *shot)
{
	if (klat_clock() <= shot->at)
		return false;
	return shot->kind == INJECT_SMI || inject_nmi_done(0, &shot->spun);
}

static enum hrtimer_restart look_out(struct hrtimer *timer)
{
	s64 late = ktime_to_ns(ktime_sub(ktime_get(), hrtimer_get_expires(timer)));

	if (late >= (s64)width / 2 && (!nr_set || has_come(&shots[nr_set - 1]))) {
		if (nr_set == nr_shots)
			return HRTIMER_NORESTART;
		nr_set += set_apic_timer(&shots[nr_set]);
	}
	hrtimer_forward_now(timer, ns_to_ktime(width / 4));
	return HRTIMER_RESTART;
}

/* From here on the timer is ours, if nobody uses it, and if it counts as the TSC does */
static int take_timer(void)
{
	if (taken)
		return 0;
	if (num_online_cpus() != 1 || abs((int)tsc_khz - TSC_KHZ) > TSC_KHZ / 100 ||
	    !(inject_apic_read(APIC_LVTT) & APIC_LVT_MASKED)) {
		pr_err("timer: needs one CPU with a TSC of 1 GHz, and nolapic_timer at boot\n");
		return -EOPNOTSUPP;
	}
	old_divider = inject_apic_read(APIC_TDCR);
	taken = true;
	return 0;
}

static int parse_shot(const char *line, struct shot *shot)
{
	unsigned long long after, ticks;
	char kind[4];

	if (sscanf(line, "%3s %llu %llu", kind, &after, &ticks) != 3 || !after ||
	    after > AFTER_MAX)
		return -EINVAL;
	*shot = (struct shot){ .after = after, .ticks = ticks };
	if (!strcmp(kind, "nmi"))
		shot->kind = INJECT_NMI;
	else if (!strcmp(kind, "smi"))
		shot->kind = INJECT_SMI;
	else
		return -EINVAL;
	return 0;
}

static int parse_schedule(char *text)
{
	char *line = strsep(&text, "\n");
	int ret;

	nr_set = 0;
	nr_shots = 0;
	ret = kstrtoull(line, 10, &width);
	if (!ret && width < WIDTH_MIN)
		ret = -EINVAL;
	if (!ret && !text)
		ret = -EINVAL;
	while (!ret && (line = strsep(&text, "\n")) && *line) {
		if (nr_shots == SHOTS_MAX)
			return -E2BIG;
		ret = parse_shot(line, &shots[nr_shots]);
		nr_shots += !ret;
	}
	if (ret)
		pr_err("timer: %s: must be a WIDTH of %u or more, then \"smi|nmi AFTER TICKS\"\n",
		       line, WIDTH_MIN);
	return ret;
}

static void end_schedule(void)
{
	hrtimer_cancel(&look);
	if (taken)
		stop_apic_timer();
}

static ssize_t timer_write(struct file *filp, const char __user *from, size_t size, loff_t *pos)
{
	char *text;
	int ret;

	if (size > TEXT_MAX)
		return -E2BIG;
	text = memdup_user_nul(from, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&timer_lock);
	end_schedule();
	ret = take_timer() ?: parse_schedule(text);
	if (!ret)
		hrtimer_start(&look, ns_to_ktime(width / 4), HRTIMER_MODE_REL_PINNED_HARD);
	mutex_unlock(&timer_lock);
	kfree(text);
	return ret ?: size;
}

static int timer_show(struct seq_file *file, void *unused)
{
	unsigned int i;

	mutex_lock(&timer_lock);
	for (i = 0; i < READ_ONCE(nr_set); i++) {
		struct shot *shot = &shots[i];

		if (i == nr_set - 1 && !has_come(shot))
			break;
		seq_printf(file, "%s %llu %llu %llu\n", kind_name(shot->kind), shot->at,
			   shot->spun.begin, shot->spun.length);
	}
	mutex_unlock(&timer_lock);
	return 0;
}

static int timer_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, timer_show, NULL);
}

const struct file_operations inject_timer_fops = {
	.owner = THIS_MODULE,
	.open = timer_open,
	.read = seq_read,
	.write = timer_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* One shot in a loop that does nothing but stamp */
static void measure_cost(struct seq_file *file, enum inject_kind kind)
{
	struct shot shot = { .kind = kind, .after = COST_AFTER };
	u64 gap = 0, step = U64_MAX;
	unsigned long flags;
	u64 last, now, end;
	bool came;

	local_irq_save(flags);
	came = set_apic_timer(&shot);
	last = klat_clock();
	end = last + COST_LOOP;
	do {
		now = klat_clock();
		gap = max(gap, now - last);
		step = min(step, now - last);
		last = now;
	} while (now < end);
	came = came && has_come(&shot);
	local_irq_restore(flags);
	if (came)
		seq_printf(file, "%s %llu %llu %llu\n", kind_name(kind), gap, step,
			   shot.spun.length);
}

static int cost_show(struct seq_file *file, void *unused)
{
	int ret;

	mutex_lock(&timer_lock);
	end_schedule();
	ret = take_timer();
	if (!ret) {
		measure_cost(file, INJECT_SMI);
		measure_cost(file, INJECT_NMI);
		stop_apic_timer();
	}
	mutex_unlock(&timer_lock);
	return ret;
}

static int cost_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, cost_show, NULL);
}

const struct file_operations inject_cost_fops = {
	.owner = THIS_MODULE,
	.open = cost_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

int inject_timer_init(void)
{
	shots = kvcalloc(SHOTS_MAX, sizeof(*shots), GFP_KERNEL);
	if (!shots)
		return -ENOMEM;
	klat_hrtimer_setup(&look, look_out, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

void inject_timer_exit(void)
{
	end_schedule();
	kvfree(shots);
}
