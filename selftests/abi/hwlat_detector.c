// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/param.h>

#include <klat/hwlat_detector.h>

#include "cpus.h"
#include "module.h"

#define NUMBER(member, value, error) \
	ABI_NUMBER(klat_hwlat_detector_config, member, value, error)
#define TEXT(member, text, error) \
	ABI_TEXT(klat_hwlat_detector_config, member, text, error)
#define SAYS(_member, _value, _error, _says)						\
	{ .name = #_member, .offset = offsetof(struct klat_hwlat_detector_config, _member), \
	  .size = sizeof(((struct klat_hwlat_detector_config *)0)->_member),		\
	  .value = _value, .error = _error, .says = _says }

/* of good() */
#define WINDOW		10000000ULL
#define WIDTH		3000000ULL

/* "period" for which no gap is long enough */
#define IDLE		3600000000000ULL

/* 192 characters, and so without the final NUL */
#define TOO_LONG								\
	"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"	\
	"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"	\
	"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"

static const struct abi_member members[] = {
	NUMBER(window_ns, WIDTH + KLAT_HWLAT_DETECTOR_REST_MIN, 0),
	NUMBER(window_ns, KLAT_HWLAT_DETECTOR_WINDOW_MAX, 0),
	NUMBER(window_ns, 0, EINVAL),
	NUMBER(window_ns, KLAT_HWLAT_DETECTOR_WINDOW_MIN - 1, EINVAL),
	NUMBER(window_ns, KLAT_HWLAT_DETECTOR_WINDOW_MAX + 1, EINVAL),
	NUMBER(window_ns, -1, EINVAL),
	SAYS(window_ns, WIDTH + KLAT_HWLAT_DETECTOR_REST_MIN - 1, EINVAL, "width_ns = 3000000: "),
	SAYS(window_ns, KLAT_HWLAT_DETECTOR_WINDOW_MIN, EINVAL, "width_ns = 3000000: "),
	NUMBER(width_ns, KLAT_HWLAT_DETECTOR_WIDTH_MIN, 0),
	NUMBER(width_ns, WINDOW - KLAT_HWLAT_DETECTOR_REST_MIN, 0),
	NUMBER(width_ns, 0, EINVAL),
	NUMBER(width_ns, KLAT_HWLAT_DETECTOR_WIDTH_MIN - 1, EINVAL),
	NUMBER(width_ns, WINDOW - KLAT_HWLAT_DETECTOR_REST_MIN + 1, EINVAL),
	NUMBER(width_ns, KLAT_HWLAT_DETECTOR_WIDTH_MAX, EINVAL),
	NUMBER(width_ns, KLAT_HWLAT_DETECTOR_WIDTH_MAX + 1, EINVAL),
	NUMBER(width_ns, -1, EINVAL),
	/* START may refuse it: the machine decides */
	NUMBER(threshold_ns, KLAT_HWLAT_DETECTOR_THRESHOLD_MIN, 0),
	NUMBER(threshold_ns, KLAT_HWLAT_DETECTOR_THRESHOLD_MAX, 0),
	NUMBER(threshold_ns, 0, EINVAL),
	NUMBER(threshold_ns, KLAT_HWLAT_DETECTOR_THRESHOLD_MIN - 1, EINVAL),
	NUMBER(threshold_ns, KLAT_HWLAT_DETECTOR_THRESHOLD_MAX + 1, EINVAL),
	NUMBER(threshold_ns, -1, EINVAL),
	NUMBER(limit_ns, 0, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX, 0),
	NUMBER(limit_ns, KLAT_LIMIT_MAX + 1, EINVAL),
	NUMBER(limit_ns, -1, EINVAL),
	NUMBER(duration_ns, 0, 0),
	NUMBER(duration_ns, KLAT_HWLAT_DETECTOR_DURATION_MAX, 0),
	NUMBER(duration_ns, KLAT_HWLAT_DETECTOR_DURATION_MAX + 1, EINVAL),
	NUMBER(duration_ns, -1, EINVAL),
	NUMBER(ring_entries, 0, 0),
	NUMBER(ring_entries, KLAT_HWLAT_DETECTOR_RING_MIN, 0),
	NUMBER(ring_entries, KLAT_HWLAT_DETECTOR_RING_MAX, 0),
	NUMBER(ring_entries, 1, EINVAL),
	NUMBER(ring_entries, KLAT_HWLAT_DETECTOR_RING_MIN / 2, EINVAL),
	NUMBER(ring_entries, KLAT_HWLAT_DETECTOR_RING_MIN + 1, EINVAL),
	NUMBER(ring_entries, KLAT_HWLAT_DETECTOR_RING_MAX * 2, EINVAL),
	NUMBER(ring_entries, 0xffffffff, EINVAL),
	NUMBER(reserved, 1, EINVAL),
	TEXT(cpus, "", 0),
	TEXT(cpus, "0", 0),
	TEXT(cpus, "0-0,0", 0),
	TEXT(cpus, ",", EINVAL),
	TEXT(cpus, " ", EINVAL),
	TEXT(cpus, "x", EINVAL),
	TEXT(cpus, "0-", EINVAL),
	TEXT(cpus, "1-0", EINVAL),
	TEXT(cpus, "-1", EINVAL),
	TEXT(cpus, "0,8191", EINVAL),
	TEXT(cpus, "99999999999", EINVAL),
	{ .name = "cpus", .offset = offsetof(struct klat_hwlat_detector_config, cpus),
	  .size = KLAT_TEXT_LEN, .text = TOO_LONG, .error = EINVAL, .says = "cpus" },
	SAYS(flags, 1U << 5, EOPNOTSUPP, "flags = 0x20"),
	SAYS(flags, 1U << 31, EOPNOTSUPP, "flags = 0x80000000"),
	NUMBER(flags, KLAT_HWLAT_DETECTOR_FLAG_ALIGNED | KLAT_HWLAT_DETECTOR_FLAG_STEPS |
		      KLAT_HWLAT_DETECTOR_FLAG_NO_DISTURB |
		      KLAT_HWLAT_DETECTOR_FLAG_FREEZE_TRACE |
		      KLAT_HWLAT_DETECTOR_FLAG_ALLOW_IDLE, 0),
};

/*
 * Gaps of a microsecond come all the time in an emulated machine. But when they do
 * is not ours to say: ten times as long as the same run of another module.
 */
static void good(void *arg, const struct abi_run *run)
{
	struct klat_hwlat_detector_config *config = arg;

	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	config->flags = KLAT_HWLAT_DETECTOR_FLAG_STEPS;
	config->ring_entries = run->ring_entries;
	config->window_ns = WINDOW;
	config->width_ns = WIDTH;
	config->threshold_ns = 1000;
	if (run->period_ns == IDLE)
		config->threshold_ns = KLAT_HWLAT_DETECTOR_THRESHOLD_MAX;
	else if (run->count > 0)
		config->duration_ns = 10 * run->count * run->period_ns;
}

static void bound(void *arg)
{
	struct klat_hwlat_detector_config *config = arg;

	if (!config->duration_ns || config->duration_ns > 50000000)
		config->duration_ns = 1 + config->duration_ns % 50000000;
	config->limit_ns %= 2 * KLAT_LIMIT_MAX;
	config->ring_entries = MIN(config->ring_entries, 4096);
	config->flags &= ~KLAT_HWLAT_DETECTOR_FLAG_FREEZE_TRACE;
}

const struct abi_module abi_hwlat_detector = {
	.name = "hwlat_detector",
	.config_size = sizeof(struct klat_hwlat_detector_config),
	.sample_size = sizeof(struct klat_hwlat_detector_record),
	.nr_series = KLAT_HWLAT_DETECTOR_NR_SERIES,
	.sample_series = 1U << KLAT_HWLAT_DETECTOR_GAP,
	.timed = true,
	.cpus = true,
	.period_max = IDLE,
	.members = members,
	.nr_members = sizeof(members) / sizeof(members[0]),
	.good = good,
	.bound = bound,
};
