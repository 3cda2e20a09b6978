// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs that are claimed, so that the kernel does not wonder about them, and that
 * take a known time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <asm/nmi.h>

#include "drivers/core/clock.h"
#include "inject.h"

/* less than the patience of a lockup detector; more than 2^32 at 1 GHz */
#define TICKS_MAX	5000000000ULL
#define LOG_MAX		4096
/* looking at the clock is slow under an emulator: not more often than needed */
#define COARSE_TICKS	10000
#define COARSE_ROUNDS	1000

struct inject_order {
	bool ordered;
	u64 ticks;
	struct inject_spun spun;
};

static DEFINE_PER_CPU(struct inject_order, orders);
/* those of the order whose NMI has not come */
static atomic_t missing;

static DEFINE_MUTEX(nmi_lock);
static struct inject_spun *spun_log;
static unsigned int logged;

static void spin(u64 ticks)
{
	u64 start = klat_clock();
	u64 passed;

	while ((passed = klat_clock() - start) < ticks) {
		int i;

		if (ticks - passed < COARSE_TICKS)
			continue;
		for (i = 0; i < COARSE_ROUNDS; i++)
			barrier();
	}
}

static int inject_nmi(unsigned int type, struct pt_regs *regs)
{
	struct inject_order *order = this_cpu_ptr(&orders);
	u64 begin;

	if (!READ_ONCE(order->ordered))
		return NMI_DONE;
	begin = klat_clock();
	atomic_dec(&missing);
	while (atomic_read(&missing) > 0)
		cpu_relax();
	spin(order->ticks);
	order->spun.cpu = smp_processor_id();
	order->spun.begin = begin;
	order->spun.length = klat_clock() - begin;
	/* pairs with the acquire of who waits */
	smp_store_release(&order->ordered, false);
	return NMI_HANDLED;
}

bool inject_nmi_done(unsigned int cpu, struct inject_spun *spun)
{
	struct inject_order *order = per_cpu_ptr(&orders, cpu);

	/* pairs with the release in the handler */
	if (smp_load_acquire(&order->ordered))
		return false;
	*spun = order->spun;
	return true;
}

int inject_nmi_order(const struct cpumask *cpus, u64 ticks)
{
	struct inject_spun unused;
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (!inject_nmi_done(cpu, &unused))
			return -EBUSY;
	atomic_set(&missing, cpumask_weight(cpus));
	for_each_cpu(cpu, cpus) {
		per_cpu_ptr(&orders, cpu)->ticks = ticks;
		/* an NMI of somebody else may come at once: ticks first */
		smp_store_release(&per_cpu_ptr(&orders, cpu)->ordered, true);
	}
	return 0;
}

static int check_cpus(const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (!inject_apic_reaches(cpu))
			return -ENODEV;
	return cpumask_empty(cpus) ? -EINVAL : 0;
}

/* This CPU comes last: its NMI would keep it from sending to the others */
static void send_all(const struct cpumask *cpus)
{
	unsigned int here = get_cpu();
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (cpu != here)
			inject_apic_send(INJECT_NMI, cpu);
	if (cpumask_test_cpu(here, cpus))
		inject_apic_send(INJECT_NMI, here);
	put_cpu();
}

static int order_and_send(const struct cpumask *cpus, u64 ticks)
{
	unsigned int cpu;
	int ret;

	cpus_read_lock();
	ret = check_cpus(cpus) ?: inject_nmi_order(cpus, ticks);
	if (!ret)
		send_all(cpus);
	cpus_read_unlock();
	if (ret)
		return ret;
	for_each_cpu(cpu, cpus) {
		struct inject_spun spun;

		while (!inject_nmi_done(cpu, &spun))
			cond_resched();
		if (logged < LOG_MAX)
			spun_log[logged++] = spun;
	}
	return 0;
}

static int nmi_shots(char *text)
{
	unsigned long long ticks, spacing = 0;
	unsigned int count = 1;
	cpumask_var_t cpus;
	char list[32];
	int ret;

	if (sscanf(text, "%31s %llu %u %llu", list, &ticks, &count, &spacing) < 2)
		return -EINVAL;
	if (ticks > TICKS_MAX) {
		pr_err("nmi: %llu ticks: at most %llu\n", ticks, TICKS_MAX);
		return -EINVAL;
	}
	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	ret = cpulist_parse(list, cpus);
	if (ret)
		pr_err("nmi: %s: must be a list of CPUs (online: %*pbl)\n", list,
		       cpumask_pr_args(cpu_online_mask));
	logged = 0;
	for (; !ret && count; count--) {
		ret = order_and_send(cpus, ticks);
		if (!ret && count > 1)
			ret = inject_pause(spacing);
	}
	free_cpumask_var(cpus);
	return ret;
}

static ssize_t nmi_write(struct file *filp, const char __user *from, size_t size, loff_t *pos)
{
	char text[96] = {};
	int ret;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	mutex_lock(&nmi_lock);
	ret = nmi_shots(text);
	mutex_unlock(&nmi_lock);
	return ret ?: size;
}

static int nmi_show(struct seq_file *file, void *unused)
{
	unsigned int i;

	mutex_lock(&nmi_lock);
	for (i = 0; i < logged; i++)
		seq_printf(file, "%u %llu %llu\n", spun_log[i].cpu, spun_log[i].begin,
			   spun_log[i].length);
	mutex_unlock(&nmi_lock);
	return 0;
}

static int nmi_open(struct inode *inode, struct file *filp)
{
	return single_open(filp, nmi_show, NULL);
}

const struct file_operations inject_nmi_fops = {
	.owner = THIS_MODULE,
	.open = nmi_open,
	.read = seq_read,
	.write = nmi_write,
	.llseek = seq_lseek,
	.release = single_release,
};

int inject_nmi_init(void)
{
	int ret;

	spun_log = kvcalloc(LOG_MAX, sizeof(*spun_log), GFP_KERNEL);
	if (!spun_log)
		return -ENOMEM;
	ret = register_nmi_handler(NMI_LOCAL, inject_nmi, 0, KBUILD_MODNAME);
	if (ret)
		kvfree(spun_log);
	return ret;
}

void inject_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
	kvfree(spun_log);
}
