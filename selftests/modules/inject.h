/* SPDX-License-Identifier: GPL-2.0 */
/*
 * klat_inject: what takes time from a CPU behind the kernel's back, on order. Test
 * only, x86 only. Refuses in words in the kernel log, with an errno for the writer.
 */
#ifndef KLAT_SELFTESTS_INJECT_H
#define KLAT_SELFTESTS_INJECT_H

#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/types.h>

/* What the local APIC raises */
enum inject_kind {
	INJECT_SMI,
	INJECT_NMI,
};

/* EOPNOTSUPP in x2APIC mode: then the registers are no memory */
int inject_apic_init(void);
/* The registers of the CPU at hand */
u32 inject_apic_read(u32 reg);
void inject_apic_write(u32 reg, u32 value);
u32 inject_apic_mode(enum inject_kind kind);
/* Says so if not */
bool inject_apic_reaches(unsigned int cpu);
/* To @cpu, which may be this one */
void inject_apic_send(enum inject_kind kind, unsigned int cpu);

/* What an NMI did: the stamps are the first and the last thing in its handler */
struct inject_spun {
	u32 cpu;
	u64 begin;
	u64 length;
};

int inject_nmi_init(void);
void inject_nmi_exit(void);
/*
 * The next NMI on each of @cpus is ours. Those of one order wait for each other,
 * and spin for @ticks then. EBUSY while one of them has not come.
 */
int inject_nmi_order(const struct cpumask *cpus, u64 ticks);
/* Has it come on @cpu? Then what it did */
bool inject_nmi_done(unsigned int cpu, struct inject_spun *spun);

int inject_smi_init(void);
void inject_smi_exit(void);
int inject_timer_init(void);
void inject_timer_exit(void);
void inject_evict_exit(void);

/* The files */
extern const struct file_operations inject_smi_fops;
extern const struct file_operations inject_taken_fops;
extern const struct file_operations inject_nmi_fops;
extern const struct file_operations inject_timer_fops;
extern const struct file_operations inject_cost_fops;
extern const struct file_operations inject_evict_fops;

/* Passes @ticks, unless the writer is killed (EINTR) */
int inject_pause(u64 ticks);

#endif /* KLAT_SELFTESTS_INJECT_H */
