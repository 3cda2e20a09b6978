// SPDX-License-Identifier: GPL-2.0
#include "../core/check.h"
#include "../source/pci_address.h"
#include "mmio_latency.h"

#define KNOWN_FLAGS	(KLAT_MMIO_LATENCY_FLAG_BLOCK_IRQ | KLAT_MMIO_LATENCY_FLAG_FORCE |	\
			 KLAT_MMIO_LATENCY_FLAG_PHYSICAL | KLAT_MMIO_LATENCY_FLAG_NO_DISTURB |	\
			 KLAT_MMIO_LATENCY_FLAG_FREEZE_TRACE |					\
			 KLAT_MMIO_LATENCY_FLAG_ALLOW_IDLE)

static int check_physical(const struct klat_mmio_latency_config *config,
			  struct klat_refusal *refusal)
{
	if (config->bdf[0])
		return klat_refuse(refusal, -EINVAL,
				   "bdf = %s: goes without address; give one of the two",
				   config->bdf);
	if (config->bar || config->offset)
		return klat_refuse(refusal, -EINVAL,
				   "bar = %u, offset = %#llx: go with bdf; must be 0 with address",
				   config->bar, config->offset);
	if (config->address % config->width)
		return klat_refuse(refusal, -EINVAL,
				   "address = %#llx: must be a multiple of the width, %u",
				   config->address, config->width);
	return 0;
}

static int check_bdf(const struct klat_mmio_latency_config *config,
		     struct klat_refusal *refusal)
{
	struct klat_pci_address address;

	if (!config->bdf[0])
		return klat_refuse(refusal, -EINVAL,
				   "no register: give address, or bdf (and bar and offset); lspci -v shows devices and the addresses of their memory");
	if (!klat_pci_parse_address(config->bdf, &address))
		return klat_refuse(refusal, -EINVAL,
				   "bdf = %s: must be a PCI address, [DDDD:]BB:DD.F in hexadecimal",
				   config->bdf);
	if (config->address)
		return klat_refuse(refusal, -EINVAL,
				   "address = %#llx: goes without bdf; give one of the two",
				   config->address);
	if (config->bar >= PCI_STD_NUM_BARS)
		return klat_refuse(refusal, -EINVAL, "bar = %u: must be 0 .. %u", config->bar,
				   PCI_STD_NUM_BARS - 1);
	if (config->offset % config->width)
		return klat_refuse(refusal, -EINVAL,
				   "offset = %#llx: must be a multiple of the width, %u",
				   config->offset, config->width);
	return 0;
}

int mmio_latency_check_where(const struct klat_mmio_latency_config *config,
			     struct klat_refusal *refusal)
{
	if (config->flags & KLAT_MMIO_LATENCY_FLAG_PHYSICAL)
		return check_physical(config, refusal);
	return check_bdf(config, refusal);
}

static int check_numbers(const struct klat_mmio_latency_config *config,
			 struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_range("burst", config->burst, 1, KLAT_MMIO_LATENCY_BURST_MAX, "reads",
			       refusal);
	if (!ret)
		ret = klat_check_range("pause_ns", config->pause_ns,
				       KLAT_MMIO_LATENCY_PAUSE_MIN,
				       KLAT_MMIO_LATENCY_PAUSE_MAX, "ns", refusal);
	if (!ret)
		ret = klat_check_range("mmio_outlier_ns", config->mmio_outlier_ns, 0,
				       KLAT_MMIO_LATENCY_OUTLIER_MAX, "ns", refusal);
	if (!ret)
		ret = klat_check_range("sched_outlier_ns", config->sched_outlier_ns, 0,
				       KLAT_MMIO_LATENCY_OUTLIER_MAX, "ns", refusal);
	if (!ret)
		ret = klat_check_ring(config->ring_entries, KLAT_MMIO_LATENCY_RING_MIN,
				      KLAT_MMIO_LATENCY_RING_MAX, refusal);
	return ret;
}

static int check(const struct klat_mmio_latency_config *config, struct klat_refusal *refusal)
{
	u32 width = config->width;
	int ret;

	ret = klat_check_flags(config->flags, KNOWN_FLAGS, refusal);
	if (ret)
		return ret;
	ret = klat_check_reserved(config->reserved, refusal);
	if (ret)
		return ret;
	if (width != 1 && width != 2 && width != 4 && width != 8)
		return klat_refuse(refusal, -EINVAL, "width = %u: must be 1, 2, 4 or 8 bytes",
				   width);
	ret = klat_check_count(config->count, refusal);
	if (!ret)
		ret = klat_check_cpu("cpu", config->cpu, refusal);
	if (!ret)
		ret = check_numbers(config, refusal);
	if (!ret)
		ret = klat_check_name("bdf", config->bdf, sizeof(config->bdf), refusal);
	if (!ret)
		ret = klat_check_limit(config->limit_ns, refusal);
	return ret ?: mmio_latency_check_where(config, refusal);
}

int mmio_latency_configure(struct klat_bench *bench, const void *arg,
			   struct klat_refusal *refusal)
{
	const struct klat_mmio_latency_config *config = arg;
	struct mmio_latency *mmio = mmio_latency_of(bench);
	int ret;

	ret = check(config, refusal);
	if (ret)
		return ret;
	mmio->config = *config;
	if (!mmio->config.ring_entries)
		mmio->config.ring_entries = MMIO_LATENCY_RING_DEFAULT;
	return 0;
}
