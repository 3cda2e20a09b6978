// SPDX-License-Identifier: GPL-2.0
/*
 * The least that an MSI measurement can be: stamp, write, stamp in the handler,
 * complete(), and a read() that returns the two stamps. The device is set up by
 * klat's own source; request and handler are bare.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "drivers/core/pin.h"
#include "drivers/source/pci.h"

static unsigned int period_us = 1000;
module_param(period_us, uint, 0444);

struct bare_stamps {
	u64 request;
	u64 handler;
};

struct bare {
	struct klat_source source;
	struct bare_stamps stamps;
	struct completion done;
	struct task_struct *trigger;
	struct miscdevice misc;
};

static struct bare bare;

static irqreturn_t bare_irq(int irq, void *context)
{
	struct bare *b = context;

	b->stamps.handler = klat_clock();
	complete(&b->done);
	return IRQ_HANDLED;
}

static void bare_lost(void *context, int error, const char *why)
{
}

static int bare_trigger(void *arg)
{
	struct klat_pci *pci = bare.source.priv;
	void __iomem *reg = pci->bar + pci->model->request_reg;
	u32 value = pci->model->request_value;
	ktime_t next = ktime_get();

	while (!kthread_should_stop()) {
		next = ktime_add_us(next, period_us);
		set_current_state(TASK_INTERRUPTIBLE);
		schedule_hrtimeout(&next, HRTIMER_MODE_ABS);
		WRITE_ONCE(bare.stamps.request, klat_clock());
		writel(value, reg);
	}
	return 0;
}

static ssize_t bare_read(struct file *filp, char __user *to, size_t size, loff_t *pos)
{
	if (size < sizeof(bare.stamps))
		return -EINVAL;
	if (wait_for_completion_interruptible(&bare.done))
		return -ERESTARTSYS;
	if (copy_to_user(to, &bare.stamps, sizeof(bare.stamps)))
		return -EFAULT;
	return sizeof(bare.stamps);
}

static const struct file_operations bare_fops = {
	.owner = THIS_MODULE,
	.read = bare_read,
};

static int __init bare_init(void)
{
	struct klat_refusal refusal = {};
	int ret;

	init_completion(&bare.done);
	bare.source = (struct klat_source){
		.user = KBUILD_MODNAME,
		.owner = THIS_MODULE,
		.handler = bare_irq,
		.lost = bare_lost,
		.context = &bare,
	};
	ret = klat_source_open(&bare.source, "auto", "", &refusal);
	if (ret) {
		pr_err("%s\n", refusal.text);
		return ret;
	}
	bare.misc.minor = MISC_DYNAMIC_MINOR;
	bare.misc.name = KBUILD_MODNAME;
	bare.misc.fops = &bare_fops;
	ret = misc_register(&bare.misc);
	if (ret)
		goto err_source;
	bare.trigger = klat_pin_thread(bare_trigger, NULL, 0, KBUILD_MODNAME);
	if (IS_ERR(bare.trigger)) {
		ret = PTR_ERR(bare.trigger);
		goto err_misc;
	}
	wake_up_process(bare.trigger);
	return 0;

err_misc:
	misc_deregister(&bare.misc);
err_source:
	klat_source_close(&bare.source);
	return ret;
}

static void __exit bare_exit(void)
{
	klat_pin_thread_stop(bare.trigger);
	misc_deregister(&bare.misc);
	klat_source_close(&bare.source);
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_DESCRIPTION("klat: a bare MSI measurement to compare with (test only)");
MODULE_LICENSE("GPL");
