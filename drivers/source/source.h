/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where interrupts come from: the contract between a benchmark and a source.
 *
 * A source raises one interrupt on a chosen CPU when it is told to, and calls
 * the benchmark's handler as the first thing in it. It is opened for one run
 * and closed after it; in between it holds a device, which it takes through the
 * driver core so that nobody else has it, and puts back as it found it.
 *
 * Time line of a shot, T on the trigger's CPU, I on the interrupt's:
 *
 *   T  klat_source_fire(), interrupts off
 *   T    shot->start = stamp, stored where the handler can see it
 *   T    the request: one write to the device
 *   T    interrupts on again (open), or stamp, flush and stamp (closed)
 *   I  handler(): its first statement is the closing stamp
 *
 * Losing the device: remove() of a PCI driver may run at any moment. It sets
 * gone, tells the benchmark through lost(), waits until no fire() is under way
 * (they run with interrupts off, hence under RCU), and lets go of the device.
 * After that fire() returns -ENODEV without touching anything.
 */
#ifndef KLAT_SOURCE_SOURCE_H
#define KLAT_SOURCE_SOURCE_H

#include <linux/interrupt.h>
#include <linux/irqflags.h>

#include "../core/clock.h"
#include "../core/refusal.h"
#include "../core/settings.h"

struct klat_source;

struct klat_shot {
	/* published for the handler */
	u64 start;
	/* for the trigger; 0 if not taken */
	u64 written;
	u64 flushed;
	/* how to fire */
	u64 block_ticks;	/* keep interrupts off this long after the request */
	bool flush;		/* read the device back */
	bool open;		/* interrupts on right after the request */
	bool hold;		/* leave them off: the caller is an interrupt itself */
};

/* A clock of the device that can raise the interrupt in a cycle, unasked */
enum klat_source_timer {
	KLAT_SOURCE_TARGETTIME,
	KLAT_SOURCE_TCPTIMER,
};

/* An interrupt that a timer of the device raised, as told to the handler */
struct klat_source_tick {
	s64 after_due_ns;	/* from its place on the device's grid to the stamp */
	u32 skipped;		/* cycles before it that had no interrupt */
};

/* A thing about the device that matters to the result, as klat_setting */
struct klat_source_fact {
	const char *name;
	bool is_asked;		/* the run needs it to be @asked */
	s64 asked;
	s64 effect;
};

struct klat_source_ops {
	/* Takes the device and its interrupt; all put back if it fails */
	int (*open)(struct klat_source *source, struct klat_refusal *refusal);
	/* Puts the device back; no handler runs after it has returned */
	void (*close)(struct klat_source *source);
	/*
	 * Raises the interrupt; called with interrupts off, returns with them on
	 * unless shot->hold
	 */
	int (*fire)(struct klat_source *source, struct klat_shot *shot);
	/* No handler runs, and none will, until resume() */
	void (*pause)(struct klat_source *source);
	void (*resume)(struct klat_source *source);
	/* Is the device still there? */
	bool (*present)(struct klat_source *source);
	/* The CPU that the interrupt goes to now, or KLAT_PIN_SEVERAL */
	int (*cpu)(struct klat_source *source);
	/*
	 * Fact number @i, false if there are not so many; NULL: none. @fact says
	 * at the call that 0 is asked.
	 */
	bool (*fact)(struct klat_source *source, unsigned int i,
		     struct klat_source_fact *fact);
	/*
	 * Has the device raise the interrupt every @period_ns from now on, until
	 * pause() or close(). NULL: sources without a device.
	 */
	int (*timer_start)(struct klat_source *source, enum klat_source_timer timer,
			   u64 period_ns, struct klat_refusal *refusal);
	/*
	 * In the handler: says where the interrupt at @stamp belongs, and readies
	 * the next. False for one that is none of the timer's.
	 */
	bool (*timer_served)(struct klat_source *source, u64 stamp,
			     struct klat_source_tick *tick);
};

struct klat_source {
	const struct klat_source_ops *ops;
	/* from the benchmark */
	const char *user;	/* its name: of the driver, the regions, the interrupt */
	const struct klat_clock_info *clock;
	struct module *owner;
	unsigned int cpu;	/* where the interrupt shall arrive */
	irq_handler_t handler;	/* hard, whatever the kernel's threading */
	irq_handler_t thread;	/* NULL if the handler is all */
	/* the device is gone or going: end the run; takes no lock, does not wait */
	void (*lost)(void *context, int error, const char *why);
	void *context;		/* of handler, thread and lost */
	/* from the source */
	const char *name;		/* "igb", "soft" */
	char device[KLAT_NAME_LEN];	/* "" if there is none */
	int irq;			/* -1 if it has no number */
	void *priv;
};

/*
 * Opens the source called @name ("" and "auto": the one device that a supported
 * source can have) on the device @bdf ("" if there is but one). The members from
 * the benchmark are filled in before.
 */
int klat_source_open(struct klat_source *source, const char *name, const char *bdf,
		     struct klat_refusal *refusal);
void klat_source_close(struct klat_source *source);

/* For the status: what it is called, and, while it is open, what is in effect */
void klat_source_names(const struct klat_source *source, struct klat_status *status);
void klat_source_settings(struct klat_source *source, struct klat_settings *settings);

/* Is @name a source, and does @bdf look like a PCI address? Changes nothing. */
int klat_source_check(const char *name, const char *bdf, struct klat_refusal *refusal);

/* The same for a configuration's members, of KLAT_NAME_LEN bytes each */
int klat_source_check_config(const char *name, const char *bdf,
			     struct klat_refusal *refusal);

/* As the operation; refuses for a source that has no timer of the kind */
int klat_source_timer_start(struct klat_source *source, enum klat_source_timer timer,
			    u64 period_ns, struct klat_refusal *refusal);

/* Can the source called @name tell when a request has reached the device? */
bool klat_source_can_flush(const char *name);

/*
 * Raises the interrupt. Interrupts are off from before the opening stamp until
 * after the request, so that nothing comes between the two.
 */
static inline int klat_source_fire(struct klat_source *source, struct klat_shot *shot)
{
	local_irq_disable();
	return source->ops->fire(source, shot);
}

#endif /* KLAT_SOURCE_SOURCE_H */
