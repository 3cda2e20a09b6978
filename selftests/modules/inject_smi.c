// SPDX-License-Identifier: GPL-2.0
/*
 * SMIs from the writer's CPU to CPU 0, and how many that CPU says it has taken.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

#include "drivers/core/clock.h"
#include "inject.h"

#define SENT_MAX	1024

static DEFINE_MUTEX(smi_lock);
static u64 *sent;
static unsigned int nr_sent;

static int send_smi(void)
{
	unsigned int here = get_cpu();
	u64 now = klat_clock();

	if (here != 0)
		inject_apic_send(INJECT_SMI, 0);
	put_cpu();
	if (here != 0 && nr_sent < SENT_MAX)
		sent[nr_sent++] = now;
	if (here == 0)
		pr_err("smi: must be written on another CPU than 0\n");
	return here == 0 ? -EINVAL : 0;
}

static ssize_t smi_write(struct file *filp, const char __user *from, size_t size, loff_t *pos)
{
	unsigned long long spacing = 0;
	unsigned int cpu, count = 1;
	char text[64] = {};
	int ret;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (sscanf(text, "%u %u %llu", &cpu, &count, &spacing) < 1)
		return -EINVAL;
	if (cpu != 0) {
		/* seen: such an SMI hangs the machine */
		pr_err("smi: CPU %u: must be 0, the only one that emulators' firmware prepares\n",
		       cpu);
		return -EINVAL;
	}
	if (!inject_apic_reaches(0))
		return -ENODEV;
	mutex_lock(&smi_lock);
	for (ret = 0; !ret && count; count--) {
		ret = send_smi();
		if (!ret && count > 1)
			ret = inject_pause(spacing);
	}
	mutex_unlock(&smi_lock);
	return ret ?: size;
}

static int smi_show(struct seq_file *file, void *unused)
{
	unsigned int i;

	mutex_lock(&smi_lock);
	for (i = 0; i < nr_sent; i++)
		seq_printf(file, "%llu\n", sent[i]);
	mutex_unlock(&smi_lock);
	return 0;
}

static int smi_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, smi_show, NULL);
}

const struct file_operations inject_smi_fops = {
	.owner = THIS_MODULE,
	.open = smi_open,
	.read = seq_read,
	.write = smi_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static void read_count(void *count)
{
	klat_rdmsr_safe(MSR_SMI_COUNT, count);
}

static int taken_show(struct seq_file *file, void *unused)
{
	u64 count = 0;

	smp_call_function_single(0, read_count, &count, true);
	seq_printf(file, "%llu\n", count);
	return 0;
}

static int taken_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, taken_show, NULL);
}

const struct file_operations inject_taken_fops = {
	.owner = THIS_MODULE,
	.open = taken_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

int inject_smi_init(void)
{
	sent = kvcalloc(SENT_MAX, sizeof(*sent), GFP_KERNEL);
	return sent ? 0 : -ENOMEM;
}

void inject_smi_exit(void)
{
	kvfree(sent);
}
