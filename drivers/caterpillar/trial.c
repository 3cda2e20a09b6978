// SPDX-License-Identifier: GPL-2.0
/*
 * What one cycle takes, tried before interrupts are off for all of one: in pieces,
 * each in an interrupt on the CPU that is to work.
 */
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "caterpillar.h"

#define PIECE	1024U
/* a hypervisor, or a neighbour, may disturb one; hardly all */
#define TRIES	5

struct piece {
	struct caterpillar_line *line;
	u32 operations;
	u64 ticks;
};

static void try_here(void *arg)
{
	struct piece *piece = arg;
	u64 start = klat_clock();

	piece->line = caterpillar_walk(piece->line, piece->operations);
	piece->ticks = klat_clock() - start;
}

/* What is too long is not tried to the end, but worked out from the part that was */
static int try_cycle(struct caterpillar *cater, u64 *ticks)
{
	u32 left = cater->config.operations, done = 0;
	struct piece piece = { .line = cater->worker.line };
	int ret;

	*ticks = 0;
	while (left && *ticks <= cater->worker.too_long) {
		piece.operations = min(left, PIECE);
		ret = smp_call_function_single(cater->config.cpu, try_here, &piece, true);
		if (ret)
			return ret;
		*ticks += piece.ticks;
		left -= piece.operations;
		done += piece.operations;
		cond_resched();
	}
	if (left)
		*ticks = *ticks * cater->config.operations / done;
	if (cater->worker.goes_on)
		cater->worker.line = piece.line;
	return 0;
}

static int refuse_long(struct caterpillar *cater, u64 ticks, struct klat_refusal *refusal)
{
	u64 us = klat_ticks_to_ns(&cater->bench.clock, ticks) / NSEC_PER_USEC;

	return klat_refuse(refusal, -EINVAL,
			   "operations = %u: a cycle takes about %llu us; must be at most %llu us, with interrupts off",
			   cater->config.operations, us,
			   KLAT_CATERPILLAR_CYCLE_MAX / NSEC_PER_USEC);
}

int caterpillar_try(struct caterpillar *cater, struct klat_refusal *refusal)
{
	u64 most = cater->worker.too_long, least = U64_MAX, ticks;
	int i, ret;

	/* the first finds cold caches */
	for (i = 0; i <= TRIES && least > most; i++) {
		ret = try_cycle(cater, &ticks);
		if (ret)
			return klat_refuse(refusal, -ENODEV, "CPU %u went offline",
					   cater->config.cpu);
		if (i)
			least = min(least, ticks);
	}
	if (least > most)
		return refuse_long(cater, least, refusal);
	cater->worker.warm_ticks = least;
	return 0;
}
