// SPDX-License-Identifier: GPL-2.0
/*
 * The loop: stamp after stamp, each compared with the one before. Whatever lies
 * between two stamps is part of the loop's own step, the resolution of it all. So
 * the common case is one comparison, and with steps the increment of a counter;
 * all else is in the slow path.
 *
 * The slow path is time in which the loop sees nothing. One gap often follows the
 * other at once, such as an SMI that waited for the one before; so the slow path looks
 * how long it took itself, and if that is far too long, the gap is longer by that. The
 * rest is taken out of what the window has looked, and a fresh stamp begins the next
 * pair.
 */
#include <linux/minmax.h>

#include "../core/clock.h"
#include "../core/disturb_now.h"
#include "hwlat_detector.h"

/* of which the least is the loop's own step; and when they are not looked for longer */
#define STEP_PAIRS	2000
#define STEP_ROUNDS	100

typedef void slow_path(struct hwlat_loop *loop, u64 from, u64 to, u32 kind);

/*
 * From the stamp @last until loop->end; gives the last stamp. @steps and @slow are
 * known when this is compiled: it exists once for each use.
 */
static __always_inline u64 look(struct hwlat_loop *loop, u64 last, bool steps,
				slow_path *slow)
{
	u64 fast = loop->fast, now, step;
	/* not the array, whose bounds some kernels check; fast sees to them */
	u32 *counter = loop->steps;

	do {
		now = klat_clock();
		step = now - last;
		if (unlikely(step > fast)) {
			slow(loop, last, now, KLAT_HWLAT_DETECTOR_OUTER);
			now = klat_clock();
			loop->blind += now;
		} else if (steps) {
			counter[step]++;
		}
		last = klat_clock();
		step = last - now;
		if (unlikely(step > fast)) {
			slow(loop, now, last, KLAT_HWLAT_DETECTOR_INNER);
			last = klat_clock();
			loop->blind += last;
		} else if (steps) {
			counter[step]++;
		}
	} while (last < READ_ONCE(loop->end));
	return last;
}

void hwlat_read_counters(u32 known, u32 *smi, u32 *nmi)
{
	klat_disturb_now(known, smi, nmi);
}

static __always_inline struct hwlat_seen *keep(struct hwlat_loop *loop, u64 from, u64 length,
					      u32 kind)
{
	struct hwlat_seen *seen = &loop->seen[loop->nr++];

	seen->begin = from;
	seen->length = length;
	seen->kind = kind;
	klat_disturb_now(loop->known, &seen->smi, &seen->nmi);
	return seen;
}

static noinline void count_only(struct hwlat_loop *loop, u64 length)
{
	loop->lost++;
	klat_series_add(loop->spill, length);
	if (loop->step)
		klat_series_add(loop->step, length);
}

/* False if it makes no sense */
static __always_inline bool weigh(struct hwlat_loop *loop, u64 from, u64 length)
{
	if (unlikely((s64)length < 0)) {
		loop->backwards = true;
		loop->end = 0;
		return false;
	}
	if (length > loop->longest) {
		loop->longest = length;
		loop->longest_begin = from;
	}
	if (unlikely(length > loop->limit) && length > loop->threshold) {
		loop->over = length;
		loop->end = 0;
	}
	return true;
}

/* The gap as it was kept; NULL if it was only counted, or is none */
static __always_inline struct hwlat_seen *note(struct hwlat_loop *loop, u64 from, u64 to,
					      u32 kind)
{
	u64 length = to - from;

	if (!weigh(loop, from, length))
		return NULL;
	/* only with steps, which the loop has no counter for */
	if (length <= loop->threshold) {
		klat_series_add(loop->step, length);
		return NULL;
	}
	if (likely(loop->nr < HWLAT_GAPS))
		return keep(loop, from, length, kind);
	count_only(loop, length);
	return NULL;
}

/*
 * It has gone on until @to. Which of the two parts an SMI or an NMI was in could not be
 * told: the counters were read in the second.
 */
static noinline void extend(struct hwlat_loop *loop, struct hwlat_seen *seen, u64 to)
{
	if (!weigh(loop, seen->begin, to - seen->begin))
		return;
	seen->length = to - seen->begin;
	klat_disturb_now(loop->known, &seen->smi, &seen->nmi);
}

/*
 * The time that is not seen is subtracted here, and added with the fresh stamp: one
 * instruction in the loop.
 */
static noinline void gap(struct hwlat_loop *loop, u64 from, u64 to, u32 kind)
{
	struct hwlat_seen *seen = note(loop, from, to, kind);
	u64 now = klat_clock();

	while (unlikely(now - to > loop->recording) && now < READ_ONCE(loop->end)) {
		if (seen)
			extend(loop, seen, now);
		else
			seen = note(loop, to, now, kind);
		to = now;
		now = klat_clock();
	}
	loop->blind -= to;
}

void hwlat_look(struct hwlat_loop *loop)
{
	u64 first = klat_clock();

	loop->first = first;
	if (loop->step)
		loop->last = look(loop, first, true, gap);
	else
		loop->last = look(loop, first, false, gap);
}

static noinline void long_step(struct hwlat_loop *loop, u64 from, u64 to, u32 kind)
{
	loop->longest = min(loop->longest, to - from);
	loop->nr++;
}

static u64 count_pairs(const struct hwlat_loop *loop)
{
	u64 pairs = loop->nr;
	u32 step;

	for (step = 0; step < HWLAT_STEPS; step++)
		pairs += loop->steps[step];
	return pairs;
}

u64 hwlat_measure_step(struct hwlat_loop *loop, u64 ticks)
{
	u32 least, round = 0;
	u64 begin;

	loop->fast = HWLAT_STEPS - 1;
	loop->longest = U64_MAX;
	/* the first may be the only one, where code is translated as it is met */
	do {
		begin = klat_clock();
		loop->end = begin + ticks;
		look(loop, begin, true, long_step);
	} while (count_pairs(loop) < STEP_PAIRS && ++round < STEP_ROUNDS);
	for (least = 0; least < HWLAT_STEPS; least++)
		if (loop->steps[least])
			return least;
	return loop->longest;
}
