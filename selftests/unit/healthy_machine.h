/* SPDX-License-Identifier: GPL-2.0 */
/* A machine on which nothing stands in klat's way, for klat doctor to look at. */
#ifndef KLAT_UNIT_HEALTHY_MACHINE_H
#define KLAT_UNIT_HEALTHY_MACHINE_H

#include "doctor.h"
#include "fake_machine.h"

#define RELEASE		"6.1.0-57-rt-amd64"
#define VERMAGIC	RELEASE " SMP preempt_rt mod_unload modversions "

/**
 * struct fake_module - a .ko file
 * @vermagic: what it was built for
 * @intree: it came with the kernel
 * @signer: NULL: unsigned
 */
struct fake_module {
	const char *vermagic;
	bool intree;
	const char *signer;
};

int healthy_setup(void **state);
void healthy_unlink(struct fake_machine *m, const char *name);
void healthy_module(struct fake_machine *m, const char *name, const struct fake_module *module);
/* All five, of that kind */
void healthy_modules(struct fake_machine *m, const struct fake_module *module);

/* How klat doctor sees it, not yet examined: for the test to change */
struct doctor healthy_doctor(struct fake_machine *m);

/*
 * Examines it if it was not, and has a finding of that kind with these parts in its text
 * and advice; NULL: there is no advice.
 */
void finds(struct doctor *d, const char *id, enum doctor_status status, const char *text,
	   const char *advice);
void finds_nothing(struct doctor *d, const char *id);

#endif
