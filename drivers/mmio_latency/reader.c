// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that reads the register: a burst of reads, then, outside of all
 * measured intervals, the question whether the device was there, the counting,
 * and sleep.
 */
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "../core/pin.h"
#include "../core/report.h"
#include "../core/run.h"
#include "count.h"
#include "mmio_latency.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

static bool must_stop(struct mmio_latency *mmio)
{
	return klat_run_must_stop(&mmio->bench) || kthread_should_stop();
}

/* Ordered reads: the stamp after it waits until the value is there */
static __always_inline u64 read_register(const u8 __iomem *reg, unsigned int width)
{
	switch (width) {
	case 1:
		return readb(reg);
	case 2:
		return readw(reg);
	case 4:
		return readl(reg);
	default:
		return readq(reg);
	}
}

/*
 * Up to @most reads, each with its two stamps, ended early by one above the
 * limit. The stamps are stored with interrupts on again: an interrupt is only
 * taken from the second instruction on after they were enabled.
 */
static __always_inline unsigned int burst_of(struct mmio_reader *reader,
					     const u8 __iomem *reg, unsigned int most,
					     unsigned int width, bool block_irq)
{
	u64 limit = reader->limit, start, value, end;
	unsigned int i = 0;

	do {
		if (block_irq)
			local_irq_disable();
		start = klat_clock();
		value = read_register(reg, width);
		end = klat_clock();
		if (block_irq)
			local_irq_enable();
		reader->reading[i].start = start;
		reader->reading[i].end = end;
	} while (++i < most && likely(end - start <= limit));
	reader->last = value;
	return i;
}

/* The loop exists once for each width, so that nothing is decided within it */
static unsigned int burst(struct mmio_latency *mmio, unsigned int most)
{
	bool block_irq = mmio->config.flags & KLAT_MMIO_LATENCY_FLAG_BLOCK_IRQ;
	const u8 __iomem *reg = mmio->device.reg;
	struct mmio_reader *reader = &mmio->reader;

	switch (mmio->config.width) {
	case 1:
		return block_irq ? burst_of(reader, reg, most, 1, true) :
				   burst_of(reader, reg, most, 1, false);
	case 2:
		return block_irq ? burst_of(reader, reg, most, 2, true) :
				   burst_of(reader, reg, most, 2, false);
	case 4:
		return block_irq ? burst_of(reader, reg, most, 4, true) :
				   burst_of(reader, reg, most, 4, false);
	default:
		return block_irq ? burst_of(reader, reg, most, 8, true) :
				   burst_of(reader, reg, most, 8, false);
	}
}

/*
 * What happened on this CPU since the burst before, for those of the worst list.
 * Interrupts are off, as the series' writers want it, too.
 */
static const struct klat_disturb *read_disturb(struct mmio_latency *mmio,
					       struct klat_disturb *delta)
{
	if (mmio->config.flags & KLAT_MMIO_LATENCY_FLAG_NO_DISTURB)
		return NULL;
	klat_disturb_sample(&mmio->watch.meter, delta);
	return delta;
}

/* The first of a burst has no gap before it */
static void count_readings(struct mmio_latency *mmio, u64 seq, unsigned int nr)
{
	struct mmio_reader *reader = &mmio->reader;
	const struct mmio_reading *reading = reader->reading;
	const struct mmio_reading *last = &reading[nr - 1];
	u64 start = reading->start, end = reading->end, gap;
	const struct klat_disturb *disturb;
	unsigned int cpu = mmio->config.cpu;
	struct klat_disturb delta;

	local_irq_disable();
	disturb = read_disturb(mmio, &delta);
	mmio_count_read(reader, seq, end, end - start, cpu, disturb);
	while (reading++ < last) {
		seq++;
		start = reading->start;
		gap = start - end;
		end = reading->end;
		mmio_count(&reader->gap, seq, gap, disturb);
		mmio_count_read(reader, seq, end, end - start, cpu, disturb);
	}
	local_irq_enable();
}

static noinline void trace_readings(const struct mmio_reading *reading, u64 seq,
				    unsigned int nr)
{
	for (; nr; nr--, seq++, reading++)
		trace_mmio_latency_sample(seq, reading->end, reading->end - reading->start);
}

/* @nr readings, the first of which has the number @seq */
static void count_burst(struct mmio_latency *mmio, u64 seq, unsigned int nr)
{
	struct mmio_reader *reader = &mmio->reader;
	const struct mmio_reading *last = &reader->reading[nr - 1];
	u64 took = last->end - last->start;

	reader->value = reader->last;
	count_readings(mmio, seq, nr);
	if (trace_mmio_latency_sample_enabled())
		trace_readings(reader->reading, seq, nr);
	/* none but the last can be: a burst ends with it */
	if (unlikely(took > reader->limit))
		klat_run_over_limit(&mmio->bench, seq + nr - 1, took, mmio->config.limit_ns,
				    mmio->config.flags & KLAT_MMIO_LATENCY_FLAG_FREEZE_TRACE);
	klat_bench_wake_readers(&mmio->bench);
	if (mmio->bench.report.verbosity == KLAT_SAY_SAMPLES)
		klat_report_sample(&mmio->bench, seq + nr - 1, took);
}

static void end_lost(struct mmio_latency *mmio, const char *away)
{
	klat_run_end(&mmio->bench, KLAT_FAILED, ENODEV, 0, "device lost: %s", away);
}

static unsigned int most_reads(const struct mmio_latency *mmio)
{
	u64 left = (u64)mmio->config.count - mmio->reader.fired;

	if (mmio->config.count < 0 || left > mmio->config.burst)
		return mmio->config.burst;
	return left;
}

/*
 * Asked before, so that a device that is away is not read, and after: what was
 * read from one that is away by then counts for nothing.
 */
static void one_burst(struct mmio_latency *mmio)
{
	struct mmio_device *device = &mmio->device;
	struct mmio_reader *reader = &mmio->reader;
	const char *away = NULL;
	u64 seq = reader->fired;
	unsigned int nr = 0;

	mutex_lock(&device->lock);
	if (!device->gone && !device->probing) {
		away = mmio_device_away(device);
		if (!away) {
			nr = burst(mmio, most_reads(mmio));
			away = mmio_device_away(device);
		}
	}
	mutex_unlock(&device->lock);

	reader->fired += nr;
	if (away) {
		reader->discarded += nr;
		end_lost(mmio, away);
	} else if (nr) {
		count_burst(mmio, seq, nr);
	}
}

static bool finished(const struct mmio_latency *mmio)
{
	return mmio->config.count > 0 && mmio->reader.fired >= mmio->config.count;
}

/* At least as long as the burst took: others on this CPU get their half of it */
static void pause(struct mmio_latency *mmio, u64 burst_ns)
{
	ktime_t until = ktime_add_ns(ktime_get(), max(mmio->config.pause_ns, burst_ns));

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (must_stop(mmio) || !schedule_hrtimeout(&until, HRTIMER_MODE_ABS_PINNED))
			break;
	}
	__set_current_state(TASK_RUNNING);
}

int mmio_latency_reader(void *arg)
{
	struct mmio_latency *mmio = arg;
	u64 since, burst_ns = 0;

	while (!finished(mmio)) {
		pause(mmio, burst_ns);
		if (must_stop(mmio) || klat_watch_clock_bad(&mmio->bench, &mmio->watch))
			return 0;
		klat_pin_again(mmio->config.cpu);
		since = ktime_get_ns();
		one_burst(mmio);
		burst_ns = ktime_get_ns() - since;
	}
	/* to no effect if the last burst has ended it in another way */
	klat_run_end(&mmio->bench, KLAT_DONE, 0, 0, "all reads were made");
	return 0;
}
