// SPDX-License-Identifier: GPL-2.0
/*
 * The text for people: debugfs' current_value and the kernel log. The lines of
 * the results block are those of Intel ECI's msi_lat, without a prefix.
 */
#define pr_fmt(fmt) fmt

#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../core/run.h"
#include "msi_lat.h"

#define REPORT_SIZE	1024

static const char *const state_names[] = {
	[KLAT_IDLE] = "IDLE",
	[KLAT_RUNNING] = "RUNNING",
	[KLAT_DONE] = "DONE",
	[KLAT_STOPPED] = "STOPPED",
	[KLAT_FAILED] = "FAILED",
};

/* The series that the run is about */
static u32 main_series(const struct msi_lat *msi)
{
	return msi->config.mode == KLAT_MSI_LAT_MODE_THREAD ? KLAT_MSI_LAT_SERVICE :
							      KLAT_MSI_LAT_LATENCY;
}

static void report_values(struct msi_lat *msi, struct klat_series *series,
			  struct seq_buf *text)
{
	const struct klat_clock_info *clock = &msi->bench.clock;

	if (!series->count) {
		seq_buf_printf(text, "* no data\n");
		return;
	}
	seq_buf_printf(text, "* Max: %llu\n", klat_ticks_to_ns(clock, series->max));
	seq_buf_printf(text, "* Avg: %llu\n",
		       klat_ticks_to_ns(clock, klat_series_mean(series)));
	seq_buf_printf(text, "* Min: %llu\n", klat_ticks_to_ns(clock, series->min));
}

static void report_counts(struct msi_lat *msi, u64 seen, struct seq_buf *text)
{
	if (msi->config.count > 0)
		seq_buf_printf(text, "* Interrupts asked: %lld\n", msi->config.count);
	else
		seq_buf_printf(text, "* Interrupts asked: without end\n");
	seq_buf_printf(text, "* Interrupts seen: %llu\n", seen);
	seq_buf_printf(text, "* Missed periods: %llu\n", msi->missed + msi->late);
	seq_buf_printf(text, "* Unanswered: %llu\n", msi->unanswered);
	if (msi->hot.elsewhere)
		seq_buf_printf(text, "* On another CPU than asked: %llu\n",
			       msi->hot.elsewhere);
	if (msi->hot.clipped)
		seq_buf_printf(text, "* Clipped to 0 by offsetStart: %llu\n",
			       msi->hot.clipped);
}

static void report_state(struct msi_lat *msi, struct seq_buf *text)
{
	const struct klat_run *run = &msi->bench.run;

	seq_buf_printf(text, "* State: %s", state_names[run->state]);
	if (run->state > KLAT_RUNNING)
		seq_buf_printf(text, " (%s)", run->outcome.message);
	seq_buf_printf(text, "\n");
	if (run->flags & KLAT_RUN_CLOCK_UNSTABLE)
		seq_buf_printf(text, "* INVALID: the clock is unstable\n");
}

/* Under bench->lock */
static int compose(struct msi_lat *msi, struct seq_buf *text)
{
	struct klat_series *series;
	int ret;

	series = kvzalloc(sizeof(*series), GFP_KERNEL);
	if (!series)
		return -ENOMEM;
	ret = klat_bench_snapshot(&msi->bench, main_series(msi), KLAT_CPU_ALL, series);
	if (!ret) {
		seq_buf_printf(text, "************ RESULTS (ns)%s ************\n\n",
			       msi->config.mode == KLAT_MSI_LAT_MODE_THREAD ?
			       ", request to interrupt thread" : "");
		report_values(msi, series, text);
		seq_buf_printf(text, "\n");
		if (msi->bench.run.state != KLAT_IDLE)
			report_counts(msi, series->count, text);
		report_state(msi, text);
	}
	kvfree(series);
	return ret;
}

void msi_lat_report_show(struct klat_bench *bench, struct seq_file *file)
{
	char *buffer = kzalloc(REPORT_SIZE, GFP_KERNEL);
	struct seq_buf text;

	if (!buffer)
		return;
	seq_buf_init(&text, buffer, REPORT_SIZE);
	mutex_lock(&bench->lock);
	compose(msi_lat_of(bench), &text);
	mutex_unlock(&bench->lock);
	seq_write(file, buffer, seq_buf_used(&text));
	kfree(buffer);
}

void msi_lat_report_final(struct klat_bench *bench)
{
	struct msi_lat *msi = msi_lat_of(bench);
	char *buffer, *rest, *line;
	struct seq_buf text;

	if (msi->verbosity < MSI_LAT_RESULTS)
		return;
	buffer = kzalloc(REPORT_SIZE, GFP_KERNEL);
	if (!buffer)
		return;
	seq_buf_init(&text, buffer, REPORT_SIZE - 1);
	compose(msi, &text);
	for (rest = buffer; (line = strsep(&rest, "\n"));)
		if (*line)
			pr_info("%s\n", line);
	kfree(buffer);
}

static void second_work(struct work_struct *work)
{
	struct msi_lat *msi = container_of(to_delayed_work(work), struct msi_lat, second_work);
	const struct klat_clock_info *clock = &msi->bench.clock;
	struct klat_series *series;

	series = kvzalloc(sizeof(*series), GFP_KERNEL);
	if (!series)
		return;
	mutex_lock(&msi->bench.lock);
	if (msi->bench.run.state == KLAT_RUNNING) {
		klat_bench_snapshot(&msi->bench, main_series(msi), KLAT_CPU_ALL, series);
		pr_info("msi_lat: seen %llu, ns: max %llu, avg %llu, min %llu\n",
			series->count, klat_ticks_to_ns(clock, series->max),
			klat_ticks_to_ns(clock, klat_series_mean(series)),
			series->count ? klat_ticks_to_ns(clock, series->min) : 0);
		queue_delayed_work(msi->bench.workqueue, &msi->second_work, HZ);
	}
	mutex_unlock(&msi->bench.lock);
	kvfree(series);
}

static void sample_work(struct work_struct *work)
{
	struct msi_lat *msi = container_of(work, struct msi_lat, sample_work);
	struct msi_lat_told told;

	while (kfifo_get(&msi->told, &told))
		pr_info("msi_lat: sample %llu: %llu ns\n", told.seq,
			klat_ticks_to_ns(&msi->bench.clock, told.raw));
}

void msi_lat_report_sample(struct msi_lat *msi)
{
	struct msi_lat_told told = msi->hot.told;

	if (told.seq != msi->exchange.seq)
		return;		/* the last shot was given up */
	if (!__ratelimit(&msi->sample_limit))
		return;
	if (kfifo_put(&msi->told, told))
		queue_work(msi->bench.workqueue, &msi->sample_work);
}

void msi_lat_report_init(struct msi_lat *msi)
{
	INIT_DELAYED_WORK(&msi->second_work, second_work);
	INIT_WORK(&msi->sample_work, sample_work);
	INIT_KFIFO(msi->told);
}

void msi_lat_report_start(struct msi_lat *msi)
{
	ratelimit_state_init(&msi->sample_limit, HZ, 10);
	/* what is left out is left out: no line that says how much */
	ratelimit_set_flags(&msi->sample_limit, RATELIMIT_MSG_ON_RELEASE);
	if (msi->verbosity >= MSI_LAT_SECONDS)
		queue_delayed_work(msi->bench.workqueue, &msi->second_work, HZ);
}

/* The ordered workqueue runs nothing else meanwhile: no need to wait for it */
void msi_lat_report_stop(struct msi_lat *msi)
{
	cancel_delayed_work(&msi->second_work);
}
