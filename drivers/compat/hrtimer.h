/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Setting up a high-resolution timer: one call since 6.13, and the only way
 * since 6.15.
 */
#ifndef KLAT_COMPAT_HRTIMER_H
#define KLAT_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>

static inline void klat_hrtimer_setup(struct hrtimer *timer,
				      enum hrtimer_restart (*function)(struct hrtimer *),
				      clockid_t clock, enum hrtimer_mode mode)
{
#ifdef KLAT_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

#endif /* KLAT_COMPAT_HRTIMER_H */
