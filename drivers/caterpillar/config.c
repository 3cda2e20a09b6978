// SPDX-License-Identifier: GPL-2.0
#include "../core/check.h"
#include "caterpillar.h"

#define KNOWN_FLAGS	(KLAT_CATERPILLAR_FLAG_NO_PREFETCH | KLAT_CATERPILLAR_FLAG_NO_DISTURB | \
			 KLAT_CATERPILLAR_FLAG_FREEZE_TRACE | KLAT_CATERPILLAR_FLAG_ALLOW_IDLE)

static int check_buffer(u64 bytes, struct klat_refusal *refusal)
{
	if (bytes >= KLAT_CATERPILLAR_BUFFER_MIN && bytes <= KLAT_CATERPILLAR_BUFFER_MAX &&
	    !(bytes % KLAT_CATERPILLAR_BUFFER_MIN))
		return 0;
	return klat_refuse(refusal, -EINVAL,
			   "buffer = %llu: must be a multiple of %llu bytes, %llu .. %llu", bytes,
			   KLAT_CATERPILLAR_BUFFER_MIN, KLAT_CATERPILLAR_BUFFER_MIN,
			   KLAT_CATERPILLAR_BUFFER_MAX);
}

static int check_numbers(const struct klat_caterpillar_config *config,
			 struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_range("cycles", config->cycles, 1, KLAT_CATERPILLAR_CYCLES_MAX, "",
			       refusal);
	if (!ret)
		ret = klat_check_range("operations", config->operations, 1,
				       KLAT_CATERPILLAR_OPERATIONS_MAX, "", refusal);
	if (!ret)
		ret = klat_check_ring(config->ring_entries, KLAT_CATERPILLAR_RING_MIN,
				      KLAT_CATERPILLAR_RING_MAX, refusal);
	if (!ret)
		ret = klat_check_limit(config->limit_ns, refusal);
	return ret ?: check_buffer(config->buffer, refusal);
}

static int check(const struct klat_caterpillar_config *config, struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_flags(config->flags, KNOWN_FLAGS, refusal);
	if (ret)
		return ret;
	ret = klat_check_reserved(config->reserved, refusal);
	if (ret)
		return ret;
	if (config->walk > KLAT_CATERPILLAR_STRIDE)
		return klat_refuse(refusal, -EINVAL,
				   "walk = %u: must be %u (permuted) or %u (stride)",
				   config->walk, KLAT_CATERPILLAR_PERMUTED,
				   KLAT_CATERPILLAR_STRIDE);
	if (!config->samples)
		return klat_refuse(refusal, -EINVAL,
				   "samples = 0: must be above 0, or below 0 for without end");
	ret = klat_check_cpu("cpu", config->cpu, refusal);
	return ret ?: check_numbers(config, refusal);
}

int caterpillar_configure(struct klat_bench *bench, const void *arg,
			  struct klat_refusal *refusal)
{
	const struct klat_caterpillar_config *config = arg;
	struct caterpillar *cater = caterpillar_of(bench);
	int ret;

	ret = check(config, refusal);
	if (ret)
		return ret;
	cater->config = *config;
	if (!cater->config.ring_entries)
		cater->config.ring_entries = CATERPILLAR_RING_DEFAULT;
	return 0;
}
