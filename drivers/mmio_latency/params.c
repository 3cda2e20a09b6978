// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters. address, block_irq and loops are those of Intel ECI's
 * mmio-latency.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/string.h>

#include "../core/param.h"
#include "../source/pci_address.h"
#include "mmio_latency.h"

#define PAUSE_MIN_US	(KLAT_MMIO_LATENCY_PAUSE_MIN / NSEC_PER_USEC)
#define PAUSE_MAX_US	(KLAT_MMIO_LATENCY_PAUSE_MAX / NSEC_PER_USEC)

/* Addresses are written down in hexadecimal, by lspci without 0x */
static bool address_given;
static u64 address;

static int address_set(const char *text, const struct kernel_param *kp)
{
	if (kstrtou64(text, 16, &address)) {
		pr_err("%s = %s: must be a physical address in hexadecimal, as lspci -v shows it\n",
		       kp->name, text);
		return -EINVAL;
	}
	address_given = true;
	return 0;
}

static int address_get(char *buffer, const struct kernel_param *kp)
{
	return address_given ? sysfs_emit(buffer, "%#llx\n", address) :
			       sysfs_emit(buffer, "\n");
}

static const struct kernel_param_ops address_ops = {
	.set = address_set,
	.get = address_get,
};

module_param_cb(address, &address_ops, NULL, 0444);
__MODULE_PARM_TYPE(address, "hexadecimal");
MODULE_PARM_DESC(address, "physical address of the register, hexadecimal, in a memory BAR");

static char bdf[KLAT_NAME_LEN];

static int bdf_set(const char *text, const struct kernel_param *kp)
{
	struct klat_pci_address parsed;

	if (strlen(text) >= KLAT_NAME_LEN) {
		pr_err("%s = %s: too long; must be at most %u characters\n", kp->name, text,
		       KLAT_NAME_LEN - 1);
		return -EINVAL;
	}
	if (*text && !klat_pci_parse_address(text, &parsed)) {
		pr_err("%s = %s: must be a PCI address, [DDDD:]BB:DD.F in hexadecimal\n",
		       kp->name, text);
		return -EINVAL;
	}
	strscpy(bdf, text, KLAT_NAME_LEN);
	return 0;
}

static int bdf_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", bdf);
}

static const struct kernel_param_ops bdf_ops = {
	.set = bdf_set,
	.get = bdf_get,
};

module_param_cb(bdf, &bdf_ops, NULL, 0444);
__MODULE_PARM_TYPE(bdf, "charp");
MODULE_PARM_DESC(bdf, "PCI address of the device, [DDDD:]BB:DD.F, instead of address");

KLAT_PARAM_NUMBER(bar, 0, 0, PCI_STD_NUM_BARS - 1, false,
	"0 .. 5",
	"with bdf: base address register (default 0)");
KLAT_PARAM_NUMBER(offset, 0, 0, S64_MAX, false,
	"0 .. the end of the BAR",
	"with bdf: of the register in the BAR (default 0)");

static unsigned int width = 4;

static int width_set(const char *text, const struct kernel_param *kp)
{
	unsigned int value;

	if (kstrtouint(text, 0, &value) ||
	    (value != 1 && value != 2 && value != 4 && value != 8)) {
		pr_err("%s = %s: must be 1, 2, 4 or 8 bytes\n", kp->name, text);
		return -EINVAL;
	}
	width = value;
	return 0;
}

static int width_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%u\n", width);
}

static const struct kernel_param_ops width_ops = {
	.set = width_set,
	.get = width_get,
};

module_param_cb(width, &width_ops, NULL, 0444);
__MODULE_PARM_TYPE(width, "uint");
MODULE_PARM_DESC(width, "bytes of a read (default 4): 1, 2, 4 or 8");

KLAT_PARAM_CPU(core,
	"CPU that reads: an online CPU (default 1, or the first online one)");
KLAT_PARAM_NUMBER(block_irq, 0, 0, 1, false,
	"0 or 1",
	"interrupts off during each read (default 0)");
KLAT_PARAM_NUMBER(loops, 100000, S64_MIN, S64_MAX, true,
	"1 .. 9223372036854775807, or below 0 for without end",
	"how many reads (default 100000)");
KLAT_PARAM_NUMBER(burst, KLAT_MMIO_LATENCY_BURST_MAX, 1, KLAT_MMIO_LATENCY_BURST_MAX, false,
	"1 .. 64",
	"reads one right after the other (default 64)");
KLAT_PARAM_NUMBER(pause, 1000, PAUSE_MIN_US, PAUSE_MAX_US, false,
	"10 .. 3600000000 us",
	"from one burst to the next (default 1000)");
KLAT_PARAM_NUMBER(mmio_threshold, 10000, 0, KLAT_MMIO_LATENCY_OUTLIER_MAX, false,
	"0 .. 1000000000 ns",
	"a longer read is an mmio-outlier (default 10000)");
KLAT_PARAM_NUMBER(sched_threshold, 10000, 0, KLAT_MMIO_LATENCY_OUTLIER_MAX, false,
	"0 .. 1000000000 ns",
	"a longer gap between two reads of a burst is a sched-outlier (default 10000)");
KLAT_PARAM_NUMBER(force, 0, 0, 1, false,
	"0 or 1",
	"read even if a driver holds the device: a read can change its state (default 0)");
KLAT_PARAM_VERBOSITY();
KLAT_PARAM_AUTOSTART();

static u32 flags(void)
{
	u32 flags = 0;

	if (address_given)
		flags |= KLAT_MMIO_LATENCY_FLAG_PHYSICAL;
	if (block_irq.value)
		flags |= KLAT_MMIO_LATENCY_FLAG_BLOCK_IRQ;
	if (force.value)
		flags |= KLAT_MMIO_LATENCY_FLAG_FORCE;
	return flags;
}

void mmio_latency_params(struct klat_mmio_latency_config *config)
{
	klat_param_cpu_default(&core, 1);
	*config = (struct klat_mmio_latency_config){
		.size = sizeof(*config),
		.flags = flags(),
		.cpu = core,
		.width = width,
		.bar = bar.value,
		.burst = burst.value,
		.ring_entries = MMIO_LATENCY_RING_DEFAULT,
		.pause_ns = pause.value * NSEC_PER_USEC,
		.count = loops.value,
		.mmio_outlier_ns = mmio_threshold.value,
		.sched_outlier_ns = sched_threshold.value,
		.address = address,
		.offset = offset.value,
	};
	strscpy(config->bdf, bdf, sizeof(config->bdf));
}

enum klat_verbosity mmio_latency_param_verbosity(void)
{
	return verbosity.value;
}

bool mmio_latency_param_autostart(void)
{
	return autostart;
}
