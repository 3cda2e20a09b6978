// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters. threshold, window and width have the names of the
 * classic detector's files, and but for threshold their units.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/string.h>

#include "../core/param.h"
#include "hwlat_detector.h"

#define RUN_TIME_MAX_S	(KLAT_HWLAT_DETECTOR_DURATION_MAX / NSEC_PER_SEC)
#define REST_MIN_US	(KLAT_HWLAT_DETECTOR_REST_MIN / NSEC_PER_USEC)

/* None given, which is not the same as an empty one: all that are online */
static char cpus[KLAT_TEXT_LEN];

static int cpus_set(const char *text, const struct kernel_param *kp)
{
	struct klat_refusal refusal = {};
	cpumask_var_t mask;
	int ret;

	if (!*text || strlen(text) >= sizeof(cpus)) {
		pr_err("%s = %s: must be a list of CPUs such as 0-3,6, at most %zu characters\n",
		       kp->name, text, sizeof(cpus) - 1);
		return -EINVAL;
	}
	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	ret = hwlat_parse_cpus(text, mask, &refusal);
	if (ret)
		pr_err("%s\n", refusal.text);
	else
		strscpy(cpus, text, sizeof(cpus));
	free_cpumask_var(mask);
	return ret;
}

static int cpus_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", cpus);
}

static const struct kernel_param_ops cpus_ops = {
	.set = cpus_set,
	.get = cpus_get,
};

module_param_cb(cpus, &cpus_ops, NULL, 0444);
__MODULE_PARM_TYPE(cpus, "charp");
MODULE_PARM_DESC(cpus, "CPUs to look at, a list such as 0-3,6 (default all that are online)");

KLAT_PARAM_NUMBER(threshold, 10000, KLAT_HWLAT_DETECTOR_THRESHOLD_MIN,
		  KLAT_HWLAT_DETECTOR_THRESHOLD_MAX, false,
	"20 .. 1000000000 ns",
	"a longer gap is recorded (default 10000)");
KLAT_PARAM_NUMBER(window, 1000000, KLAT_HWLAT_DETECTOR_WINDOW_MIN / NSEC_PER_USEC,
		  KLAT_HWLAT_DETECTOR_WINDOW_MAX / NSEC_PER_USEC, false,
	"1000 .. 10000000 us",
	"from the begin of one look to the begin of the next (default 1000000)");
KLAT_PARAM_NUMBER(width, 500000, KLAT_HWLAT_DETECTOR_WIDTH_MIN / NSEC_PER_USEC,
		  KLAT_HWLAT_DETECTOR_WIDTH_MAX / NSEC_PER_USEC, false,
	"100 .. 2000000 us",
	"how long each look lasts, with interrupts off; at least 50 below window (default 500000)");
KLAT_PARAM_NUMBER(runTime, -1, S64_MIN, RUN_TIME_MAX_S, true,
	"1 .. 31536000 s, or below 0 for without end",
	"how long to measure (default -1)");
KLAT_PARAM_NUMBER(aligned, 0, 0, 1, false,
	"0 or 1",
	"all CPUs look at the same time, instead of one after the other (default 0)");
KLAT_PARAM_NUMBER(steps, 0, 0, 1, false,
	"0 or 1",
	"keep statistics of the loop's own steps, too (default 0)");
KLAT_PARAM_VERBOSITY();
KLAT_PARAM_AUTOSTART();

static u32 flags(void)
{
	u32 flags = 0;

	if (aligned.value)
		flags |= KLAT_HWLAT_DETECTOR_FLAG_ALIGNED;
	if (steps.value)
		flags |= KLAT_HWLAT_DETECTOR_FLAG_STEPS;
	return flags;
}

int hwlat_params(struct klat_hwlat_detector_config *config)
{
	if (width.value + REST_MIN_US > window.value) {
		pr_err("width = %lld: must be at least %llu us below window = %lld\n",
		       width.value, REST_MIN_US, window.value);
		return -EINVAL;
	}
	*config = (struct klat_hwlat_detector_config){
		.size = sizeof(*config),
		.flags = flags(),
		.ring_entries = HWLAT_DETECTOR_RING_DEFAULT,
		.window_ns = window.value * NSEC_PER_USEC,
		.width_ns = width.value * NSEC_PER_USEC,
		.threshold_ns = threshold.value,
		.duration_ns = runTime.value < 0 ? 0 : runTime.value * NSEC_PER_SEC,
	};
	strscpy(config->cpus, cpus, sizeof(config->cpus));
	return 0;
}

enum klat_verbosity hwlat_param_verbosity(void)
{
	return verbosity.value;
}

bool hwlat_param_autostart(void)
{
	return autostart;
}
