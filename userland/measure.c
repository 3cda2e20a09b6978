// SPDX-License-Identifier: GPL-2.0
/* One run of a benchmark, from its configuration to its result. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "duration.h"
#include "live.h"
#include "measure.h"
#include "output.h"
#include "pci_name.h"
#include "reader.h"
#include "restore.h"
#include "stamp.h"
#include "user.h"

#define LOOK_EVERY	(100 * NS_PER_MS)

const struct option_def count_option_defs[] = {
	{ 'n', "count", "N", "events to measure (without --duration: 10000)", OPTION_NUMBER,
	  offsetof(struct measure_options, count), 1, INT64_MAX, NULL },
	{ 'D', "duration", "TIME", "how long to measure; with --count: whichever comes first",
	  OPTION_DURATION, offsetof(struct measure_options, duration),
	  NS_PER_MS, 3650 * NS_PER_DAY, NULL },
	{ 0 }
};

const struct option_def result_option_defs[] = {
	{ 'l', "limit", "TIME", "stop at the first value above this, freeze the kernel trace, "
	  "exit 1", OPTION_DURATION, offsetof(struct measure_options, limit),
	  1, NS_PER_H, NULL },
	{ 0, "no-freeze", NULL, "leave the kernel trace running at the limit", OPTION_CLEAR,
	  offsetof(struct measure_options, freeze), 0, 0, NULL },
	{ 'f', "format", "FORMAT", "text, json, csv, hist, eci or ktap (text)", OPTION_CHOICE,
	  offsetof(struct measure_options, format), 0, 0, output_names },
	{ 'o', "output", "FILE", "write the result there", OPTION_TEXT,
	  offsetof(struct measure_options, output), 0, 4095, NULL },
	{ 'q', "quiet", NULL, "no live line on the terminal", OPTION_SET,
	  offsetof(struct measure_options, quiet), 0, 0, NULL },
	{ 0 }
};

/* For the kernel: below 0 is without end */
int64_t measure_count(const struct measure_options *opts, uint64_t otherwise)
{
	if (opts->count)
		return (int64_t)opts->count;
	return opts->duration ? -1 : (int64_t)otherwise;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void signals_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

static void live_update(struct live *live, const struct measure *m, struct device *dev,
			const struct klat_status *st)
{
	const struct result *r = m->result;
	struct series s = { 0 };

	memcpy(s.name, r->series[r->primary].name, sizeof(s.name));
	if (!device_stats(dev, r->primary, KLAT_CPU_ALL, &s.stats))
		live_show(live, r, st, &s);
}

/* Until the next look, or the deadline if that is nearer */
static int pause_ms(uint64_t deadline)
{
	uint64_t at = now(), pause = LOOK_EVERY;

	if (deadline && deadline <= at)
		return 0;
	if (deadline && deadline - at < pause)
		pause = deadline - at;
	return (int)((pause + NS_PER_MS - 1) / NS_PER_MS);
}

/* Returns when the run has ended, or should */
static enum run_end wait_for_end(const struct measure *m, struct device *dev, int signals,
				 int done)
{
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = done, .events = POLLIN },
	};
	struct klat_status st;
	uint64_t deadline = 0;
	struct live live;
	enum run_end end;

	if (m->opts->duration && !m->ends_itself && !device_status(dev->fd, &st))
		deadline = st.start_mono + m->opts->duration;
	live_init(&live, m->opts->quiet);
	for (;;) {
		end = END_SIGNAL;
		if (poll(fds, 2, pause_ms(deadline)) < 0 && errno != EINTR)
			break;
		if (fds[0].revents)
			break;
		end = END_BY_ITSELF;
		if (device_status(dev->fd, &st) || st.state != KLAT_RUNNING)
			break;
		/* no more samples can be had, but the run goes on */
		if (fds[1].revents)
			fds[1].fd = -1;
		end = END_DURATION;
		if (deadline && now() >= deadline)
			break;
		if (live_due(&live, now()))
			live_update(&live, m, dev, &st);
	}
	live_clear(&live);
	return end;
}

static int collect(struct measure *m, struct device *dev)
{
	struct result *r = m->result;
	int ret;

	ret = device_status(dev->fd, &r->status);
	if (!ret)
		ret = device_info(dev->fd, &r->info);
	for (uint32_t i = 0; !ret && i < r->info.nr_series; i++)
		ret = device_series(dev, i, &r->series[i]);
	pci_name(r->status.device, r->device_name, sizeof(r->device_name));
	if (!ret && m->collect)
		ret = m->collect(r->own, dev);
	return ret;
}

/* From START to the end of the run, samples being read meanwhile or not */
static int run(struct measure *m, struct device *dev, int signals, struct reader *reader)
{
	struct result *r = m->result;
	int ret, stopped;

	ret = device_start(dev);
	if (ret)
		return ret;
	irq_facts_read(&r->irq, m->module);
	if (reader)
		reader_go(reader);
	r->end = wait_for_end(m, dev, signals, reader ? reader->done : -1);
	stopped = device_stop(dev);
	if (stopped)
		strlist_add(&r->notes, "stopping the run failed: %s", strerror(-stopped));
	return 0;
}

static int run_with_reader(struct measure *m, struct device *dev, int signals,
			   struct reader *reader)
{
	int ret;

	reader->dev = dev;
	reader->topo = m->topo;
	reader->facts = &m->result->reader;
	ret = reader_prepare(reader);
	if (ret) {
		snprintf(dev->error, sizeof(dev->error), "no thread for reading samples: %s",
			 strerror(-ret));
		return ret;
	}
	ret = run(m, dev, signals, reader);
	if (ret)
		reader_go(reader);
	reader_join(reader);
	return ret;
}

static int run_with_user(struct measure *m, struct device *dev, int signals)
{
	struct user user = {
		.series = result_add_series(m->result, "user"),
		.cpu = (uint32_t)m->irq_cpu,
	};
	struct reader reader = {
		.cpu = m->irq_cpu,
		.priority = m->priority,
		.take = user_take,
		.context = &user,
	};

	m->result->reader.user = true;
	/* on a CPU of its own it must be able to stop what runs there */
	if (!topology_step_aside(m->topo, m->irq_cpu, m->trigger_cpu))
		reader_priority(m->priority + 1);
	return run_with_reader(m, dev, signals, &reader);
}

static int run_and_gather(struct measure *m, struct device *dev, int signals)
{
	struct reader reader = {
		.cpu = CPU_UNSET,
		.take = m->gather,
		.context = m->result->own,
	};

	if (dev->info.sample_size < m->record_size) {
		snprintf(dev->error, sizeof(dev->error), "module %s (%s) gives records of %u "
			 "bytes, this program knows %zu", m->module, dev->info.version,
			 dev->info.sample_size, m->record_size);
		return -EPROTO;
	}
	return run_with_reader(m, dev, signals, &reader);
}

/* This thread's place: not where is measured */
static int run_somehow(struct measure *m, struct device *dev, int signals)
{
	if (m->user && HAVE_STAMP)
		return run_with_user(m, dev, signals);
	if (m->irq_cpu != CPU_UNSET)
		topology_step_aside(m->topo, m->irq_cpu, m->trigger_cpu);
	return m->gather ? run_and_gather(m, dev, signals) : run(m, dev, signals, NULL);
}

static int run_all(struct measure *m, struct device *dev, int signals)
{
	struct result *r = m->result;
	int ret;

	r->info = dev->info;
	r->irq_cpu = m->irq_cpu;
	for (uint32_t i = 0; i < dev->info.nr_series; i++)
		result_add_series(r, dev->info.series[i]);
	machine_read(&r->machine);
	conditions_read(&r->before, m->irq_cpu, m->module);
	ret = device_config(dev, m->config);
	if (ret)
		return ret;
	ret = run_somehow(m, dev, signals);
	if (ret)
		return ret;
	conditions_read(&r->after, m->irq_cpu, m->module);
	ret = collect(m, dev);
	if (ret)
		snprintf(dev->error, sizeof(dev->error), "no result: %s", strerror(-ret));
	return ret;
}

static enum exit_code refusal_code(int ret)
{
	switch (ret) {
	case -EINVAL:
	case -EOPNOTSUPP:
	case -E2BIG:
		return EXIT_USAGE;
	case -ENOMEM:
	case -EAGAIN:
		return EXIT_DOUBT;
	default:
		return EXIT_SKIPPED;
	}
}

/* A device that was not given back is more than a skip */
static enum exit_code explain(const struct measure *m, const char *why, int ret, FILE *to)
{
	enum exit_code code = m->result->not_given_back ? EXIT_DOUBT : refusal_code(ret);

	fprintf(stderr, "klat %s: %s\n", m->result->command, why);
	if (code == EXIT_SKIPPED)
		output_skip(m->result->command, why, m->opts->format, to);
	return code;
}

/* The module lets go of the PCI device with the end of the run, at the latest here */
static int run_taken(struct measure *m, struct take *take, struct strlist *said, int signals,
		     char *why, size_t len)
{
	struct device dev;
	int ret;

	ret = device_open(&dev, m->module);
	if (ret) {
		snprintf(why, len, "%s", dev.error);
		return ret;
	}
	ret = take_device(take, STATE_DIR, SYS, said, why, len);
	if (!ret) {
		ret = run_all(m, &dev, signals);
		snprintf(why, len, "%s", dev.error);
		take_give_back(take, STATE_DIR, SYS, said);
	}
	device_close(&dev);
	return ret;
}

/* What became of devices is for whoever watches, and for whoever reads the result */
static void tell(struct result *r, struct strlist *said)
{
	for (size_t i = 0; i < said->nr; i++) {
		fprintf(stderr, "klat %s: %s\n", r->command, said->items[i]);
		strlist_add(&r->notes, "%s", said->items[i]);
	}
	strlist_free(said);
}

/* A negative errno, with the reason in @why, if nothing was measured */
static int run_device(struct measure *m, int signals, char *why, size_t len)
{
	struct take take = { .fd = -1 };
	struct strlist said = { 0 };
	int ret = 0;

	if (m->take) {
		restore_left(STATE_DIR, SYS, &said);
		ret = take_plan(&take, m->take, m->source, m->module, why, len);
	}
	if (!ret)
		ret = run_taken(m, &take, &said, signals, why, len);
	tell(m->result, &said);
	m->result->not_given_back = take.kept;
	take_free(&take);
	return ret;
}

/*
 * Signals end the run in good order: they are blocked, and seen by a signalfd,
 * until the machine is put back. Those seen are taken away with it, for the
 * result is yet to be printed; one that comes then ends the program.
 */
static int run_guarded(struct measure *m, char *why, size_t len)
{
	struct signalfd_siginfo seen;
	sigset_t set, old;
	int signals, ret;

	signals_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals >= 0) {
		ret = run_device(m, signals, why, len);
		while (read(signals, &seen, sizeof(seen)) > 0)
			;
		close(signals);
	} else {
		ret = -ENOMEM;
		snprintf(why, len, "no signalfd: %s", strerror(errno));
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

/* False if the report was to be written, and could not */
static bool print(struct measure *m, FILE *report, FILE *to)
{
	bool written = true;

	verdict_decide(m->result);
	if (report) {
		output_result(m->result, OUTPUT_TEXT, report);
		written = !output_close(report);
		if (written)
			m->result->report = m->opts->report;
	}
	output_result(m->result, m->opts->format, to);
	return written;
}

static enum exit_code run_and_print(struct measure *m, FILE *report, FILE *to)
{
	char why[1280];
	int ret = run_guarded(m, why, sizeof(why));
	bool written;

	if (ret) {
		if (report)
			fclose(report);
		return explain(m, why, ret, to);
	}
	written = print(m, report, to);
	return written ? result_exit_code(m->result) : EXIT_DOUBT;
}

static FILE *report_open(const char *path, FILE *to)
{
	FILE *report = output_open(path);

	if (!report || !output_same(report, to))
		return report;
	fprintf(stderr, "klat: %s: the result goes there, too: the report needs a file of its "
		"own\n", path);
	fclose(report);
	return NULL;
}

/* Measures and prints; the result's resources stay with the caller */
enum exit_code measure(struct measure *m)
{
	FILE *to = output_open(m->opts->output), *report = NULL;
	enum exit_code code = EXIT_USAGE;

	if (!to)
		return EXIT_USAGE;
	if (m->opts->report)
		report = report_open(m->opts->report, to);
	if (report || !m->opts->report)
		code = run_and_print(m, report, to);
	return output_close(to) ? EXIT_DOUBT : code;
}
