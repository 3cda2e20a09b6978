// SPDX-License-Identifier: GPL-2.0
/*
 * Takes time from CPUs behind the kernel's back, on order, for tests. In debugfs'
 * klat_inject:
 *
 * smi    write "0 [COUNT [SPACING]]": SMIs to CPU 0, from the writer's CPU, which
 *        must be another; SPACING ticks from one to the next. One that comes while
 *        the one before waits to be taken is lost. Read: the stamp of each.
 * taken  how many SMIs CPU 0 has taken since it was reset, once it can be asked:
 *        interrupts have been on there between the read's begin and its end.
 * nmi    write "CPUS TICKS [COUNT [SPACING]]": to each of CPUS an NMI that takes
 *        TICKS; they wait for each other. Returns when they were taken. Read: a
 *        line "CPU BEGIN LENGTH" for each NMI of the last write, in ticks.
 * timer  on the deterministic machine, booted with nolapic_timer: a schedule, see
 *        inject_timer.c.
 * cost   likewise: what an SMI and an empty NMI take.
 * evict  write "CPU KIB": a thread on CPU walks KIB KiB of memory again and again,
 *        "off" ends it. Read: how often it has.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "drivers/core/clock.h"
#include "inject.h"

static struct dentry *directory;

int inject_pause(u64 ticks)
{
	u64 start = klat_clock();

	while (klat_clock() - start < ticks) {
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int __init inject_init(void)
{
	int ret;

	ret = inject_apic_init();
	if (ret)
		return ret;
	ret = inject_nmi_init();
	if (ret)
		return ret;
	ret = inject_smi_init();
	if (ret)
		goto err_nmi;
	ret = inject_timer_init();
	if (ret)
		goto err_smi;
	directory = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("smi", 0600, directory, NULL, &inject_smi_fops);
	debugfs_create_file("taken", 0400, directory, NULL, &inject_taken_fops);
	debugfs_create_file("nmi", 0600, directory, NULL, &inject_nmi_fops);
	debugfs_create_file("timer", 0600, directory, NULL, &inject_timer_fops);
	debugfs_create_file("cost", 0400, directory, NULL, &inject_cost_fops);
	debugfs_create_file("evict", 0600, directory, NULL, &inject_evict_fops);
	return 0;

err_smi:
	inject_smi_exit();
err_nmi:
	inject_nmi_exit();
	return ret;
}

static void __exit inject_exit(void)
{
	debugfs_remove(directory);
	inject_evict_exit();
	inject_timer_exit();
	inject_smi_exit();
	inject_nmi_exit();
}

module_init(inject_init);
module_exit(inject_exit);
MODULE_DESCRIPTION("klat: SMIs, NMIs and cache misses on order (test only)");
MODULE_LICENSE("GPL");
