// SPDX-License-Identifier: GPL-2.0
#include <linux/ratelimit.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "bench.h"
#include "report.h"

/* a benchmark may list CPUs, whose numbers need not be in ranges */
#define REPORT_SIZE	4096
#define LINE_SIZE	160

static const char *const state_names[] = {
	[KLAT_IDLE] = "IDLE",
	[KLAT_RUNNING] = "RUNNING",
	[KLAT_DONE] = "DONE",
	[KLAT_STOPPED] = "STOPPED",
	[KLAT_FAILED] = "FAILED",
};

u64 klat_mean_ns(const struct klat_clock_info *clock, const struct klat_series *series)
{
	return klat_parts_to_ns(clock, klat_series_mean(series),
				klat_series_mean_billionths(series));
}

static void add_values(struct klat_bench *bench, const struct klat_series *series,
		       struct seq_buf *text)
{
	const struct klat_clock_info *clock = &bench->clock;

	if (!series->count) {
		seq_buf_printf(text, "* no data\n");
		return;
	}
	seq_buf_printf(text, "* Max: %llu\n", klat_ticks_to_ns(clock, series->max));
	seq_buf_printf(text, "* Avg: %llu\n", klat_mean_ns(clock, series));
	seq_buf_printf(text, "* Min: %llu\n", klat_ticks_to_ns(clock, series->min));
}

static void add_counts(const struct klat_bench_ops *ops, const struct klat_status *status,
		       struct seq_buf *text)
{
	const char *events = ops->events;

	if (status->asked)
		seq_buf_printf(text, "* %s asked: %llu\n", events, status->asked);
	else if (!ops->by_time)
		seq_buf_printf(text, "* %s asked: without end\n", events);
	seq_buf_printf(text, "* %s seen: %llu\n", events, status->seen);
	seq_buf_printf(text, "* Missed periods: %llu\n", status->missed + status->late);
	seq_buf_printf(text, "* Unanswered: %llu\n", status->unanswered);
	if (status->elsewhere)
		seq_buf_printf(text, "* On another CPU than asked: %llu\n",
			       status->elsewhere);
	if (status->clipped)
		seq_buf_printf(text, "* Clipped to 0 by offsetStart: %llu\n",
			       status->clipped);
}

static void add_state(const struct klat_run *run, struct seq_buf *text)
{
	seq_buf_printf(text, "* State: %s", state_names[run->state]);
	if (run->state > KLAT_RUNNING)
		seq_buf_printf(text, " (%s)", run->outcome.message);
	seq_buf_printf(text, "\n");
	if (run->flags & KLAT_RUN_CLOCK_UNSTABLE)
		seq_buf_printf(text, "* INVALID: the clock is unstable\n");
}

static void add_all(struct klat_bench *bench, const struct klat_series *series,
		    const struct klat_status *status, struct seq_buf *text)
{
	const char *title = bench->ops->title ? bench->ops->title(bench) : NULL;

	seq_buf_printf(text, "************ RESULTS (ns)%s ************\n\n", title ?: "");
	add_values(bench, series, text);
	seq_buf_printf(text, "\n");
	if (bench->run.state != KLAT_IDLE) {
		add_counts(bench->ops, status, text);
		if (bench->ops->report)
			bench->ops->report(bench, status, text);
	}
	add_state(&bench->run, text);
}

/* Under bench->lock */
static void compose(struct klat_bench *bench, struct seq_buf *text)
{
	struct klat_series *series = kvzalloc(sizeof(*series), GFP_KERNEL);
	struct klat_status *status = kzalloc(sizeof(*status), GFP_KERNEL);

	if (series && status &&
	    !klat_bench_snapshot(bench, bench->ops->primary(bench), KLAT_CPU_ALL, series)) {
		klat_bench_status(bench, status);
		add_all(bench, series, status, text);
	}
	kfree(status);
	kvfree(series);
}

void klat_report_show(struct klat_bench *bench, struct seq_file *file)
{
	char *buffer = kzalloc(REPORT_SIZE, GFP_KERNEL);
	struct seq_buf text;

	if (!buffer)
		return;
	seq_buf_init(&text, buffer, REPORT_SIZE);
	mutex_lock(&bench->lock);
	compose(bench, &text);
	mutex_unlock(&bench->lock);
	seq_write(file, buffer, seq_buf_used(&text));
	kfree(buffer);
}

void klat_report_final(struct klat_bench *bench)
{
	char *buffer, *rest, *line;
	struct seq_buf text;

	if (bench->report.verbosity < KLAT_SAY_RESULTS)
		return;
	buffer = kzalloc(REPORT_SIZE, GFP_KERNEL);
	if (!buffer)
		return;
	seq_buf_init(&text, buffer, REPORT_SIZE - 1);
	compose(bench, &text);
	for (rest = buffer; (line = strsep(&rest, "\n"));)
		if (*line)
			bench->ops->say(line);
	kfree(buffer);
}

static void say_second(struct klat_bench *bench, struct klat_series *series)
{
	const struct klat_clock_info *clock = &bench->clock;
	char line[LINE_SIZE];

	klat_bench_snapshot(bench, bench->ops->primary(bench), KLAT_CPU_ALL, series);
	snprintf(line, sizeof(line), "%s: seen %llu, ns: max %llu, avg %llu, min %llu",
		 bench->ops->name, klat_bench_seen(bench), klat_ticks_to_ns(clock, series->max),
		 klat_mean_ns(clock, series),
		 series->count ? klat_ticks_to_ns(clock, series->min) : 0);
	bench->ops->say(line);
}

static void second_work(struct work_struct *work)
{
	struct klat_report *report = container_of(to_delayed_work(work), struct klat_report,
						  second_work);
	struct klat_bench *bench = container_of(report, struct klat_bench, report);
	struct klat_series *series;

	series = kvzalloc(sizeof(*series), GFP_KERNEL);
	if (!series)
		return;
	mutex_lock(&bench->lock);
	if (bench->run.state == KLAT_RUNNING) {
		say_second(bench, series);
		queue_delayed_work(bench->workqueue, &report->second_work, HZ);
	}
	mutex_unlock(&bench->lock);
	kvfree(series);
}

static void sample_work(struct work_struct *work)
{
	struct klat_report *report = container_of(work, struct klat_report, sample_work);
	struct klat_bench *bench = container_of(report, struct klat_bench, report);
	struct klat_told told;
	char line[LINE_SIZE];

	while (kfifo_get(&report->told, &told)) {
		snprintf(line, sizeof(line), "%s: sample %llu: %llu ns", bench->ops->name,
			 told.seq, klat_ticks_to_ns(&bench->clock, told.ticks));
		bench->ops->say(line);
	}
}

void klat_report_sample(struct klat_bench *bench, u64 seq, u64 ticks)
{
	struct klat_report *report = &bench->report;
	struct klat_told told = { .seq = seq, .ticks = ticks };

	if (__ratelimit(&report->sample_limit) && kfifo_put(&report->told, told))
		queue_work(bench->workqueue, &report->sample_work);
}

void klat_report_init(struct klat_report *report, enum klat_verbosity asked)
{
	report->asked = asked;
	INIT_DELAYED_WORK(&report->second_work, second_work);
	INIT_WORK(&report->sample_work, sample_work);
	INIT_KFIFO(report->told);
}

void klat_report_prepare(struct klat_report *report, bool by_module)
{
	report->verbosity = by_module ? report->asked : KLAT_SILENT;
	ratelimit_state_init(&report->sample_limit, HZ, 10);
	/* what is left out is left out: no line that says how much */
	ratelimit_set_flags(&report->sample_limit, RATELIMIT_MSG_ON_RELEASE);
}

void klat_report_start(struct klat_bench *bench)
{
	struct klat_report *report = &bench->report;

	if (report->verbosity >= KLAT_SAY_SECONDS)
		queue_delayed_work(bench->workqueue, &report->second_work, HZ);
}

/* The ordered workqueue runs nothing else meanwhile: no need to wait for it */
void klat_report_stop(struct klat_bench *bench)
{
	cancel_delayed_work(&bench->report.second_work);
}
