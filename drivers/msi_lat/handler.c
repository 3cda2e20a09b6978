// SPDX-License-Identifier: GPL-2.0
/*
 * The measured interrupt. The entry points do nothing but stamp and pass on, so
 * that no saving of registers comes before the stamp; what follows is outside
 * of the measured interval.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>

#include "../core/run.h"
#include "../core/worst.h"
#include "msi_lat.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

static __always_inline u64 published(struct msi_lat_hot *hot, u64 raw)
{
	if (likely(raw >= hot->offset))
		return raw - hot->offset;
	hot->clipped++;
	return 0;
}

static void new_worst(struct msi_lat *msi, struct klat_series *series, u64 value)
{
	klat_worst_record(series, msi->exchange.seq, value, &msi->hot.delta);
}

static noinline void over_limit(struct msi_lat *msi, u64 raw)
{
	klat_run_over_limit(&msi->bench, msi->exchange.seq, raw, msi->config.limit_ns,
			    msi->config.flags & KLAT_MSI_LAT_FLAG_FREEZE_TRACE);
}

static __always_inline void read_disturb(struct msi_lat *msi)
{
	if (msi->watch.disturb)
		klat_disturb_sample(&msi->watch.meter, &msi->hot.delta);
}

/* Counts the value that the run is about, and puts it where it can be read */
static __always_inline bool count_sample(struct msi_lat *msi, struct klat_series *series,
					 u64 now, u64 raw, u64 value)
{
	struct msi_lat_hot *hot = &msi->hot;
	unsigned int cpu = raw_smp_processor_id();
	bool worst = klat_series_add(series, value);

	klat_ring_push_same(hot->ring, msi->exchange.seq, now, raw, cpu);
	klat_bench_sample_ready();
	if (unlikely(cpu != hot->cpu))
		hot->elsewhere++;
	return worst;
}

static noinline irqreturn_t wake(struct task_struct *reader)
{
	wake_up_process(reader);
	return IRQ_HANDLED;
}

/* The trigger may fire again, and the reader shall have the sample */
static __always_inline irqreturn_t release_sample(struct msi_lat *msi)
{
	struct task_struct *reader;

	/* pairs with the acquire in the trigger */
	smp_store_release(&msi->exchange.pending, false);
	reader = klat_bench_reader(&msi->bench);
	return reader ? wake(reader) : IRQ_HANDLED;
}

/* What may come on top of counting: see wants_extras() */
static __always_inline void do_extras(struct msi_lat *msi, u64 now, u64 raw)
{
	msi->hot.told.seq = msi->exchange.seq;
	msi->hot.told.ticks = raw;
	trace_msi_lat_sample(msi->exchange.seq, now, raw);
	if (unlikely(raw > msi->hot.limit))
		over_limit(msi, raw);
	klat_bench_wake_pollers(&msi->bench);
}

/* extras_above is the limit, or less if each sample has extras */
static __always_inline bool wants_extras(struct msi_lat *msi, u64 raw)
{
	return raw > msi->hot.extras_above || klat_bench_polled(&msi->bench) ||
	       trace_msi_lat_sample_enabled();
}

/* False for an interrupt that nobody asked for */
static __always_inline bool expected(struct msi_lat *msi)
{
	/* pairs with the release in the trigger */
	if (likely(smp_load_acquire(&msi->exchange.pending)))
		return true;
	msi->hot.unexpected++;
	return false;
}

static noinline irqreturn_t finish_with_extras(struct msi_lat *msi, u64 raw, u64 value,
					       bool worst)
{
	u64 now = msi->exchange.shot.start + raw;

	read_disturb(msi);
	if (worst)
		new_worst(msi, msi->hot.latency, value);
	do_extras(msi, now, raw);
	return release_sample(msi);
}

/*
 * Takes its arguments in an order that leaves @msi in the register that the
 * entry point got it in, and calls others only as its last act: it then needs
 * neither a stack frame nor saved registers.
 */
static noinline irqreturn_t arrived(u64 now, struct msi_lat *msi)
{
	u64 raw, value;
	bool worst;

	if (!expected(msi))
		return IRQ_HANDLED;
	raw = now - msi->exchange.shot.start;
	value = published(&msi->hot, raw);
	worst = count_sample(msi, msi->hot.latency, now, raw, value);
	if (unlikely(worst || wants_extras(msi, raw)))
		return finish_with_extras(msi, raw, value, worst);
	return release_sample(msi);
}

irqreturn_t msi_lat_irq(int irq, void *context)
{
	return arrived(klat_clock(), context);
}

/* Mode thread: the hard half, which leaves to the thread all that can wait */
static noinline irqreturn_t first_arrived(u64 now, struct msi_lat *msi)
{
	struct msi_lat_hot *hot = &msi->hot;
	u64 value;

	if (!expected(msi))
		return IRQ_HANDLED;
	/* another one while the thread has yet to serve the first: nobody's */
	if (unlikely(hot->claimed)) {
		hot->unexpected++;
		return IRQ_HANDLED;
	}
	hot->claimed = true;
	hot->handled = now;
	value = published(hot, now - msi->exchange.shot.start);
	hot->worst_latency = klat_series_add(hot->latency, value) ? value : 0;
	return IRQ_WAKE_THREAD;
}

irqreturn_t msi_lat_irq_first(int irq, void *context)
{
	return first_arrived(klat_clock(), context);
}

/* Mode thread: the thread */
static noinline irqreturn_t thread_arrived(u64 now, struct msi_lat *msi)
{
	struct msi_lat_hot *hot = &msi->hot;
	u64 raw = now - msi->exchange.shot.start;
	u64 value = published(hot, raw);
	u64 since_handler = now - hot->handled;
	bool worst, worst_thread;

	/* the series' writers may not be interrupted */
	local_irq_disable();
	worst = count_sample(msi, hot->service, now, raw, value);
	worst_thread = klat_series_add(hot->thread, since_handler);
	read_disturb(msi);
	if (unlikely(hot->worst_latency))
		new_worst(msi, hot->latency, hot->worst_latency);
	if (unlikely(worst))
		new_worst(msi, hot->service, value);
	if (unlikely(worst_thread))
		new_worst(msi, hot->thread, since_handler);
	do_extras(msi, now, raw);
	hot->claimed = false;
	release_sample(msi);
	local_irq_enable();
	return IRQ_HANDLED;
}

irqreturn_t msi_lat_irq_thread(int irq, void *context)
{
	return thread_arrived(klat_clock(), context);
}
