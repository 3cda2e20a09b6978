// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters: the names, units and meaning of Intel ECI's msi_lat,
 * and source, bdf and autostart.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/string.h>

#include "../core/param.h"
#include "msi_lat.h"

#define PERIOD_MAX_MS	(KLAT_MSI_LAT_PERIOD_MAX / NSEC_PER_MSEC)

KLAT_PARAM_CPU(coreSpecIRQ,
	"CPU of the interrupt: an online CPU (default 1, or the first online one)");
KLAT_PARAM_CPU(coreSpecWQ,
	"CPU of the thread that requests it: an online CPU (default: the first online one)");
KLAT_PARAM_NUMBER(irqSpec, KLAT_MSI_LAT_MODE_HARD, 0, 1, false,
	"0 (thread) or 1 (hard interrupt)",
	"how the interrupt is served (default 1)");
KLAT_PARAM_NUMBER(irqPeriod, 10, 1, PERIOD_MAX_MS, false,
	"1 .. 3600000 ms",
	"from one request to the next (default 10)");
KLAT_PARAM_NUMBER(irqCount, -1, S64_MIN, S64_MAX, true,
	"1 .. 9223372036854775807, or below 0 for without end",
	"how many interrupts (default -1)");
KLAT_PARAM_NUMBER(verbosity, MSI_LAT_RESULTS, 0, 3, false,
	"0 (nothing), 1 (the results at the end), 2 (also a line a second), 3 (also samples)",
	"what goes to the kernel log (default 1)");
KLAT_PARAM_NUMBER(offsetStart, 0, 0, KLAT_MSI_LAT_OFFSET_MAX, false,
	"0 .. 1000000000 ns",
	"taken off each latency before it is counted; raw samples keep it (default 0)");
KLAT_PARAM_NUMBER(blockIRQ, 0, 0, KLAT_MSI_LAT_BLOCK_MAX, false,
	"0 .. 10000000 clock ticks",
	"keeps interrupts off on the requesting CPU so long after the request (default 0)");

static char source[KLAT_NAME_LEN] = "auto";
static char bdf[KLAT_NAME_LEN];

static int name_set(const char *text, const struct kernel_param *kp)
{
	char *name = kp->arg;
	struct klat_refusal refusal;
	int ret;

	if (strlen(text) >= KLAT_NAME_LEN) {
		pr_err("%s = %s: too long; must be at most %u characters\n", kp->name, text,
		       KLAT_NAME_LEN - 1);
		return -EINVAL;
	}
	ret = name == source ? klat_source_check(text, "", &refusal) :
			       klat_source_check("auto", text, &refusal);
	if (ret) {
		pr_err("%s\n", refusal.text);
		return ret;
	}
	strscpy(name, text, KLAT_NAME_LEN);
	return 0;
}

static int name_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", (char *)kp->arg);
}

static const struct kernel_param_ops name_ops = {
	.set = name_set,
	.get = name_get,
};

module_param_cb(source, &name_ops, source, 0444);
__MODULE_PARM_TYPE(source, "charp");
MODULE_PARM_DESC(source, "where interrupts come from: auto (the one free supported device), igb, soft (no device); default auto");
module_param_cb(bdf, &name_ops, bdf, 0444);
__MODULE_PARM_TYPE(bdf, "charp");
MODULE_PARM_DESC(bdf, "PCI address of the device, [DDDD:]BB:DD.F (default: the only one)");

static bool autostart = true;
module_param(autostart, bool, 0444);
MODULE_PARM_DESC(autostart, "measure from insmod on (default Y); N: wait for /dev/klat/msi_lat");

void msi_lat_params(struct klat_msi_lat_config *config)
{
	unsigned int first = cpumask_first(cpu_online_mask);

	if (coreSpecWQ < 0)
		coreSpecWQ = first;
	if (coreSpecIRQ < 0)
		coreSpecIRQ = cpu_online(1) ? 1 : first;
	*config = (struct klat_msi_lat_config){
		.size = sizeof(*config),
		.irq_cpu = coreSpecIRQ,
		.trigger_cpu = coreSpecWQ,
		.mode = irqSpec.value,
		.ring_entries = MSI_LAT_RING_DEFAULT,
		.period_ns = irqPeriod.value * NSEC_PER_MSEC,
		.count = irqCount.value,
		.offset_ns = offsetStart.value,
		.block_ticks = blockIRQ.value,
	};
	strscpy(config->source, source, sizeof(config->source));
	strscpy(config->bdf, bdf, sizeof(config->bdf));
}

enum msi_lat_verbosity msi_lat_param_verbosity(void)
{
	return verbosity.value;
}

bool msi_lat_param_autostart(void)
{
	return autostart;
}
