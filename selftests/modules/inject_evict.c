// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that walks through memory, so that what others have in a cache that
 * they share with its CPU goes from there.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "inject.h"

#define KIB_MAX	(256 * 1024)

static DEFINE_MUTEX(evict_lock);
static struct task_struct *walker;
static char *memory;
static size_t bytes;
static unsigned long walks;

static int walk(void *unused)
{
	size_t i;

	while (!kthread_should_stop()) {
		for (i = 0; i < bytes; i += SMP_CACHE_BYTES)
			WRITE_ONCE(memory[i], memory[i] + 1);
		WRITE_ONCE(walks, walks + 1);
		cond_resched();
	}
	return 0;
}

static void stop_walking(void)
{
	if (walker)
		kthread_stop(walker);
	walker = NULL;
	kvfree(memory);
	memory = NULL;
}

static int start_walking(unsigned int cpu, unsigned int kib)
{
	struct task_struct *task;

	if (cpu >= nr_cpu_ids || !cpu_online(cpu) || !kib || kib > KIB_MAX) {
		pr_err("evict: CPU %u, %u KiB: must be online (%*pbl), and 1 to %u KiB\n",
		       cpu, kib, cpumask_pr_args(cpu_online_mask), KIB_MAX);
		return -EINVAL;
	}
	memory = kvzalloc(kib * 1024UL, GFP_KERNEL);
	if (!memory)
		return -ENOMEM;
	bytes = kib * 1024UL;
	walks = 0;
	task = kthread_create_on_cpu(walk, NULL, cpu, KBUILD_MODNAME);
	if (IS_ERR(task)) {
		stop_walking();
		return PTR_ERR(task);
	}
	walker = task;
	wake_up_process(walker);
	return 0;
}

static ssize_t evict_write(struct file *filp, const char __user *from, size_t size, loff_t *pos)
{
	unsigned int cpu, kib;
	char text[64] = {};
	int ret = 0;
	bool off;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	off = sysfs_streq(text, "off");
	if (!off && sscanf(text, "%u %u", &cpu, &kib) != 2)
		return -EINVAL;
	mutex_lock(&evict_lock);
	stop_walking();
	if (!off)
		ret = start_walking(cpu, kib);
	mutex_unlock(&evict_lock);
	return ret ?: size;
}

static int evict_show(struct seq_file *file, void *unused)
{
	seq_printf(file, "%lu\n", READ_ONCE(walks));
	return 0;
}

static int evict_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, evict_show, NULL);
}

const struct file_operations inject_evict_fops = {
	.owner = THIS_MODULE,
	.open = evict_open,
	.read = seq_read,
	.write = evict_write,
	.llseek = seq_lseek,
	.release = single_release,
};

void inject_evict_exit(void)
{
	stop_walking();
}
