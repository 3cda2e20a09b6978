// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/string.h>

#include "check.h"

int klat_check_flags(u32 flags, u32 known, struct klat_refusal *refusal)
{
	if (!(flags & ~known))
		return 0;
	return klat_refuse(refusal, -EOPNOTSUPP, "flags = %#x: unknown are %#x", flags,
			   flags & ~known);
}

int klat_check_reserved(u32 reserved, struct klat_refusal *refusal)
{
	if (!reserved)
		return 0;
	return klat_refuse(refusal, -EINVAL, "reserved = %u: must be 0", reserved);
}

int klat_check_cpu(const char *what, u32 cpu, struct klat_refusal *refusal)
{
	if (cpu < nr_cpu_ids && cpu_online(cpu))
		return 0;
	return klat_refuse(refusal, -EINVAL, "%s = %u: must be an online CPU (online: %*pbl)",
			   what, cpu, cpumask_pr_args(cpu_online_mask));
}

int klat_check_range(const char *what, u64 value, u64 min, u64 max, const char *unit,
		     struct klat_refusal *refusal)
{
	if (value >= min && value <= max)
		return 0;
	return klat_refuse(refusal, -EINVAL, "%s = %llu: must be %llu .. %llu%s%s", what,
			   value, min, max, *unit ? " " : "", unit);
}

int klat_check_ring(u32 entries, u32 min, u32 max, struct klat_refusal *refusal)
{
	if (!entries || (is_power_of_2(entries) && entries >= min && entries <= max))
		return 0;
	return klat_refuse(refusal, -EINVAL,
			   "ring_entries = %u: must be 0 or a power of two, %u .. %u",
			   entries, min, max);
}

int klat_check_limit(u64 limit_ns, struct klat_refusal *refusal)
{
	return klat_check_range("limit_ns", limit_ns, 0, KLAT_LIMIT_MAX, "ns", refusal);
}

int klat_check_count(s64 count, struct klat_refusal *refusal)
{
	if (count)
		return 0;
	return klat_refuse(refusal, -EINVAL,
			   "count = 0: must be above 0, or below 0 for without end");
}

int klat_check_name(const char *what, const char *name, size_t size,
		    struct klat_refusal *refusal)
{
	if (strnlen(name, size) < size)
		return 0;
	return klat_refuse(refusal, -EINVAL, "%s: must end with a NUL within %zu bytes", what,
			   size);
}
