// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps a CPU's interrupts off on purpose, at a moment and for a time that are
 * known to the tick: "AT TICKS" written to debugfs' klat_spin/spin by a thread on
 * that CPU does so from the clock's value AT to AT + TICKS. The write returns
 * when it is over; EINVAL: AT has passed; EINTR: a signal came first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "drivers/core/clock.h"

/* a lockup detector's patience is longer */
#define TICKS_MAX	1000000000ULL
/* more than a sleep of one jiffy and its wake-up take, at up to 5 GHz */
#define NEAR_TICKS	100000000ULL

static struct dentry *directory;

/* Interrupts stay on until @at: what is late is late by @ticks alone */
static void spin(u64 at, u64 ticks)
{
	unsigned long flags;

	preempt_disable();
	while (klat_clock() < at)
		cpu_relax();
	local_irq_save(flags);
	while (klat_clock() < at + ticks)
		cpu_relax();
	local_irq_restore(flags);
	preempt_enable();
}

static ssize_t spin_write(struct file *filp, const char __user *from, size_t size, loff_t *pos)
{
	unsigned long long at, ticks;
	char text[64] = {};

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (sscanf(text, "%llu %llu", &at, &ticks) != 2 || ticks > TICKS_MAX)
		return -EINVAL;
	/* the last bit of the way is not slept */
	while (klat_clock() + NEAR_TICKS < at) {
		if (fatal_signal_pending(current))
			return -EINTR;
		schedule_timeout_killable(1);
	}
	if (klat_clock() >= at)
		return -EINVAL;
	spin(at, ticks);
	return size;
}

static const struct file_operations spin_fops = {
	.owner = THIS_MODULE,
	.write = spin_write,
};

static int __init spin_init(void)
{
	directory = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("spin", 0200, directory, NULL, &spin_fops);
	return 0;
}

static void __exit spin_exit(void)
{
	debugfs_remove(directory);
}

module_init(spin_init);
module_exit(spin_exit);
MODULE_DESCRIPTION("klat: interrupts off at a known moment (test only)");
MODULE_LICENSE("GPL");
