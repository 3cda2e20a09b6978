// SPDX-License-Identifier: GPL-2.0
/*
 * What a result of hwlat has of its own: first what users of hwlatdetect know, in
 * its words, then which CPUs had each event, and what took the time.
 */
#include <inttypes.h>

#include "cpulist.h"
#include "duration.h"
#include "hwlat.h"
#include "out_text.h"
#include "output.h"

#define LIST_LEN	512

/* Whole microseconds, as hwlatdetect has them, unless less than one was asked about */
static void us_text(const struct hwlat *h, uint64_t ns, char *buf, size_t len)
{
	if (h->threshold % NS_PER_US)
		snprintf(buf, len, "%.3f", (double)ns / NS_PER_US);
	else
		snprintf(buf, len, "%" PRIu64, (uint64_t)(ns / NS_PER_US));
}

static void print_us(const char *what, uint64_t ns, FILE *to)
{
	fprintf(to, "%s%.10gus\n", what, (double)ns / NS_PER_US);
}

static void print_parameters(const struct hwlat *h, FILE *to)
{
	fprintf(to, "klat hwlat:  test duration %.10g seconds\n", (double)h->duration / NS_PER_S);
	fputs("   detector: klat hwlat_detector\n   parameters:\n", to);
	print_us("        Latency threshold: ", h->threshold, to);
	print_us("        Sample window:     ", h->window, to);
	print_us("        Sample width:      ", h->width, to);
	print_us("     Non-sampling period:  ", h->window - h->width, to);
	fprintf(to, "        Output File:       %s\n\n", h->output ? h->output : "None");
}

static void print_smis(const struct hwlat *h, FILE *to)
{
	struct smi_summary smi = hwlat_smi(h);

	for (size_t i = 0; smi.known && i < h->nr_cpus; i++) {
		struct smi_count count = hwlat_smi_count(&h->cpus[i]);

		if (count.known)
			fprintf(to, "%" PRIu64 " SMIs occured on cpu %u\n", count.delta,
				h->cpus[i].cpu.cpu);
		else
			fprintf(to, "unknown SMIs on cpu %u\n", h->cpus[i].cpu.cpu);
	}
	if (!smi.known)
		fputs("SMIs during run: unknown (no CPU was asked, or none counts them)\n", to);
	else
		fprintf(to, "SMIs during run: %" PRIu64 " (the sum over the CPUs; distinct SMIs: %"
			PRIu64 "%s)\n", smi.sum, smi.distinct,
			smi.differ ? ", the largest of counts that differ" : "");
}

static void print_stamps(const struct result *r, const struct hwlat *h, FILE *to)
{
	char inner[32], outer[32];

	for (size_t i = 0; i < h->nr_events; i++) {
		const struct hwlat_event *e = &h->events[i];

		us_text(h, result_ns(r, e->inner), inner, sizeof(inner));
		us_text(h, result_ns(r, e->outer), outer, sizeof(outer));
		fprintf(to, "ts: %" PRIu64 ".%09" PRIu64 ", inner:%s, outer:%s\n",
			(uint64_t)(e->start_real / NS_PER_S), (uint64_t)(e->start_real % NS_PER_S),
			inner, outer);
	}
	if (h->seen > h->nr_events)
		fprintf(to, "... and %" PRIu64 " more\n", h->seen - h->nr_events);
}

static void print_block(const struct result *r, FILE *to)
{
	const struct series *gap = result_primary(r);
	const struct hwlat *h = r->own;
	char max[32];

	print_parameters(h, to);
	fputs("Starting test\n", to);
	if (r->status.state == KLAT_DONE)
		fputs("test finished\n", to);
	else
		fprintf(to, "test ended early, after %.3f seconds\n",
			(double)r->status.duration / NS_PER_S);
	us_text(h, result_ns(r, gap->stats.max), max, sizeof(max));
	fprintf(to, "Max Latency: %s%s\n", gap->stats.count ? max : "Below threshold",
		gap->stats.count ? "us" : "");
	fprintf(to, "Samples recorded: %" PRIu64 "\nSamples exceeding threshold: %" PRIu64 "\n",
		h->seen, h->seen);
	print_smis(h, to);
	if (r->report)
		fprintf(to, "report saved to %s (%" PRIu64 " samples)\n", r->report, h->seen);
	print_stamps(r, h, to);
}

static void print_missing(const struct result *r, const struct klat_cpu *cpu, FILE *to)
{
	if (!cpu->absences)
		return;
	fprintf(to, "  %.3f s, %" PRIu32 " times, last since %.3f s%s",
		(double)cpu->missing / NS_PER_S, cpu->absences,
		((double)cpu->missing_since - (double)r->status.start_mono) / NS_PER_S,
		cpu->state == KLAT_CPU_MISSING ? " (still)" : "");
}

static void print_cpus(const struct result *r, FILE *to)
{
	const struct hwlat *h = r->own;

	fprintf(to, "\n%4s %8s %11s %7s %7s %8s %10s %8s %8s  %s\n", "CPU", "windows",
		"looked s", "share", "asked", "gaps", "max ns", "SMI", "NMI", "missing");
	for (size_t i = 0; i < h->nr_cpus; i++) {
		const struct hwlat_cpu *c = &h->cpus[i];
		const struct klat_disturb *d = &c->cpu.disturb;

		fprintf(to, "%4u %8" PRIu64 " %11.3f %6.2f%% %6.2f%% %8" PRIu64 " %10" PRIu64,
			c->cpu.cpu, (uint64_t)c->looked.count,
			(double)hwlat_looked_ns(r, c) / NS_PER_S, 100 * hwlat_share(r, c),
			100 * (double)h->width / (double)h->window, (uint64_t)c->gap.count,
			result_ns(r, c->gap.max));
		text_counter(d->known & KLAT_KNOWN_SMI, d->smi, to);
		text_counter(d->known & KLAT_KNOWN_NMI, d->nmi, to);
		print_missing(r, &c->cpu, to);
		fputs("\n", to);
	}
}

static void list_cpus(const struct hwlat *h, const struct hwlat_event *e, enum hwlat_part part,
		      char *buf, size_t len)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	snprintf(buf, len, "-");
	for (size_t i = 0; set && i < h->nr_cpus; i++)
		if (hwlat_part(h, e, h->cpus[i].cpu.cpu) == part)
			hwloc_bitmap_set(set, h->cpus[i].cpu.cpu);
	if (set && !hwloc_bitmap_iszero(set))
		cpulist_print(set, buf, len);
	hwloc_bitmap_free(set);
}

static void print_event(const struct result *r, const struct hwlat_event *e, FILE *to)
{
	char had[LIST_LEN], quiet[LIST_LEN], away[LIST_LEN], cause[128];
	bool inner = e->inner > e->outer;
	const struct hwlat *h = r->own;

	list_cpus(h, e, HWLAT_HAD_IT, had, sizeof(had));
	list_cpus(h, e, HWLAT_QUIET, quiet, sizeof(quiet));
	list_cpus(h, e, HWLAT_NOT_LOOKING, away, sizeof(away));
	hwlat_cause_text(r, e, cause, sizeof(cause));
	fprintf(to, "%8" PRIu64 " %14.6f %10" PRIu64 " %-5s  %-10s %-10s %-11s  %s", e->seq,
		((double)e->start_mono - (double)r->status.start_mono) / NS_PER_S,
		result_ns(r, inner ? e->inner : e->outer), inner ? "inner" : "outer", had, quiet,
		away, cause);
	if (e->nr < e->wanted)
		fprintf(to, "  (%" PRIu32 " of its %" PRIu32 " records were lost)",
			e->wanted - e->nr, e->wanted);
	fputs("\n", to);
}

static void print_events(const struct result *r, FILE *to)
{
	const struct hwlat *h = r->own;
	uint64_t step;

	if (result_setting(r, "step", &step))
		fprintf(to, "step:   %" PRIu64 " ticks, %" PRIu64 " ns: the loop's own, in every "
			"gap\n", step, result_ns(r, step));
	print_cpus(r, to);
	if (!h->nr_events)
		return;
	fprintf(to, "\n%8s %14s %10s %-5s  %-10s %-10s %-11s  %s\n", "event", "after start s",
		"gap ns", "kind", "CPUs", "quiet", "not looking", "cause");
	for (size_t i = 0; i < h->nr_events; i++)
		print_event(r, &h->events[i], to);
}

const struct result_kind hwlat_kind = {
	.empty = "none above the threshold",
	.late = "windows that came too late, and were left out",
	.less = "cpus",
	.eci_first = true,
	.no_hist = 1U << KLAT_HWLAT_DETECTOR_LOOKED,
	.judge = hwlat_judge,
	.notes = hwlat_notes,
	.text = print_events,
	.eci = print_block,
	.json = hwlat_json,
};
