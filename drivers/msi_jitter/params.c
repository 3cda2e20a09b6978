// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters, in the style of Intel ECI's: the arguments of its
 * run_msijitter.sh, and source, bdf, timer, verbosity and autostart.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/string.h>

#include "../core/param.h"
#include "../source/param.h"
#include "msi_jitter.h"

#define PERIOD_MAX_MS	(KLAT_MSI_JITTER_PERIOD_MAX / NSEC_PER_MSEC)
#define RUN_TIME_MAX_S	(100LL * 365 * 24 * 3600)

KLAT_PARAM_CPU(coreSpecIRQ,
	"CPU of the interrupt, and of the timer hrtimer: an online CPU (default 1, or the first online one)");
KLAT_PARAM_NUMBER(irqPeriod, 1, 1, PERIOD_MAX_MS, false,
	"1 .. 10000 ms",
	"the cycle (default 1)");
KLAT_PARAM_NUMBER(runTime, 60, S64_MIN, RUN_TIME_MAX_S, true,
	"1 .. 3153600000 s, or below 0 for without end",
	"how long to measure (default 60)");
KLAT_PARAM_SOURCE();
KLAT_PARAM_VERBOSITY();
KLAT_PARAM_AUTOSTART();

static const char *const timer_names[] = {
	[KLAT_MSI_JITTER_TIMER_HRTIMER] = "hrtimer",
	[KLAT_MSI_JITTER_TIMER_TARGETTIME] = "targettime",
	[KLAT_MSI_JITTER_TIMER_TCPTIMER] = "tcptimer",
};

static int timer = KLAT_MSI_JITTER_TIMER_HRTIMER;

static int timer_set(const char *text, const struct kernel_param *kp)
{
	int found = match_string(timer_names, ARRAY_SIZE(timer_names), text);

	if (found < 0) {
		pr_err("timer = %s: must be hrtimer, targettime or tcptimer\n", text);
		return -EINVAL;
	}
	timer = found;
	return 0;
}

static int timer_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", timer_names[timer]);
}

static const struct kernel_param_ops timer_ops = {
	.set = timer_set,
	.get = timer_get,
};

module_param_cb(timer, &timer_ops, &timer, 0444);
__MODULE_PARM_TYPE(timer, "charp");
MODULE_PARM_DESC(timer, "who keeps the cycle: hrtimer (the kernel), targettime, tcptimer (the device, if it can); default hrtimer");

/* As many whole cycles as fit, but at least one */
static s64 cycles(void)
{
	if (runTime.value < 0)
		return -1;
	return max_t(s64, 1, runTime.value * MSEC_PER_SEC / irqPeriod.value);
}

void msi_jitter_params(struct klat_msi_jitter_config *config)
{
	klat_param_cpu_default(&coreSpecIRQ, 1);
	*config = (struct klat_msi_jitter_config){
		.size = sizeof(*config),
		.irq_cpu = coreSpecIRQ,
		.timer_cpu = coreSpecIRQ,
		.timer = timer,
		.ring_entries = MSI_JITTER_RING_DEFAULT,
		.period_ns = irqPeriod.value * NSEC_PER_MSEC,
		.count = cycles(),
	};
	strscpy(config->source, source, sizeof(config->source));
	strscpy(config->bdf, bdf, sizeof(config->bdf));
}

enum klat_verbosity msi_jitter_param_verbosity(void)
{
	return verbosity.value;
}

bool msi_jitter_param_autostart(void)
{
	return autostart;
}
