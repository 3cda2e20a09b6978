// SPDX-License-Identifier: GPL-2.0
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "../core/pin.h"
#include "shot.h"
#include "soft.h"

struct soft {
	struct klat_source *source;
	call_single_data_t ipi;		/* to another CPU */
	struct irq_work self;		/* to the own one: an IPI to it would be a call */
	/* stands in for the interrupt thread */
	struct task_struct *thread;
	/* how often it was asked to run, and how often it has */
	u32 asked;
	u32 served;
};

static void soft_interrupt(struct soft *soft)
{
	struct klat_source *source = soft->source;

	if (source->handler(source->irq, source->context) == IRQ_WAKE_THREAD && soft->thread) {
		WRITE_ONCE(soft->asked, soft->asked + 1);
		wake_up_process(soft->thread);
	}
}

static void soft_ipi(void *arg)
{
	soft_interrupt(arg);
}

static void soft_self(struct irq_work *work)
{
	soft_interrupt(container_of(work, struct soft, self));
}

static int soft_thread(void *arg)
{
	struct soft *soft = arg;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(soft->asked) != soft->served) {
			__set_current_state(TASK_RUNNING);
			soft->source->thread(soft->source->irq, soft->source->context);
			/* pairs with the acquire in soft_pause() */
			smp_store_release(&soft->served, soft->served + 1);
			continue;
		}
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static int soft_open(struct klat_source *source, struct klat_refusal *refusal)
{
	struct soft *soft;
	int ret;

	soft = kzalloc(sizeof(*soft), GFP_KERNEL);
	if (!soft)
		return klat_refuse(refusal, -ENOMEM, "not enough memory");
	soft->source = source;
	INIT_CSD(&soft->ipi, soft_ipi, soft);
	soft->self = IRQ_WORK_INIT_HARD(soft_self);
	if (source->thread) {
		soft->thread = klat_pin_thread(soft_thread, soft, source->cpu, source->user);
		if (IS_ERR(soft->thread)) {
			ret = PTR_ERR(soft->thread);
			kfree(soft);
			return klat_refuse(refusal, ret, "no thread on CPU %u (%d)",
					   source->cpu, ret);
		}
		wake_up_process(soft->thread);
	}
	source->priv = soft;
	return 0;
}

static void soft_nothing(void *unused)
{
}

/*
 * What was sent has been served when a later call to the same CPU returns. A
 * CPU that refuses is gone, and has served all it had before it went. The thread
 * is waited for as disable_irq() waits for a real one.
 */
static void soft_pause(struct klat_source *source)
{
	struct soft *soft = source->priv;

	smp_call_function_single(source->cpu, soft_nothing, NULL, true);
	irq_work_sync(&soft->self);
	/* pairs with the release in soft_thread() */
	while (soft->thread && smp_load_acquire(&soft->served) != READ_ONCE(soft->asked))
		schedule_timeout_uninterruptible(1);
}

static void soft_resume(struct klat_source *source)
{
}

static void soft_close(struct klat_source *source)
{
	struct soft *soft = source->priv;

	soft_pause(source);
	if (soft->thread)
		klat_pin_thread_stop(soft->thread);
	kfree(soft);
}

static int soft_fire(struct klat_source *source, struct klat_shot *shot)
{
	struct soft *soft = source->priv;
	int ret = 0;

	klat_shot_open_interval(shot);
	if (source->cpu == smp_processor_id())
		irq_work_queue(&soft->self);
	else
		ret = smp_call_function_single_async(source->cpu, &soft->ipi);
	if (!shot->open) {
		shot->written = klat_clock();
		klat_shot_block(shot, shot->written);
	}
	if (!shot->hold)
		local_irq_enable();
	return ret;
}

static bool soft_present(struct klat_source *source)
{
	return true;
}

static int soft_cpu(struct klat_source *source)
{
	return source->cpu;
}

const struct klat_source_ops klat_soft_ops = {
	.open = soft_open,
	.close = soft_close,
	.fire = soft_fire,
	.pause = soft_pause,
	.resume = soft_resume,
	.present = soft_present,
	.cpu = soft_cpu,
};
