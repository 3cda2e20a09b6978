// SPDX-License-Identifier: GPL-2.0
/* From ticks of the modules' clock to nanoseconds. */
#include "units.h"

#define NS_PER_S	1000000000U

/* To the nearest nanosecond, halves up; saturates at 64 bits */
uint64_t ticks_to_ns(uint64_t ticks, uint64_t hz)
{
	unsigned __int128 ns;

	if (!hz)
		return 0;
	ns = ((unsigned __int128)ticks * NS_PER_S + hz / 2) / hz;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

long double ticks_to_ns_real(long double ticks, uint64_t hz)
{
	return hz ? ticks * NS_PER_S / (long double)hz : 0;
}
