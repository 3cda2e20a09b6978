/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Putting interrupts and threads on a CPU, and finding out where they really
 * are: an interrupt controller may refuse, and the administrator may move an
 * interrupt afterwards.
 */
#ifndef KLAT_CORE_PIN_H
#define KLAT_CORE_PIN_H

#include <linux/sched.h>
#include <linux/smp.h>

/* "not on one CPU", in klat_setting */
#define KLAT_PIN_SEVERAL	(-1)

/*
 * Moves interrupt @irq, which nobody has requested yet, to @cpu: its first one
 * will come there. An errno if the controller will not.
 */
int klat_pin_irq(int irq, unsigned int cpu);

/* The CPU that @irq is delivered to, or KLAT_PIN_SEVERAL */
int klat_pin_irq_cpu(int irq);

#define KLAT_PIN_PRIORITY	50

/*
 * Creates (does not start) a kernel thread on @cpu, SCHED_FIFO priority
 * KLAT_PIN_PRIORITY as interrupt threads have it. The caller holds a reference:
 * kthread_stop() then works whether the thread has ended by itself or not, and
 * what it ran on can be asked after it; put_task_struct() gives it up.
 * klat_pin_thread_stop() does both.
 */
struct task_struct *klat_pin_thread(int (*function)(void *), void *arg,
				    unsigned int cpu, const char *name);
/* The same at SCHED_OTHER */
struct task_struct *klat_pin_ordinary_thread(int (*function)(void *), void *arg,
					     unsigned int cpu, const char *name);
void klat_pin_thread_stop(struct task_struct *thread);
void klat_pin_back(unsigned int cpu);

/*
 * For the pinned thread itself, where nothing is measured: back to its @cpu. The kernel
 * pushes it off a CPU that is about to go, and leaves it at that if the CPU stays after
 * all.
 */
static inline void klat_pin_again(unsigned int cpu)
{
	if (unlikely(raw_smp_processor_id() != cpu))
		klat_pin_back(cpu);
}

/* The CPU that @thread may, or might, run on, or KLAT_PIN_SEVERAL */
int klat_pin_thread_cpu(struct task_struct *thread);

#endif /* KLAT_CORE_PIN_H */
