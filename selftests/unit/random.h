/* SPDX-License-Identifier: GPL-2.0 */
/* Reproducible random numbers (splitmix64): the same seed, the same test. */
#ifndef KLAT_UNIT_RANDOM_H
#define KLAT_UNIT_RANDOM_H

#include <linux/types.h>

struct random {
	u64 state;
};

static inline u64 random_u64(struct random *random)
{
	u64 z = random->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static inline u64 random_below(struct random *random, u64 limit)
{
	return random_u64(random) % limit;
}

/* Every magnitude from 0 to 2^64 - 1 alike */
static inline u64 random_magnitude(struct random *random)
{
	u64 bits = random_below(random, 65);

	return bits ? random_u64(random) >> (64 - bits) : 0;
}

#endif
