// SPDX-License-Identifier: GPL-2.0
/*
 * Measures user: how long after an interrupt a task runs that waits for it in
 * a blocking read. This is what an application on this machine would see.
 */
#include "user.h"

/*
 * Only a read that slept and was woken for one sample shows a wake-up: one that
 * found samples waiting shows how late this thread was before.
 */
void user_take(void *context, const struct reader_batch *batch)
{
	const struct klat_sample *sample = (const struct klat_sample *)batch->records;
	struct user *user = context;

	if (batch->nr == 1 && batch->slept && sample->time > batch->before &&
	    batch->after >= sample->time)
		series_add(user->series, batch->after - sample->time, sample->seq, user->cpu);
}
