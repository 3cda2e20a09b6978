/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a run asked of the machine, and what was in effect. A benchmark lists
 * what is in effect now; the core asks for the list when the run has started
 * and before it is stopped, and puts the two together.
 */
#ifndef KLAT_CORE_SETTINGS_H
#define KLAT_CORE_SETTINGS_H

#include <linux/types.h>
#include <klat/klat.h>

struct klat_settings {
	struct klat_setting list[KLAT_MAX_SETTINGS];
	u32 nr;
};

/* A fact, and one with the value that the run needs it to have */
void klat_settings_add(struct klat_settings *settings, const char *name, s64 effect);
void klat_settings_add_asked(struct klat_settings *settings, const char *name, s64 asked,
			     s64 effect);

/* @now as the status has it, with what was in effect @before */
void klat_settings_report(const struct klat_settings *before,
			  const struct klat_settings *now, struct klat_status *status);

#endif /* KLAT_CORE_SETTINGS_H */
