// SPDX-License-Identifier: GPL-2.0
/* Waiting for a state, with a bound. */
#include <time.h>

#include "duration.h"
#include "wait.h"

#define LOOK_EVERY_MS	20

/* Looks at least once; false if it is still not so after @ms */
bool wait_for(bool (*is_so)(void *context), void *context, unsigned int ms)
{
	const struct timespec pause = { .tv_nsec = LOOK_EVERY_MS * NS_PER_MS };
	unsigned int waited = 0;

	for (;;) {
		if (is_so(context))
			return true;
		if (waited >= ms)
			return false;
		nanosleep(&pause, NULL);
		waited += LOOK_EVERY_MS;
	}
}
