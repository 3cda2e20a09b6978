/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hot side of fire(), shared by the sources that ask by a register write.
 */
#ifndef KLAT_SOURCE_SHOT_H
#define KLAT_SOURCE_SHOT_H

#include <linux/io.h>
#include <linux/processor.h>

#include "source.h"

static __always_inline void klat_shot_open_interval(struct klat_shot *shot)
{
	WRITE_ONCE(shot->start, klat_clock());
}

/* Holds interrupts off until @shot->block_ticks after @since */
static inline void klat_shot_block(const struct klat_shot *shot, u64 since)
{
	while (klat_clock() - since < shot->block_ticks)
		cpu_relax();
}

/*
 * Writes @value to @reg between the stamps and switches interrupts on. When the
 * interrupt comes to this very CPU, every instruction between the write and
 * "interrupts on" would be measured: then (open) nothing is done before it.
 */
static __always_inline void klat_shot_write(struct klat_shot *shot, u32 value,
					    void __iomem *reg, void __iomem *flush_reg)
{
	if (shot->open) {
		klat_shot_open_interval(shot);
		writel(value, reg);
		local_irq_enable();
		return;
	}
	klat_shot_open_interval(shot);
	writel(value, reg);
	shot->written = klat_clock();
	if (shot->flush) {
		readl(flush_reg);
		shot->flushed = klat_clock();
	}
	klat_shot_block(shot, shot->written);
	if (!shot->hold)
		local_irq_enable();
}

#endif /* KLAT_SOURCE_SHOT_H */
