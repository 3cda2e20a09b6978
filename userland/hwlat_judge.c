// SPDX-License-Identifier: GPL-2.0
/* What a run of klat hwlat is worth: were the CPUs really looked at? */
#include <inttypes.h>
#include <string.h>

#include "duration.h"
#include "hwlat.h"

#define SHARE_AT_LEAST	0.9	/* of what was asked */

static void judge_missing(struct result *r, const struct klat_cpu *cpu)
{
	char missing[32], since[32];

	duration_rough(cpu->missing, missing, sizeof(missing));
	duration_rough(cpu->missing_since - r->status.start_mono, since, sizeof(since));
	because(r, VERDICT_INCOMPLETE, "CPU %" PRIu32 " was missing for %s (times: %" PRIu32
		"; last since %s after the start)%s", cpu->cpu, missing, cpu->absences, since,
		cpu->state == KLAT_CPU_MISSING ? " and did not come back" : "");
}

/*
 * The first window of a CPU may begin a whole window late, as they are staggered,
 * and the last is cut by the end of the run: neither is held against it. That it
 * was looked at at all is always asked, but of a run that its limit ended.
 */
static void judge_share(struct result *r, const struct hwlat *h, const struct hwlat_cpu *cpu)
{
	double windows = (double)r->status.duration / (double)h->window - 1;
	double asked = windows > 0 ? windows * (double)h->width : 0;
	uint64_t looked = hwlat_looked_ns(r, cpu);
	char have[32], want[32];

	if (result_stopped_at_limit(r))
		return;
	if (looked && (double)looked >= SHARE_AT_LEAST * asked)
		return;
	if (!looked) {
		because(r, VERDICT_INCOMPLETE, "CPU %" PRIu32 " was never looked at",
			cpu->cpu.cpu);
		return;
	}
	duration_rough(looked, have, sizeof(have));
	duration_rough((uint64_t)asked, want, sizeof(want));
	because(r, VERDICT_INCOMPLETE, "CPU %" PRIu32 " was looked at for %s: 90 %% of %s, what "
		"was asked for of all windows but one, are needed", cpu->cpu.cpu, have, want);
}

void hwlat_judge(struct result *r)
{
	const struct hwlat *h = r->own;

	if (r->status.ring_lost)
		because(r, VERDICT_INCOMPLETE, "records of events that were lost: %" PRIu64,
			(uint64_t)r->status.ring_lost);
	if (r->reader.error)
		because(r, VERDICT_INCOMPLETE, "reading the events failed: %s",
			strerror(r->reader.error));
	if (!h->nr_cpus)
		because(r, VERDICT_INCOMPLETE, "no CPU looked");
	for (size_t i = 0; i < h->nr_cpus; i++) {
		if (h->cpus[i].cpu.absences)
			judge_missing(r, &h->cpus[i].cpu);
		else
			judge_share(r, h, &h->cpus[i]);
	}
}

static void note_smi(struct result *r)
{
	const struct hwlat *h = r->own;
	struct smi_summary smi = hwlat_smi(h);

	if (smi.differ)
		strlist_add(&r->notes, "the CPUs counted different numbers of SMIs: distinct is "
			    "the largest of them");
	if (smi.known && smi.unknown)
		strlist_add(&r->notes, "SMIs are unknown on %zu of %zu CPUs", smi.unknown,
			    h->nr_cpus);
	if (smi.known && !smi.sum && h->seen)
		strlist_add(&r->notes, "no SMI seen: look for NMI, hypervisor, C-state");
}

void hwlat_notes(struct result *r)
{
	const struct hwlat *h = r->own;

	note_smi(r);
	if (h->seen > h->nr_events)
		strlist_add(&r->notes, "the first %zu events are kept in full; the %" PRIu64
			    " after them are in the statistics only", h->nr_events,
			    h->seen - h->nr_events);
}
