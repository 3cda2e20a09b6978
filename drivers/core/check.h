/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks of configurations that all benchmarks make: each names the member, its
 * value and what is allowed, and gives -EINVAL (flags: -EOPNOTSUPP).
 */
#ifndef KLAT_CORE_CHECK_H
#define KLAT_CORE_CHECK_H

#include "refusal.h"

int klat_check_flags(u32 flags, u32 known, struct klat_refusal *refusal);
/* A member that is for later: 0 */
int klat_check_reserved(u32 reserved, struct klat_refusal *refusal);
int klat_check_cpu(const char *what, u32 cpu, struct klat_refusal *refusal);
int klat_check_range(const char *what, u64 value, u64 min, u64 max, const char *unit,
		     struct klat_refusal *refusal);
/* A ring's entries: a power of two in the range, or 0 for the default */
int klat_check_ring(u32 entries, u32 min, u32 max, struct klat_refusal *refusal);
/* limit_ns: 0 for none, or up to KLAT_LIMIT_MAX */
int klat_check_limit(u64 limit_ns, struct klat_refusal *refusal);
/* How many events: not 0 */
int klat_check_count(s64 count, struct klat_refusal *refusal);
/* A name in @size bytes: must end in them */
int klat_check_name(const char *what, const char *name, size_t size,
		    struct klat_refusal *refusal);

#endif /* KLAT_CORE_CHECK_H */
