/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An interrupt without a device: to another CPU by an inter-processor
 * interrupt, to the own CPU by a hard irq_work.
 */
#ifndef KLAT_SOURCE_SOFT_H
#define KLAT_SOURCE_SOFT_H

#include "source.h"

extern const struct klat_source_ops klat_soft_ops;

#endif /* KLAT_SOURCE_SOFT_H */
