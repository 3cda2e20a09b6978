/* SPDX-License-Identifier: GPL-2.0 */
/* Which device is measured, and taking it from its driver. */
#ifndef KLAT_TAKE_H
#define KLAT_TAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "state.h"

/* Options that all subcommands with a device have */
struct take_options {
	/* "": the only one that is free, or else the only one that is down */
	const char *bdf;
	bool force;
};

extern const struct option_def take_option_defs[];

/**
 * struct take - a device, from its choice to its giving back
 * @named: the user said which
 * @wanted: it has to be taken from somebody
 * @state: as it was found
 * @fd: of the state's file, -1 as long as nothing is changed
 * @kept: why it was not given back, a negative errno; 0 if it was
 */
struct take {
	bool named;
	bool wanted;
	struct taken state;
	int fd;
	int kept;
};

int take_plan(struct take *take, const struct take_options *opts, const char *source,
	      const char *module, char *why, size_t len);
int take_plan_in(struct take *take, const struct inventory *inv, const struct take_options *opts,
		 const char *source, const char *module, char *why, size_t len);
int take_device(struct take *take, const char *dir, const char *sys, struct strlist *said,
		char *why, size_t len);
int take_give_back(struct take *take, const char *dir, const char *sys, struct strlist *said);
void take_free(struct take *take);

#endif
