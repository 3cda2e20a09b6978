/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The timers of the igb family, and its clock to tell the places of their
 * interrupts by. Not verified on silicon, and no emulator has them.
 */
#ifndef KLAT_SOURCE_IGB_TIMER_H
#define KLAT_SOURCE_IGB_TIMER_H

#include "pci.h"

int klat_igb_timer_start(struct klat_pci *pci, enum klat_source_timer timer, u64 period_ns,
			 struct klat_refusal *refusal);
bool klat_igb_timer_served(struct klat_pci *pci, u64 stamp, struct klat_source_tick *tick);
void klat_igb_timer_stop(struct klat_pci *pci);

#endif /* KLAT_SOURCE_IGB_TIMER_H */
