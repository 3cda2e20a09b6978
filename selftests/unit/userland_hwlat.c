// SPDX-License-Identifier: GPL-2.0
/* hwlat: counting SMIs, making events of records, what caused them, and the verdict. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "duration.h"
#include "hwlat.h"
#include "print.h"

#define CPUS		4
#define START_REAL	1700000000000000000ULL
#define START_MONO	5000000000ULL
#define KNOWN		(KLAT_KNOWN_SMI | KLAT_KNOWN_NMI)

typedef struct klat_hwlat_detector_record record;

static char text[1 << 20];

/* A minute in which four CPUs were looked at half of the time, and nothing was found */
static int setup(void **state)
{
	struct hwlat *h = calloc(1, sizeof(*h));
	struct result *r = calloc(1, sizeof(*r));

	if (!h || !r || hwlat_init(h))
		return -1;
	h->threshold = 10 * NS_PER_US;
	h->window = NS_PER_S;
	h->width = 500 * NS_PER_MS;
	h->duration = NS_PER_MIN;
	h->nr_cpus = CPUS;
	h->cpus = calloc(CPUS, sizeof(*h->cpus));
	r->command = "hwlat";
	r->kind = &hwlat_kind;
	r->own = h;
	r->irq_cpu = -1;
	r->info.clock_hz = NS_PER_S;
	r->info.clock_flags = KLAT_CLOCK_STABLE;
	r->irq.number = -1;
	r->status.state = KLAT_DONE;
	r->status.start_real = START_REAL;
	r->status.start_mono = START_MONO;
	r->status.duration = NS_PER_MIN;
	result_add_series(r, "gap");
	result_add_series(r, "step");
	result_add_series(r, "looked");
	for (uint32_t i = 0; i < CPUS; i++) {
		h->cpus[i].cpu.cpu = i;
		h->cpus[i].cpu.state = KLAT_CPU_USED;
		h->cpus[i].cpu.disturb.known = KNOWN;
		h->cpus[i].looked.count = 60;
		h->cpus[i].looked.sum_lo = 30 * NS_PER_S;
		series_add(&r->series[2], 500 * NS_PER_MS, i, i);
	}
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct result *r = *state;

	hwlat_free(r->own);
	free(r->own);
	result_free(r);
	free(r);
	return 0;
}

static void take(struct result *r, const record *records, size_t nr)
{
	struct reader_batch batch = {
		.records = (const char *)records,
		.nr = nr,
		.size = sizeof(*records),
	};

	hwlat_take(r->own, &batch);
	for (size_t i = 0; i < nr; i++)
		if (records[i].sample.series != KLAT_HWLAT_DETECTOR_QUIET)
			series_add(&r->series[0], records[i].sample.value, records[i].sample.seq,
				   records[i].sample.cpu);
}

/* A gap of @us microseconds, 2 s after the start */
static record gap(uint64_t event, uint32_t cpu, uint16_t kind, uint64_t us, uint32_t nr)
{
	return (record) {
		.sample = {
			.seq = event,
			.cpu = cpu,
			.series = kind,
			.value = us * NS_PER_US,
		},
		.start_mono = START_MONO + 2 * NS_PER_S + cpu,
		.start_real = START_REAL + 2 * NS_PER_S + cpu,
		.known = kind == KLAT_HWLAT_DETECTOR_QUIET ? 0 : KNOWN,
		.nr_cpus = nr,
	};
}

static record counted(record gap, uint32_t smi, uint32_t nmi)
{
	gap.smi = smi;
	gap.nmi = nmi;
	return gap;
}

#define INNER	KLAT_HWLAT_DETECTOR_INNER
#define OUTER	KLAT_HWLAT_DETECTOR_OUTER
#define QUIET	KLAT_HWLAT_DETECTOR_QUIET

/* The firmware stops all CPUs, and each counts it */
static void test_smi_broadcast(void **state)
{
	const struct smi_count counts[] = { { true, 3 }, { true, 3 }, { true, 3 }, { true, 3 } };
	struct smi_summary s = smi_summarize(counts, 4);

	(void)state;
	assert_true(s.known);
	assert_int_equal(s.unknown, 0);
	assert_int_equal(s.sum, 12);
	assert_int_equal(s.distinct, 3);
	assert_false(s.differ);
}

static void test_smi_unknown(void **state)
{
	const struct smi_count counts[] = { { false, 0 }, { false, 0 } };
	struct smi_summary s = smi_summarize(counts, 2);

	(void)state;
	assert_false(s.known);
	assert_int_equal(s.unknown, 2);
	s = smi_summarize(NULL, 0);
	assert_false(s.known);
}

static void test_smi_split(void **state)
{
	const struct smi_count counts[] = { { true, 0 }, { true, 1 }, { true, 0 } };
	struct smi_summary s = smi_summarize(counts, 3);

	(void)state;
	assert_true(s.known);
	assert_int_equal(s.sum, 1);
	assert_int_equal(s.distinct, 1);
	assert_true(s.differ);
}

/* A CPU without a counter counts neither as 0 nor as different */
static void test_smi_partly(void **state)
{
	const struct smi_count counts[] = { { false, 0 }, { true, 2 }, { true, 2 } };
	struct smi_summary s = smi_summarize(counts, 3);

	(void)state;
	assert_true(s.known);
	assert_int_equal(s.unknown, 1);
	assert_int_equal(s.sum, 4);
	assert_int_equal(s.distinct, 2);
	assert_false(s.differ);
}

static void smis(struct result *r, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t counts[CPUS] = { a, b, c, d };
	struct hwlat *h = r->own;

	for (size_t i = 0; i < CPUS; i++)
		h->cpus[i].cpu.disturb.smi = counts[i];
}

static void test_block(void **state)
{
	const record records[] = {
		counted(gap(0, 1, OUTER, 12, 3), 1, 0),
		counted(gap(0, 0, INNER, 25, 3), 1, 0),
		gap(0, 2, QUIET, 0, 3),
		counted(gap(1, 3, OUTER, 11, 1), 1, 0),
	};
	struct result *r = *state;

	smis(r, 3, 3, 3, 3);
	take(r, records, 4);
	verdict_decide(r);
	print(r, OUTPUT_ECI, text, sizeof(text));
	assert_string_equal(text,
			    "klat hwlat:  test duration 60 seconds\n"
			    "   detector: klat hwlat_detector\n"
			    "   parameters:\n"
			    "        Latency threshold: 10us\n"
			    "        Sample window:     1000000us\n"
			    "        Sample width:      500000us\n"
			    "     Non-sampling period:  500000us\n"
			    "        Output File:       None\n"
			    "\n"
			    "Starting test\n"
			    "test finished\n"
			    "Max Latency: 25us\n"
			    "Samples recorded: 2\n"
			    "Samples exceeding threshold: 2\n"
			    "3 SMIs occured on cpu 0\n"
			    "3 SMIs occured on cpu 1\n"
			    "3 SMIs occured on cpu 2\n"
			    "3 SMIs occured on cpu 3\n"
			    "SMIs during run: 12 (the sum over the CPUs; distinct SMIs: 3)\n"
			    "ts: 1700000002.000000000, inner:25, outer:12\n"
			    "ts: 1700000002.000000003, inner:0, outer:11\n");
}

static void test_nothing_found(void **state)
{
	struct result *r = *state;

	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_COMPLETE);
	assert_int_equal(r->reasons.nr, 0);
	assert_int_equal(result_exit_code(r), EXIT_FINE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "Max Latency: Below threshold\nSamples recorded: 0\n");
	says(text, "\ngap      none above the threshold\n");
	says(text, "SMIs during run: 0 (the sum over the CPUs; distinct SMIs: 0)\n");
	says_not(text, "no SMI seen");
	print(r, OUTPUT_HIST, text, sizeof(text));
	says(text, "# none above the threshold\n");
	says_not(text, "looked");
	print(r, OUTPUT_KTAP, text, sizeof(text));
	says(text, "ok 1 ");
	says(text, "ok 3 hwlat: no value was above the limit # SKIP");
}

/* Below a microsecond nothing is cut off; the report is named when it is there */
static void test_fractions(void **state)
{
	record r0 = gap(0, 0, INNER, 0, 1);
	struct result *r = *state;
	struct hwlat *h = r->own;

	h->threshold = 500;
	h->output = "hwlat.log";
	r0.sample.value = 750;
	take(r, &r0, 1);
	print(r, OUTPUT_ECI, text, sizeof(text));
	says(text, "Latency threshold: 0.5us\n");
	says(text, "Max Latency: 0.750us\n");
	says(text, "inner:0.750, outer:0.000\n");
	says(text, "Output File:       hwlat.log\n");
	says_not(text, "report saved");
	r->report = "hwlat.log";
	print(r, OUTPUT_ECI, text, sizeof(text));
	says(text, "report saved to hwlat.log (1 samples)\n");
}

static void test_smi_texts(void **state)
{
	record r0 = gap(0, 0, INNER, 25, 1);
	struct result *r = *state;
	struct hwlat *h = r->own;

	take(r, &r0, 1);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "note: no SMI seen: look for NMI, hypervisor, C-state\n");
	smis(r, 0, 1, 0, 0);
	strlist_free(&r->notes);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "SMIs during run: 1 (the sum over the CPUs; distinct SMIs: 1, the largest of "
		   "counts that differ)\n");
	says(text, "note: the CPUs counted different numbers of SMIs");
	says_not(text, "no SMI seen");
	for (size_t i = 0; i < CPUS; i++)
		h->cpus[i].cpu.disturb.known = 0;
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "SMIs during run: unknown");
	says_not(text, "SMIs occured");
	print(r, OUTPUT_JSON, text, sizeof(text));
	says(text, "\"distinct\": null");
}

static void test_parts(void **state)
{
	const record records[] = {
		gap(7, 2, QUIET, 0, 4),
		gap(7, 1, OUTER, 30, 4),
		gap(7, 1, INNER, 20, 4),
		gap(7, 0, OUTER, 40, 4),
	};
	struct result *r = *state;
	const struct hwlat *h = r->own;
	const struct hwlat_event *e = h->events;

	take(r, records, 2);
	take(r, records + 2, 2);
	assert_int_equal(h->nr_events, 1);
	assert_int_equal(e->seq, 7);
	assert_int_equal(e->nr, 4);
	assert_int_equal(e->outer, 40 * NS_PER_US);
	assert_int_equal(e->inner, 20 * NS_PER_US);
	assert_int_equal(e->start_real, START_REAL + 2 * NS_PER_S);
	assert_int_equal(hwlat_part(h, e, 0), HWLAT_HAD_IT);
	assert_int_equal(hwlat_part(h, e, 1), HWLAT_HAD_IT);
	assert_int_equal(hwlat_part(h, e, 2), HWLAT_QUIET);
	assert_int_equal(hwlat_part(h, e, 3), HWLAT_NOT_LOOKING);
	verdict_decide(r);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "       7       2.000000      40000 outer  0-1        2          3            "
		   "unexplained: neither SMI nor NMI counted\n");
	print(r, OUTPUT_JSON, text, sizeof(text));
	says(text, "\"not_looking\": [\n        3\n      ]");
	says(text, "\"kind\": \"quiet\"");
}

static void caused(struct result *r, record gap, enum hwlat_cause cause, const char *words)
{
	struct hwlat *h = r->own;
	char buf[128];

	h->nr_events = h->nr_records = 0;
	h->seen = 0;
	take(r, &gap, 1);
	assert_int_equal(hwlat_cause(r, h->events), cause);
	hwlat_cause_text(r, h->events, buf, sizeof(buf));
	assert_string_equal(buf, words);
}

static void test_cause(void **state)
{
	struct result *r = *state;
	record g = gap(0, 0, INNER, 25, 1);
	struct hwlat *h = r->own;

	caused(r, counted(g, 1, 0), HWLAT_SMI, "SMI (1)");
	caused(r, counted(g, 0, 2), HWLAT_NMI, "NMI (2)");
	caused(r, counted(g, 1, 2), HWLAT_SMI_AND_NMI, "SMI (1) and NMI (2)");
	caused(r, g, HWLAT_UNEXPLAINED, "unexplained: neither SMI nor NMI counted");
	g.known = KLAT_KNOWN_NMI;
	caused(r, g, HWLAT_UNEXPLAINED, "unexplained: no NMI seen, SMIs unknown");
	g.known = KLAT_KNOWN_SMI;
	caused(r, g, HWLAT_UNEXPLAINED, "unexplained: no SMI seen, NMIs unknown");
	/* what is not known is not 0, and not 5 either */
	g.known = 0;
	caused(r, counted(g, 5, 5), HWLAT_UNEXPLAINED, "unexplained: SMIs and NMIs unknown");

	/* stolen from another CPU, then from that of the gap */
	h->cpus[1].cpu.disturb.known |= KLAT_KNOWN_STEAL;
	h->cpus[1].cpu.disturb.steal = 1000;
	caused(r, g, HWLAT_UNEXPLAINED, "unexplained: SMIs and NMIs unknown");
	h->cpus[0].cpu.disturb.known |= KLAT_KNOWN_STEAL;
	h->cpus[0].cpu.disturb.steal = 1000;
	caused(r, g, HWLAT_HYPERVISOR, "hypervisor likely (time was stolen)");
	h->cpus[0].cpu.disturb.steal = 0;

	r->machine.hypervisor = (struct hypervisor) { true, true, "QEMU TCG" };
	caused(r, g, HWLAT_HYPERVISOR, "hypervisor likely (QEMU TCG)");
	g.known = KNOWN;
	caused(r, counted(g, 1, 0), HWLAT_SMI, "SMI (1)");
}

/* Two SMIs in two gaps of each CPU are two, not one, and not four */
static void test_cause_of_several_gaps(void **state)
{
	const record records[] = {
		counted(gap(0, 0, INNER, 25, 4), 1, 0),
		counted(gap(0, 1, OUTER, 40, 4), 1, 1),
		counted(gap(0, 0, OUTER, 12, 4), 1, 0),
		counted(gap(0, 1, INNER, 11, 4), 1, 0),
	};
	struct result *r = *state;
	struct hwlat *h = r->own;
	char buf[128];

	take(r, records, 4);
	hwlat_cause_text(r, h->events, buf, sizeof(buf));
	assert_string_equal(buf, "SMI (2) and NMI (1)");
}

/* A gap of a window that had too many */
static void test_no_event(void **state)
{
	struct result *r = *state;

	series_add(&r->series[0], 25 * NS_PER_US, RESULT_NO_EVENT, 0);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "\n     25000          - ");
	print(r, OUTPUT_JSON, text, sizeof(text));
	says(text, "\"ticks\": 25000,\n          \"seq\": null,");
}

static void test_report_of_its_own(void **state)
{
	FILE *a = tmpfile(), *b = tmpfile(), *again = fdopen(dup(fileno(a)), "w");
	FILE *pipe = popen("cat", "w");

	(void)state;
	assert_true(output_same(a, again));
	assert_false(output_same(a, b));
	assert_false(output_same(pipe, pipe));
	fclose(a);
	fclose(b);
	fclose(again);
	pclose(pipe);
}

static void judged(struct result *r, enum verdict verdict, const char *reason)
{
	strlist_free(&r->reasons);
	strlist_free(&r->notes);
	verdict_decide(r);
	assert_int_equal(r->verdict, verdict);
	assert_int_equal(r->reasons.nr, reason ? 1 : 0);
	if (reason)
		says(r->reasons.items[0], reason);
}

static void test_share(void **state)
{
	struct result *r = *state;
	struct hwlat *h = r->own;

	/* 59 windows are asked of 60, so 26.55 s are enough */
	h->cpus[2].looked.sum_lo = 26600 * NS_PER_MS;
	judged(r, VERDICT_COMPLETE, NULL);
	h->cpus[2].looked.sum_lo = 26500 * NS_PER_MS;
	judged(r, VERDICT_INCOMPLETE, "CPU 2 was looked at for 26.500 s: 90 % of 29.500 s, what");
	assert_true(fabs(hwlat_share(r, &h->cpus[2]) - 26.5 / 60) < 1e-9);
	/* shorter than a window: some of it is enough, none is not */
	r->status.duration = NS_PER_MS;
	h->cpus[2].looked.sum_lo = 1;
	judged(r, VERDICT_COMPLETE, NULL);
	h->cpus[2].looked.sum_lo = 0;
	judged(r, VERDICT_INCOMPLETE, "CPU 2 was never looked at");
	assert_int_equal(result_exit_code(r), EXIT_DOUBT);
	/* a limit ends a run at any time */
	r->status.state = KLAT_STOPPED;
	r->status.flags = KLAT_RUN_LIMIT;
	r->limit_ns = 1;
	judged(r, VERDICT_COMPLETE, NULL);
	assert_int_equal(result_exit_code(r), EXIT_LIMIT);
}

static void test_missing(void **state)
{
	struct result *r = *state;
	struct hwlat *h = r->own;
	struct klat_cpu *cpu = &h->cpus[1].cpu;

	cpu->absences = 2;
	cpu->missing = 3 * NS_PER_S;
	cpu->missing_since = START_MONO + 20 * NS_PER_S;
	h->cpus[1].looked.sum_lo = 0;
	judged(r, VERDICT_INCOMPLETE, "CPU 1 was missing for 3.000 s (times: 2; last since "
				      "20.000 s after the start)");
	says_not(r->reasons.items[0], "did not come back");
	cpu->state = KLAT_CPU_MISSING;
	judged(r, VERDICT_INCOMPLETE, "and did not come back");
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "3.000 s, 2 times, last since 20.000 s (still)\n");
	/* the module's count of those that look says so, too: less, and nothing else */
	setting_add(r, "cpus", CPUS - 1);
	r->status.settings[0].flags |= KLAT_SETTING_ASKED;
	r->status.settings[0].asked = r->status.settings[0].before = CPUS;
	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_INCOMPLETE);
	says(r->reasons.items[r->reasons.nr - 1], "cpus: asked 4, in effect 3 at the end");
	snprintf(r->status.settings[0].name, KLAT_NAME_LEN, "prio");
	verdict_decide(r);
	assert_int_equal(r->verdict, VERDICT_INVALID);
}

static void test_lost(void **state)
{
	const record first = gap(0, 0, INNER, 25, 3), next = gap(1, 1, INNER, 11, 1);
	struct result *r = *state;
	const struct hwlat *h = r->own;

	take(r, &first, 1);
	take(r, &next, 1);
	r->status.ring_lost = 2;
	judged(r, VERDICT_INCOMPLETE, "records of events that were lost: 2");
	assert_int_equal(h->nr_events, 2);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "(2 of its 3 records were lost)\n");
	r->status.ring_lost = 0;
	r->reader.error = EIO;
	judged(r, VERDICT_INCOMPLETE, "reading the events failed");
}

static void test_no_cpu(void **state)
{
	struct result *r = *state;
	struct hwlat *h = r->own;

	h->nr_cpus = 0;
	judged(r, VERDICT_INCOMPLETE, "no CPU looked");
}

/* It does not end the run, and counts also if that is incomplete */
static void test_hard_limit(void **state)
{
	record r0 = gap(0, 0, INNER, 25, 1);
	struct result *r = *state;
	struct hwlat *h = r->own;

	take(r, &r0, 1);
	r->hard_limit_ns = 25 * NS_PER_US;
	judged(r, VERDICT_COMPLETE, NULL);
	assert_int_equal(result_exit_code(r), EXIT_FINE);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "\nhard limit 25us of gap: held\n");
	r->hard_limit_ns = 24 * NS_PER_US;
	judged(r, VERDICT_COMPLETE, NULL);
	assert_int_equal(result_exit_code(r), EXIT_LIMIT);
	print(r, OUTPUT_TEXT, text, sizeof(text));
	says(text, "\nhard limit 24us of gap: EXCEEDED\n");
	says_not(text, "stopped at the first value");
	print(r, OUTPUT_KTAP, text, sizeof(text));
	says(text, "not ok 3 ");
	h->cpus[0].looked.sum_lo = 0;
	judged(r, VERDICT_INCOMPLETE, "CPU 0");
	assert_int_equal(result_exit_code(r), EXIT_LIMIT);
}

/* It is not of what is printed, rounded */
static void test_hard_limit_fraction(void **state)
{
	record r0 = gap(0, 0, INNER, 25, 1);
	struct result *r = *state;

	r->info.clock_hz = 3 * NS_PER_S;
	r->hard_limit_ns = 25 * NS_PER_US;
	r0.sample.value = 3 * 25 * NS_PER_US;
	take(r, &r0, 1);
	assert_false(result_hard_limit_exceeded(r));
	r0.sample.value++;
	take(r, &r0, 1);
	assert_true(result_hard_limit_exceeded(r));
}

/* Refused before anything is looked for or opened */
static void wrong(const char *option, const char *value)
{
	char *argv[] = { (char []){ "hwlat" }, (char []){ "--threshold" }, (char []){ "10us" },
			 (char *)option, (char *)value, (char []){ "--output" },
			 (char []){ "/dev/null" }, NULL };

	assert_int_equal(cmd_hwlat(7, argv), EXIT_USAGE);
}

static void test_options(void **state)
{
	(void)state;
	wrong("--hardlimit", "9999ns");
	wrong("--limit", "9999ns");
	wrong("--width", "999951us");
	assert_int_equal(hwlat_default_width(NS_PER_S), 500 * NS_PER_MS);
	assert_int_equal(hwlat_default_width(KLAT_HWLAT_DETECTOR_WINDOW_MAX),
			 KLAT_HWLAT_DETECTOR_WIDTH_MAX);
}

/* Memory is bounded, and what is beyond is counted */
static void test_many(void **state)
{
	struct result *r = *state;
	const struct hwlat *h = r->own;

	for (uint64_t i = 0; i < HWLAT_EVENTS_MAX + 5; i++) {
		const record records[] = {
			gap(i, 0, INNER, 25, 2),
			gap(i, 1, QUIET, 0, 2),
		};

		take(r, records, 2);
	}
	assert_int_equal(h->nr_events, HWLAT_EVENTS_MAX);
	assert_int_equal(h->nr_records, 2 * HWLAT_EVENTS_MAX);
	assert_int_equal(h->seen, HWLAT_EVENTS_MAX + 5);
	judged(r, VERDICT_COMPLETE, NULL);
	says(r->notes.items[1], "the first 10000 events are kept in full; the 5 after them");
	print(r, OUTPUT_ECI, text, sizeof(text));
	says(text, "Samples recorded: 10005\n");
	says(text, "... and 5 more\n");
}

/* Many CPUs: the records run out first, and no event is kept in part */
static void test_many_records(void **state)
{
	const uint32_t nr = 1000;
	struct result *r = *state;
	const struct hwlat *h = r->own;

	for (uint64_t i = 0; i < HWLAT_RECORDS_MAX / nr + 2; i++)
		for (uint32_t cpu = 0; cpu < nr; cpu++) {
			record one = gap(i, cpu, INNER, 25, nr);

			take(r, &one, 1);
		}
	assert_int_equal(h->nr_events, HWLAT_RECORDS_MAX / nr);
	assert_int_equal(h->nr_records, HWLAT_RECORDS_MAX / nr * nr);
	assert_int_equal(h->seen, HWLAT_RECORDS_MAX / nr + 2);
}

#define HWLAT_TEST(fn)	cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smi_broadcast),
		cmocka_unit_test(test_smi_unknown),
		cmocka_unit_test(test_smi_split),
		cmocka_unit_test(test_smi_partly),
		HWLAT_TEST(test_block),
		HWLAT_TEST(test_nothing_found),
		HWLAT_TEST(test_fractions),
		HWLAT_TEST(test_smi_texts),
		HWLAT_TEST(test_parts),
		HWLAT_TEST(test_cause),
		HWLAT_TEST(test_cause_of_several_gaps),
		HWLAT_TEST(test_no_event),
		cmocka_unit_test(test_report_of_its_own),
		HWLAT_TEST(test_share),
		HWLAT_TEST(test_missing),
		HWLAT_TEST(test_lost),
		HWLAT_TEST(test_no_cpu),
		HWLAT_TEST(test_hard_limit),
		HWLAT_TEST(test_hard_limit_fraction),
		cmocka_unit_test(test_options),
		HWLAT_TEST(test_many),
		HWLAT_TEST(test_many_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
