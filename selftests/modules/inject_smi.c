// SPDX-License-Identifier: GPL-2.0
/*
 * SMIs from the writer's CPU to CPU 0.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "inject.h"

static int send_smi(void)
{
	unsigned int here = get_cpu();

	if (here != 0)
		inject_apic_send(INJECT_SMI, 0);
	put_cpu();
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
	for (; count; count--) {
		ret = send_smi();
		if (!ret && count > 1)
			ret = inject_pause(spacing);
		if (ret)
			return ret;
	}
	return size;
}

const struct file_operations inject_smi_fops = {
	.owner = THIS_MODULE,
	.write = smi_write,
};
