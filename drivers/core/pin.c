// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>

#include "pin.h"

static int only_cpu(const struct cpumask *mask)
{
	if (!mask || cpumask_weight(mask) != 1)
		return KLAT_PIN_SEVERAL;
	return cpumask_first(mask);
}

static irqreturn_t unwanted(int irq, void *context)
{
	return IRQ_NONE;
}

/*
 * MSIs that cannot be masked are active from their allocation on: a move would
 * take effect with the next interrupt only, which still comes to the old CPU.
 * Being requested and freed makes an interrupt inactive.
 */
static int make_inactive(int irq)
{
	int ret;

	if (!irqd_is_activated(irq_get_irq_data(irq)))
		return 0;
	ret = request_irq(irq, unwanted, IRQF_NO_AUTOEN, "klat", unwanted);
	if (!ret)
		free_irq(irq, unwanted);
	return ret;
}

int klat_pin_irq(int irq, unsigned int cpu)
{
	int ret;

	ret = make_inactive(irq);
	return ret ?: irq_set_affinity(irq, cpumask_of(cpu));
}

int klat_pin_irq_cpu(int irq)
{
	return only_cpu(irq_get_effective_affinity_mask(irq));
}

struct task_struct *klat_pin_ordinary_thread(int (*function)(void *), void *arg,
					     unsigned int cpu, const char *name)
{
	struct task_struct *thread;

	thread = kthread_create_on_node(function, arg, cpu_to_node(cpu), "%s/%u", name, cpu);
	if (IS_ERR(thread))
		return thread;
	kthread_bind(thread, cpu);
	return get_task_struct(thread);
}

struct task_struct *klat_pin_thread(int (*function)(void *), void *arg,
				    unsigned int cpu, const char *name)
{
	struct task_struct *thread;

	thread = klat_pin_ordinary_thread(function, arg, cpu, name);
	if (!IS_ERR(thread))
		sched_set_fifo(thread);
	return thread;
}

void klat_pin_thread_stop(struct task_struct *thread)
{
	kthread_stop(thread);
	put_task_struct(thread);
}

/* One that is going is left to those who stop its threads */
void klat_pin_back(unsigned int cpu)
{
	if (cpu_active(cpu))
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

int klat_pin_thread_cpu(struct task_struct *thread)
{
	return only_cpu(thread->cpus_ptr);
}
