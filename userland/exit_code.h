/* SPDX-License-Identifier: GPL-2.0 */
/* What the exit status of klat means; scripts rely on it. */
#ifndef KLAT_EXIT_CODE_H
#define KLAT_EXIT_CODE_H

enum exit_code {
	EXIT_FINE = 0,
	EXIT_LIMIT = 1,		/* a value was above --limit */
	EXIT_USAGE = 2,		/* also what was refused, and can be asked for otherwise */
	/*
	 * INCOMPLETE or INVALID, not written, a device not given back, no memory; or
	 * something stands in klat's way
	 */
	EXIT_DOUBT = 3,
	EXIT_SKIPPED = 4,	/* no such device, in use, no privilege: nothing was measured */
};

#endif
