// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters: the names, units and meaning of Intel ECI's msi_lat,
 * and source, bdf and autostart.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/string.h>

#include "../core/param.h"
#include "../source/param.h"
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
KLAT_PARAM_VERBOSITY();
KLAT_PARAM_NUMBER(offsetStart, 0, 0, KLAT_MSI_LAT_OFFSET_MAX, false,
	"0 .. 1000000000 ns",
	"taken off each latency before it is counted; raw samples keep it (default 0)");
KLAT_PARAM_NUMBER(blockIRQ, 0, 0, KLAT_MSI_LAT_BLOCK_MAX, false,
	"0 .. 10000000 clock ticks",
	"keeps interrupts off on the requesting CPU so long after the request (default 0)");

KLAT_PARAM_SOURCE();

KLAT_PARAM_AUTOSTART();

void msi_lat_params(struct klat_msi_lat_config *config)
{
	klat_param_cpu_default(&coreSpecWQ, 0);
	klat_param_cpu_default(&coreSpecIRQ, 1);
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

enum klat_verbosity msi_lat_param_verbosity(void)
{
	return verbosity.value;
}

bool msi_lat_param_autostart(void)
{
	return autostart;
}
