// SPDX-License-Identifier: GPL-2.0
/*
 * Not verified on silicon, and no emulator has it. Pages are those of the I210
 * datasheet: the TCP timer is on p. 333, reading SYSTIM on p. 349.
 *
 * Both timers run on the device's oscillator. Where an interrupt belongs is known
 * on the device's clock (SYSTIM) only, so the handler reads it, after its stamp,
 * between two stamps: no rate between the two clocks needs to be known, the two
 * readings being a few microseconds apart. The device takes its time when SYSTIMR
 * is read, somewhere between the two stamps: half of their distance is the
 * uncertainty (setting clock_read_ns is the whole, the least seen).
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "igb.h"
#include "igb_regs.h"
#include "igb_timer.h"

/* ahead of now: room for setting it up */
#define LEAD_NS		NSEC_PER_MSEC

/* What came in between (an SMI, a busy link) would be taken for a deviation */
#define READ_TRIES	4

/* Has the device hold its time, between two stamps: as near as in few tries */
static void hold_clock(struct klat_pci *pci, u64 *before, u64 *after)
{
	u64 least = klat_ns_to_ticks(pci->source->clock, pci->timer.reading_ns);
	int tries = 0;

	do {
		*before = klat_clock();
		klat_pci_read(pci, IGB_SYSTIMR);
		*after = klat_clock();
	} while (least && *after - *before > 2 * least && ++tries < READ_TRIES);
}

/* SYSTIM, and the stamp that belongs to it; false if the device is not there */
static bool read_clock(struct klat_pci *pci, u64 *systim, u64 *stamp)
{
	u64 before, after, reading;
	u32 ns, s;

	hold_clock(pci, &before, &after);
	ns = klat_pci_read(pci, IGB_SYSTIML);
	s = klat_pci_read(pci, IGB_SYSTIMH);
	if (ns >= NSEC_PER_SEC || s == IGB_ALL)
		return false;
	reading = klat_ticks_to_ns(pci->source->clock, after - before);
	if (!pci->timer.reading_ns || reading < pci->timer.reading_ns)
		pci->timer.reading_ns = reading;
	*systim = s * (u64)NSEC_PER_SEC + ns;
	*stamp = before + (after - before) / 2;
	return true;
}

/*
 * Whether a target that has passed by the time EN_TT0 is set still interrupts is
 * not documented: if not, the benchmark's watch for silence ends the run.
 */
static void set_target(struct klat_pci *pci, u64 target)
{
	u32 ns, control = klat_pci_read(pci, IGB_TSAUXC);
	u64 s = div_u64_rem(target, NSEC_PER_SEC, &ns);

	klat_pci_write(pci, IGB_TRGTTIML0, ns);
	klat_pci_write(pci, IGB_TRGTTIMH0, s);
	klat_pci_write(pci, IGB_TSAUXC, control | IGB_TSAUXC_EN_TT0);
}

static void start_target_time(struct klat_pci *pci)
{
	klat_pci_read(pci, IGB_TSICR);
	klat_pci_write(pci, IGB_IVAR_MISC, IGB_IVAR_OTHER);
	klat_pci_write(pci, IGB_TSIM, IGB_TS_TT0);
	klat_pci_write(pci, klat_igb_family(pci)->ims, IGB_CAUSE_TIME_SYNC);
	set_target(pci, pci->timer.due);
}

static void start_tcp_timer(struct klat_pci *pci)
{
	u32 ms = div_u64(pci->timer.period, NSEC_PER_MSEC);

	klat_pci_write(pci, IGB_IVAR_MISC, IGB_IVAR_TCPTIMER);
	klat_pci_write(pci, IGB_TCPTIMER, ms | IGB_TCPTIMER_LOOP);
	klat_pci_write(pci, IGB_TCPTIMER, ms | IGB_TCPTIMER_LOOP | IGB_TCPTIMER_ENABLE |
					  IGB_TCPTIMER_KICK);
}

/* What the timers change, besides IVAR_MISC, which disarm() puts back */
static const u32 saved_regs[KLAT_PCI_TIMER_SAVED_REGS] = {
	IGB_TSAUXC, IGB_TSIM, IGB_TRGTTIML0, IGB_TRGTTIMH0, IGB_TCPTIMER,
};

static void save_registers(struct klat_pci *pci)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(saved_regs); i++)
		pci->timer.saved[i] = klat_pci_read(pci, saved_regs[i]);
}

static int check_period(enum klat_source_timer timer, u64 period_ns,
			struct klat_refusal *refusal)
{
	if (timer == KLAT_SOURCE_TCPTIMER &&
	    (period_ns % NSEC_PER_MSEC || period_ns > IGB_TCPTIMER_MAX_MS * NSEC_PER_MSEC))
		return klat_refuse(refusal, -EINVAL,
				   "period_ns = %llu: timer tcptimer does whole milliseconds, 1 .. %u",
				   period_ns, IGB_TCPTIMER_MAX_MS);
	return 0;
}

int klat_igb_timer_start(struct klat_pci *pci, enum klat_source_timer timer, u64 period_ns,
			 struct klat_refusal *refusal)
{
	u64 now, stamp;
	int ret;

	ret = check_period(timer, period_ns, refusal);
	if (ret)
		return ret;
	save_registers(pci);
	pci->timer.kind = timer;
	pci->timer.active = true;
	klat_pci_write(pci, IGB_TSAUXC,
		       pci->timer.saved[0] & ~(IGB_TSAUXC_DISABLE | IGB_TSAUXC_EN_TT0));
	if (!read_clock(pci, &now, &stamp)) {
		klat_igb_timer_stop(pci);
		return klat_refuse(refusal, -EIO, "%s: its clock does not answer",
				   pci_name(pci->pdev));
	}
	pci->timer.period = period_ns;
	pci->timer.due = now + LEAD_NS + period_ns;
	pci->timer.placed = timer == KLAT_SOURCE_TARGETTIME;
	if (timer == KLAT_SOURCE_TARGETTIME)
		start_target_time(pci);
	else
		start_tcp_timer(pci);
	return 0;
}

/* The next place that can still be met; the cycles in between are lost */
static u32 advance(struct klat_pci_timer *timer, u64 now)
{
	u64 skipped = 0;

	timer->due += timer->period;
	if (timer->due <= now)
		skipped = div64_u64(now - timer->due, timer->period) + 1;
	timer->due += skipped * timer->period;
	return min_t(u64, skipped, U32_MAX);
}

/* Asked once an interrupt: the read clears. All ones: the device is gone. */
static bool is_target_time(struct klat_pci *pci)
{
	u32 causes = klat_pci_read(pci, IGB_TSICR);

	return causes != IGB_ALL && causes & IGB_TS_TT0;
}

bool klat_igb_timer_served(struct klat_pci *pci, u64 stamp, struct klat_source_tick *tick)
{
	struct klat_pci_timer *timer = &pci->timer;
	u64 now, at, arrived;

	if (timer->kind == KLAT_SOURCE_TARGETTIME && !is_target_time(pci))
		return false;
	if (!read_clock(pci, &now, &at))
		return false;
	arrived = now - klat_ticks_to_ns(pci->source->clock, at - stamp);
	/* where the TCP timer's grid lies is not known before its first interrupt */
	if (!timer->placed)
		timer->due = arrived;
	timer->placed = true;
	tick->skipped = timer->skipped;
	tick->after_due_ns = arrived - timer->due;
	timer->skipped = advance(timer, now);
	if (timer->kind == KLAT_SOURCE_TARGETTIME) {
		klat_pci_read(pci, klat_igb_family(pci)->icr);
		set_target(pci, timer->due);
	}
	return true;
}

void klat_igb_timer_stop(struct klat_pci *pci)
{
	size_t i;

	if (!pci->timer.active)
		return;
	pci->timer.active = false;
	/* the target is written while nothing compares with it */
	klat_pci_write(pci, IGB_TSAUXC, pci->timer.saved[0] & ~IGB_TSAUXC_EN_TT0);
	for (i = ARRAY_SIZE(saved_regs); i-- > 0;)
		klat_pci_write(pci, saved_regs[i], pci->timer.saved[i]);
	klat_pci_read(pci, IGB_TSICR);
}
