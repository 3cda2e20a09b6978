/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What else happens on a CPU: system management interrupts, non-maskable
 * interrupts, other interrupts, clock frequency, time stolen by a hypervisor.
 */
#ifndef KLAT_CORE_DISTURB_H
#define KLAT_CORE_DISTURB_H

#include <linux/types.h>
#include <klat/klat.h>

/* The counters as they stand; the narrow ones wrap, which differences survive */
struct klat_disturb_reading {
	u32 smi;
	u32 nmi;
	u32 irq;
	u64 aperf;
	u64 mperf;
};

/* One CPU's counters, and what one run made of them */
struct klat_disturb_meter {
	u32 known;		/* KLAT_KNOWN_* that can be read on the CPU */
	u32 cpu;		/* the CPU of @last */
	u32 own;		/* interrupts a sample that the measurement itself causes */
	struct klat_disturb_reading last;
	struct klat_disturb sum;	/* differences added up */
};

/* Finds out what @cpu can tell and takes the first reading there */
void klat_disturb_start(struct klat_disturb_meter *meter, unsigned int cpu);

/*
 * The difference since the reading before, into @delta. On the measuring CPU,
 * in its interrupt handler: the measurement's own interrupts (one, unless the
 * meter's user sets more) are left out. A reading on another CPU than the one
 * before has nothing to compare with: all is unknown.
 */
void klat_disturb_sample(struct klat_disturb_meter *meter, struct klat_disturb *delta);

/* Nothing is known since the reading before: the next one starts afresh */
void klat_disturb_skip(struct klat_disturb_meter *meter);

/* Adds @from; what is not known of both is not known of the sum */
void klat_disturb_add(struct klat_disturb *into, const struct klat_disturb *from);

/*
 * Nanoseconds stolen from @cpu since boot. False if none was ever stolen from any
 * CPU: whether a hypervisor would say so cannot be asked of the kernel, and where
 * one does, booting alone has some.
 */
bool klat_disturb_steal(unsigned int cpu, u64 *ns);

/* Ticks that klat_disturb_sample() takes, the least of many, on this CPU */
u64 klat_disturb_cost(void);

#endif /* KLAT_CORE_DISTURB_H */
