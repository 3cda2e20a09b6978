// SPDX-License-Identifier: GPL-2.0
/* klat hwlat: time that firmware, NMIs and hypervisors take from CPUs. */
#include <stdio.h>

#include <klat/hwlat_detector.h>

#include "benchmark.h"
#include "command.h"
#include "duration.h"
#include "hwlat.h"

#define WIDTH_NOT_GIVEN	0

/* An ordinary thread reads them, on CPUs that are looked at most of the time */
#define RING_ENTRIES	65536U

struct hwlat_options {
	bool aligned;
	bool steps;
	uint64_t hard_limit;
	const char *cpus;
	struct hwlat hwlat;
	struct klat_hwlat_detector_config config;
};

#define FIELD(name)	offsetof(struct hwlat_options, name)
#define MEASURE(name)	offsetof(struct measure_options, name)

static const struct option_def defs[] = {
	{ 0, "threshold", "TIME", "a longer gap is recorded (10us)", OPTION_DURATION,
	  FIELD(hwlat.threshold), KLAT_HWLAT_DETECTOR_THRESHOLD_MIN,
	  KLAT_HWLAT_DETECTOR_THRESHOLD_MAX, NULL },
	{ 0, "window", "TIME", "from the begin of one look to the begin of the next (1s)",
	  OPTION_DURATION, FIELD(hwlat.window), KLAT_HWLAT_DETECTOR_WINDOW_MIN,
	  KLAT_HWLAT_DETECTOR_WINDOW_MAX, NULL },
	{ 0, "width", "TIME",
	  "how long each look lasts, interrupts off (half of window, but at most 2s)",
	  OPTION_DURATION, FIELD(hwlat.width), KLAT_HWLAT_DETECTOR_WIDTH_MIN,
	  KLAT_HWLAT_DETECTOR_WIDTH_MAX, NULL },
	{ 0, "aligned", NULL, "all CPUs look at the same time, not one after the other",
	  OPTION_SET, FIELD(aligned), 0, 0, NULL },
	{ 0, "steps", NULL, "statistics of every step of the loop, too", OPTION_SET,
	  FIELD(steps), 0, 0, NULL },
	{ 0 }
};

static const struct option_def cpu_defs[] = {
	{ 'a', "cpus", "LIST", "to look at, such as 0-3,6 (all that are online)", OPTION_TEXT,
	  FIELD(cpus), 0, KLAT_TEXT_LEN - 1, NULL },
	{ 0, "cpu-list", "LIST", "the same, as hwlatdetect calls it", OPTION_TEXT,
	  FIELD(cpus), 0, KLAT_TEXT_LEN - 1, NULL },
	{ 0 }
};

static const struct option_def duration_defs[] = {
	{ 'D', "duration", "TIME", "how long to measure (2m)", OPTION_DURATION,
	  MEASURE(duration), NS_PER_MS, KLAT_HWLAT_DETECTOR_DURATION_MAX, NULL },
	{ 0, "report", "FILE", "write the text there as well", OPTION_TEXT,
	  MEASURE(report), 0, 4095, NULL },
	{ 0 }
};

static const struct option_def hard_limit_defs[] = {
	{ 0, "hardlimit", "TIME", "exit 1 if a gap is longer; the run goes on", OPTION_DURATION,
	  FIELD(hard_limit), 1, NS_PER_H, NULL },
	{ 0 }
};

static const struct common_flags flag_bits = {
	.no_disturb = KLAT_HWLAT_DETECTOR_FLAG_NO_DISTURB,
	.freeze_trace = KLAT_HWLAT_DETECTOR_FLAG_FREEZE_TRACE,
	.allow_idle = KLAT_HWLAT_DETECTOR_FLAG_ALLOW_IDLE,
};

static int refuse(const char *option, uint64_t value, const char *rule, uint64_t other)
{
	char is[32], must[32];

	duration_format(value, is, sizeof(is));
	duration_format(other, must, sizeof(must));
	fprintf(stderr, "klat hwlat: --%s %s must be at least %s %s\n"
		"klat: see 'klat hwlat --help'\n", option, is, rule, must);
	return -1;
}

/* What is not recorded cannot be known to be below a limit */
static int check(const void *options, const struct common_options *c)
{
	const struct hwlat_options *o = options;
	const struct hwlat *h = &o->hwlat;

	if (h->width != WIDTH_NOT_GIVEN && h->width + KLAT_HWLAT_DETECTOR_REST_MIN > h->window)
		return refuse("width", h->width, "50us below --window", h->window);
	if (o->hard_limit && o->hard_limit < h->threshold)
		return refuse("hardlimit", o->hard_limit, "--threshold", h->threshold);
	if (c->measure.limit && c->measure.limit < h->threshold)
		return refuse("limit", c->measure.limit, "--threshold", h->threshold);
	return 0;
}

/* Half of the window, where that may be */
uint64_t hwlat_default_width(uint64_t window)
{
	uint64_t half = window / 2;

	return half < KLAT_HWLAT_DETECTOR_WIDTH_MAX ? half : KLAT_HWLAT_DETECTOR_WIDTH_MAX;
}

static uint32_t config_flags(const struct hwlat_options *o, const struct common_options *c)
{
	uint32_t flags = common_flags(c, &flag_bits);

	if (o->aligned)
		flags |= KLAT_HWLAT_DETECTOR_FLAG_ALIGNED;
	if (o->steps)
		flags |= KLAT_HWLAT_DETECTOR_FLAG_STEPS;
	return flags;
}

static void *configure(void *options, const struct common_options *c, struct result *r)
{
	struct hwlat_options *o = options;
	struct hwlat *h = &o->hwlat;

	if (h->width == WIDTH_NOT_GIVEN)
		h->width = hwlat_default_width(h->window);
	h->duration = c->measure.duration;
	h->output = c->measure.report;
	o->config = (struct klat_hwlat_detector_config) {
		.size = sizeof(o->config),
		.flags = config_flags(o, c),
		.ring_entries = RING_ENTRIES,
		.window_ns = h->window,
		.width_ns = h->width,
		.threshold_ns = h->threshold,
		.limit_ns = c->measure.limit,
		.duration_ns = h->duration,
	};
	snprintf(o->config.cpus, sizeof(o->config.cpus), "%s", o->cpus);
	r->primary = KLAT_HWLAT_DETECTOR_GAP;
	r->hard_limit_ns = o->hard_limit;
	result_config_text(r, "cpus", *o->cpus ? o->cpus : "online");
	result_config_ns(r, "threshold", h->threshold);
	result_config_ns(r, "window", h->window);
	result_config_ns(r, "width", h->width);
	result_config_bool(r, "aligned", o->aligned);
	result_config_bool(r, "steps", o->steps);
	if (o->hard_limit)
		result_config_ns(r, "hard_limit", o->hard_limit);
	return &o->config;
}

enum exit_code cmd_hwlat(int argc, char **argv)
{
	struct common_options common = COMMON_OPTIONS_DEFAULT(false);
	struct hwlat_options o = {
		.cpus = "",
		.hwlat = {
			.threshold = 10 * NS_PER_US,
			.window = NS_PER_S,
			.width = WIDTH_NOT_GIVEN,
		},
	};
	const struct option_group groups[] = {
		{ "What is measured", defs, &o },
		{ "", care_option_defs, &common },
		{ "Where", cpu_defs, &o },
		{ "How long, and the result", duration_defs, &common.measure },
		{ "", hard_limit_defs, &o },
		{ "", result_option_defs, &common.measure },
		{ 0 }
	};
	const struct benchmark benchmark = {
		.command = "hwlat",
		.module = "hwlat_detector",
		.summary = "Finds time that firmware (SMIs), NMIs and hypervisors take from CPUs, "
			   "on all CPUs at\nonce.",
		.groups = groups,
		.common = &common,
		.options = &o,
		.cpu_rule = CPU_MANY,
		.ends_itself = true,
		.kind = &hwlat_kind,
		.gather = hwlat_take,
		.record_size = sizeof(struct klat_hwlat_detector_record),
		.collect = hwlat_collect,
		.own = &o.hwlat,
		.check = check,
		.configure = configure,
	};
	enum exit_code code = EXIT_DOUBT;

	common.measure.duration = 2 * NS_PER_MIN;
	if (hwlat_init(&o.hwlat))
		fprintf(stderr, "klat hwlat: out of memory\n");
	else
		code = benchmark_run(&benchmark, argc, argv);
	hwlat_free(&o.hwlat);
	return code;
}
