// SPDX-License-Identifier: GPL-2.0
/*
 * COMPLETE, INCOMPLETE (less was measured than asked) or INVALID (something
 * else was measured than asked), and why. Advice and facts that a reader may
 * want beside the figures are notes and change nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cpulist.h"
#include "result.h"
#include "topology.h"

#define SEEN_AT_LEAST	0.9	/* of the cycles of a fixed grid */

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_COMPLETE] = "COMPLETE",
		[VERDICT_INCOMPLETE] = "INCOMPLETE",
		[VERDICT_INVALID] = "INVALID",
	};

	return names[verdict];
}

const char *state_name(uint32_t state)
{
	static const char *const names[] = {
		[KLAT_IDLE] = "IDLE",
		[KLAT_RUNNING] = "RUNNING",
		[KLAT_DONE] = "DONE",
		[KLAT_STOPPED] = "STOPPED",
		[KLAT_FAILED] = "FAILED",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "UNKNOWN";
}

void because(struct result *r, enum verdict verdict, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	strlist_add(&r->reasons, "%s", text);
	if (verdict > r->verdict)
		r->verdict = verdict;
}

/* Whose errno also says who took it */
static bool device_lost(const struct klat_status *st)
{
	static const char lost[] = "device lost";

	return st->error == EIO || st->error == ENODEV ||
	       !strncmp(st->message, lost, strlen(lost));
}

static void judge_end(struct result *r)
{
	const struct klat_status *st = &r->status;

	switch (st->state) {
	case KLAT_DONE:
		return;
	case KLAT_FAILED:
		because(r, device_lost(st) ? VERDICT_INVALID : VERDICT_INCOMPLETE,
			"the run failed: %s",
			*st->message ? st->message : strerror((int)st->error));
		return;
	case KLAT_STOPPED:
		if (r->end == END_SIGNAL)
			because(r, VERDICT_INCOMPLETE,
				"interrupted: only what was measured until then is shown");
		else if (r->end == END_BY_ITSELF && !(st->flags & KLAT_RUN_LIMIT))
			because(r, VERDICT_INCOMPLETE, "the run was stopped: %s",
				*st->message ? st->message : "no reason given");
		return;
	default:
		because(r, VERDICT_INVALID, "the run is %s where its end was expected",
			state_name(st->state));
	}
}

static void judge_giving_back(struct result *r)
{
	if (r->not_given_back)
		because(r, VERDICT_INCOMPLETE, "the device was not given back as it was: %s",
			strerror(-r->not_given_back));
}

/* Periods that nothing makes up for */
static uint64_t left_out(const struct result *r)
{
	return result_kind(r)->fixed_grid ? r->status.missed + r->status.late : 0;
}

/*
 * A cycle without an interrupt is a result, too; but what is known of the others
 * stands for the run only if they are most of it. A limit ends a run at any time.
 */
static void judge_left_out(struct result *r)
{
	const struct klat_status *st = &r->status;
	uint64_t cycles = st->seen + left_out(r);

	if (st->state == KLAT_DONE && st->asked > cycles)
		cycles = st->asked;
	if (!left_out(r) || result_stopped_at_limit(r) ||
	    (double)st->seen >= SEEN_AT_LEAST * (double)cycles)
		return;
	because(r, VERDICT_INCOMPLETE, "only %" PRIu64 " of %" PRIu64 " cycles had an interrupt: %"
		PRIu64 " missed, %" PRIu64 " late (at least 90 %% are needed)",
		(uint64_t)st->seen, cycles, (uint64_t)st->missed, (uint64_t)st->late);
}

/* One interrupt has no other that it could be compared with */
static bool has_data(const struct result *r)
{
	return result_primary(r)->stats.count || result_kind(r)->empty ||
	       (result_kind(r)->fixed_grid && r->status.seen == 1);
}

static void judge_counters(struct result *r)
{
	const struct klat_status *st = &r->status;

	if (st->unanswered)
		because(r, VERDICT_INCOMPLETE,
			"%" PRIu64 " of %" PRIu64 " requests were never answered",
			(uint64_t)st->unanswered, (uint64_t)st->fired);
	else if (st->state == KLAT_DONE && st->asked && st->seen + left_out(r) < st->asked)
		because(r, VERDICT_INCOMPLETE, "%" PRIu64 " of %" PRIu64 " events were seen",
			(uint64_t)st->seen, (uint64_t)st->asked);
	judge_left_out(r);
	if (!has_data(r))
		because(r, VERDICT_INCOMPLETE, "no data");
	if (st->elsewhere)
		because(r, VERDICT_INVALID,
			"events measured on another CPU than asked: %" PRIu64 "%s",
			(uint64_t)st->elsewhere, r->before.irqbalance || r->after.irqbalance ?
			" (irqbalance is running)" : "");
}

static void judge_setting(struct result *r, const struct klat_setting *s)
{
	const char *less = result_kind(r)->less;
	enum verdict verdict = less && !strcmp(s->name, less) ? VERDICT_INCOMPLETE :
								VERDICT_INVALID;

	if (!(s->flags & KLAT_SETTING_ASKED))
		return;
	if ((s->flags & KLAT_SETTING_BEFORE) && s->before != s->asked)
		because(r, verdict, "%s: asked %lld, in effect %lld at the start",
			s->name, (long long)s->asked, (long long)s->before);
	else if ((s->flags & KLAT_SETTING_AFTER) && s->after != s->asked)
		because(r, verdict, "%s: asked %lld, in effect %lld at the end",
			s->name, (long long)s->asked, (long long)s->after);
}

static void judge_machine(struct result *r)
{
	const struct conditions *b = &r->before, *a = &r->after;

	if ((r->status.flags & KLAT_RUN_CLOCK_UNSTABLE) ||
	    !(r->info.clock_flags & KLAT_CLOCK_STABLE))
		because(r, VERDICT_INVALID, "the clock is unstable: the kernel does not trust it");
	if (strcmp(b->clocksource, a->clocksource))
		because(r, VERDICT_INVALID, "the clocksource changed from %s to %s",
			b->clocksource, a->clocksource);
	if (b->throttled_known && a->throttled_known && a->throttled != b->throttled)
		because(r, VERDICT_INVALID, "CPU %d was throttled for its temperature "
			"(times: %" PRIu64 ")", r->irq_cpu, a->throttled - b->throttled);
	if (strcmp(b->governor, a->governor))
		because(r, VERDICT_INVALID, "the frequency governor changed from %s to %s",
			b->governor, a->governor);
	for (size_t i = 0; i < b->beside.nr; i++)
		because(r, VERDICT_INVALID, "%s was running beside this", b->beside.items[i]);
	for (size_t i = 0; !b->beside.nr && i < a->beside.nr; i++)
		because(r, VERDICT_INVALID, "%s was running beside this", a->beside.items[i]);
}

/* Where requests are made up for, the period asked is not the one in effect */
static void note_skipped(struct result *r)
{
	static const char skipped[] = "periods without a request because";
	const struct klat_status *st = &r->status;

	if (st->missed)
		strlist_add(&r->notes, "%s the event before was still outstanding: %" PRIu64,
			    skipped, (uint64_t)st->missed);
	if (st->late && result_kind(r)->late)
		strlist_add(&r->notes, "%s: %" PRIu64, result_kind(r)->late, (uint64_t)st->late);
	else if (st->late)
		strlist_add(&r->notes, "%s the requests came too late: %" PRIu64,
			    skipped, (uint64_t)st->late);
	if ((st->missed || st->late) && st->fired && !result_kind(r)->fixed_grid &&
	    !result_kind(r)->late)
		strlist_add(&r->notes, "so a request was made every %" PRIu64 " ns on average",
			    (uint64_t)(st->duration / st->fired));
}

static void note_counters(struct result *r)
{
	const struct klat_status *st = &r->status;

	if (result_stopped_at_limit(r))
		strlist_add(&r->notes, "stopped at the first value above the limit%s",
			    r->froze_trace ? "; the kernel trace was frozen (tracing_on = 0)" : "");
	note_skipped(r);
	if (st->unexpected)
		strlist_add(&r->notes, "interrupts that nobody had requested: %" PRIu64
			    "; one that came while a request was pending was taken for its answer",
			    (uint64_t)st->unexpected);
	if (st->clipped)
		strlist_add(&r->notes, "values below the offset, counted as 0: %" PRIu64,
			    (uint64_t)st->clipped);
	if (r->reader.user && st->ring_lost)
		strlist_add(&r->notes, "raw samples lost to a full ring: %" PRIu64
			    " (the statistics have them, user has not)", (uint64_t)st->ring_lost);
}

/* Fewer than were seen is as it should be: say why before somebody wonders */
static void note_user_count(struct result *r)
{
	const struct series *user = &r->series[r->nr_series - 1];
	uint64_t seen = r->status.seen;

	if (r->nr_series && user->stats.count < seen)
		strlist_add(&r->notes, "user: %" PRIu64 " of %" PRIu64
			    " samples found the task asleep and woke it alone; others are not "
			    "measured",
			    (uint64_t)user->stats.count, seen);
}

static void note_reader(struct result *r)
{
	const struct reader_facts *reader = &r->reader;

	if (!reader->user)
		return;
	if (reader->error)
		strlist_add(&r->notes, "user: reading samples failed: %s",
			    strerror(reader->error));
	if (reader->pin_error)
		strlist_add(&r->notes, "user: not pinned to CPU %d: %s", r->irq_cpu,
			    strerror(reader->pin_error));
	if (reader->priority_error)
		strlist_add(&r->notes, "user: not at SCHED_FIFO: %s",
			    strerror(reader->priority_error));
	if (reader->mlock_error)
		strlist_add(&r->notes, "user: memory not locked: %s",
			    strerror(reader->mlock_error));
	note_user_count(r);
}

/* Of several CPUs nothing more was asked than that they look */
static void note_machine(struct result *r)
{
	const struct conditions *c = &r->before;

	if (r->irq_cpu == CPU_UNSET)
		return;
	if (!cpulist_has(r->machine.isolated, r->irq_cpu))
		strlist_add(&r->notes, "CPU %d is not isolated (isolated: %s)", r->irq_cpu,
			    *r->machine.isolated ? r->machine.isolated : "none");
	if (c->rt_runtime_known && c->rt_runtime_us >= 0)
		strlist_add(&r->notes, "real-time throttling is on (sched_rt_runtime_us = %lld)",
			    c->rt_runtime_us);
	if (*c->governor && strcmp(c->governor, "performance"))
		strlist_add(&r->notes, "the frequency governor of CPU %d is %s", r->irq_cpu,
			    c->governor);
	if (!strcmp(c->smt, "on"))
		strlist_add(&r->notes, "SMT is on: a sibling shares the core");
	if (c->irqbalance)
		strlist_add(&r->notes, "irqbalance is running");
	if (irq_remapped(&r->irq))
		strlist_add(&r->notes, "interrupts are remapped by the IOMMU (%s)", r->irq.chip);
}

void verdict_decide(struct result *r)
{
	r->verdict = VERDICT_COMPLETE;
	judge_end(r);
	judge_giving_back(r);
	judge_counters(r);
	if (result_kind(r)->judge)
		result_kind(r)->judge(r);
	for (uint32_t i = 0; i < r->status.nr_settings && i < KLAT_MAX_SETTINGS; i++)
		judge_setting(r, &r->status.settings[i]);
	judge_machine(r);
	note_counters(r);
	note_reader(r);
	if (result_kind(r)->notes)
		result_kind(r)->notes(r);
	note_machine(r);
}
