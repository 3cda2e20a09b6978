/* SPDX-License-Identifier: GPL-2.0 */
/* What the exit status of klat means; scripts rely on it. */
#ifndef KLAT_EXIT_CODE_H
#define KLAT_EXIT_CODE_H

enum exit_code {
	EXIT_FINE = 0,
	EXIT_LIMIT = 1,		/* a value was above --limit */
	EXIT_USAGE = 2,
	EXIT_DOUBT = 3,		/* INCOMPLETE or INVALID, or the result was not written */
	EXIT_SKIPPED = 4,	/* no such device or privilege: nothing was measured */
};

#endif
