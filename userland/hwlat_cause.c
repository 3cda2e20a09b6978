// SPDX-License-Identifier: GPL-2.0
/* What took the time: SMIs, NMIs, a hypervisor, or nobody knows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hwlat.h"

/* What a CPU counted in an event; or the largest of its CPUs, as each counts the same SMI */
struct counted {
	bool smi_known;
	bool nmi_known;
	uint32_t smi;
	uint32_t nmi;
};

struct smi_summary smi_summarize(const struct smi_count *counts, size_t nr)
{
	struct smi_summary sum = { 0 };
	uint64_t first = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!counts[i].known) {
			sum.unknown++;
			continue;
		}
		if (!sum.known)
			first = counts[i].delta;
		sum.known = true;
		sum.sum += counts[i].delta;
		sum.differ |= counts[i].delta != first;
		if (counts[i].delta > sum.distinct)
			sum.distinct = counts[i].delta;
	}
	return sum;
}

struct smi_count hwlat_smi_count(const struct hwlat_cpu *cpu)
{
	return (struct smi_count) {
		.known = cpu->cpu.disturb.known & KLAT_KNOWN_SMI,
		.delta = cpu->cpu.disturb.smi,
	};
}

struct smi_summary hwlat_smi(const struct hwlat *h)
{
	struct smi_count *counts = calloc(h->nr_cpus + 1, sizeof(*counts));
	struct smi_summary summary = { .unknown = h->nr_cpus };

	for (size_t i = 0; counts && i < h->nr_cpus; i++)
		counts[i] = hwlat_smi_count(&h->cpus[i]);
	if (counts)
		summary = smi_summarize(counts, h->nr_cpus);
	free(counts);
	return summary;
}

/* Of several gaps of a CPU each has what came since the one before */
static struct counted count_on(const struct hwlat *h, const struct hwlat_event *event,
			       uint32_t cpu)
{
	const struct klat_hwlat_detector_record *records = hwlat_records(h, event);
	struct counted c = { 0 };

	for (uint32_t i = 0; i < event->nr; i++) {
		if (records[i].sample.cpu != cpu)
			continue;
		if (records[i].known & KLAT_KNOWN_SMI) {
			c.smi_known = true;
			c.smi += records[i].smi;
		}
		if (records[i].known & KLAT_KNOWN_NMI) {
			c.nmi_known = true;
			c.nmi += records[i].nmi;
		}
	}
	return c;
}

static struct counted count(const struct hwlat *h, const struct hwlat_event *event)
{
	struct counted c = { 0 };

	for (size_t i = 0; i < h->nr_cpus; i++) {
		struct counted on = count_on(h, event, h->cpus[i].cpu.cpu);

		c.smi_known |= on.smi_known;
		c.nmi_known |= on.nmi_known;
		if (on.smi > c.smi)
			c.smi = on.smi;
		if (on.nmi > c.nmi)
			c.nmi = on.nmi;
	}
	return c;
}

/* A hypervisor that says itself that it took time from a CPU of the event */
static bool was_stolen(const struct hwlat *h, const struct hwlat_event *event)
{
	for (size_t i = 0; i < h->nr_cpus; i++) {
		const struct klat_disturb *d = &h->cpus[i].cpu.disturb;

		if ((d->known & KLAT_KNOWN_STEAL) && d->steal &&
		    hwlat_part(h, event, h->cpus[i].cpu.cpu) == HWLAT_HAD_IT)
			return true;
	}
	return false;
}

enum hwlat_cause hwlat_cause(const struct result *r, const struct hwlat_event *event)
{
	const struct counted c = count(r->own, event);

	if (c.smi && c.nmi)
		return HWLAT_SMI_AND_NMI;
	if (c.smi)
		return HWLAT_SMI;
	if (c.nmi)
		return HWLAT_NMI;
	if (r->machine.hypervisor.present || was_stolen(r->own, event))
		return HWLAT_HYPERVISOR;
	return HWLAT_UNEXPLAINED;
}

const char *hwlat_cause_name(enum hwlat_cause cause)
{
	static const char *const names[] = {
		[HWLAT_SMI] = "SMI",
		[HWLAT_NMI] = "NMI",
		[HWLAT_SMI_AND_NMI] = "SMI and NMI",
		[HWLAT_HYPERVISOR] = "hypervisor",
		[HWLAT_UNEXPLAINED] = "unexplained",
	};

	return names[cause];
}

static const char *unexplained(const struct counted *c)
{
	if (c->smi_known && c->nmi_known)
		return "unexplained: neither SMI nor NMI counted";
	if (c->smi_known)
		return "unexplained: no SMI seen, NMIs unknown";
	if (c->nmi_known)
		return "unexplained: no NMI seen, SMIs unknown";
	return "unexplained: SMIs and NMIs unknown";
}

void hwlat_cause_text(const struct result *r, const struct hwlat_event *event, char *buf,
		      size_t len)
{
	const struct counted c = count(r->own, event);
	const struct hypervisor *hv = &r->machine.hypervisor;

	switch (hwlat_cause(r, event)) {
	case HWLAT_SMI:
		snprintf(buf, len, "SMI (%" PRIu32 ")", c.smi);
		return;
	case HWLAT_NMI:
		snprintf(buf, len, "NMI (%" PRIu32 ")", c.nmi);
		return;
	case HWLAT_SMI_AND_NMI:
		snprintf(buf, len, "SMI (%" PRIu32 ") and NMI (%" PRIu32 ")", c.smi, c.nmi);
		return;
	case HWLAT_HYPERVISOR:
		snprintf(buf, len, "hypervisor likely (%s)",
			 hv->present ? hv->name : "time was stolen");
		return;
	case HWLAT_UNEXPLAINED:
		snprintf(buf, len, "%s", unexplained(&c));
	}
}
