/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of the igb family. Pages are those of the I210 datasheet, revision
 * 3.7.
 */
#ifndef KLAT_SOURCE_IGB_REGS_H
#define KLAT_SOURCE_IGB_REGS_H

#include <linux/bits.h>

enum klat_igb_reg {
	IGB_STATUS	= 0x0008,
	IGB_RCTL	= 0x0100,
	IGB_TCTL	= 0x0400,
	IGB_TCPTIMER	= 0x104c,
	IGB_GPIE	= 0x1514,
	IGB_EICS	= 0x1520,
	IGB_EIMS	= 0x1524,
	IGB_EIMC	= 0x1528,
	IGB_EIAC	= 0x152c,
	IGB_EIAM	= 0x1530,
	IGB_EICR	= 0x1580,
	IGB_EITR0	= 0x1680,
	IGB_IVAR0	= 0x1700,	/* and on, one for two queues */
	IGB_IVAR_MISC	= 0x1740,
	IGB_SYSTIML	= 0xb600,	/* nanoseconds */
	IGB_SYSTIMH	= 0xb604,	/* seconds */
	IGB_TSAUXC	= 0xb640,
	IGB_TRGTTIML0	= 0xb644,
	IGB_TRGTTIMH0	= 0xb648,
	IGB_TSICR	= 0xb66c,	/* a read clears it */
	IGB_TSIM	= 0xb674,
	IGB_SYSTIMR	= 0xb6f8,	/* a read holds SYSTIML and SYSTIMH */
};

#define IGB_VECTOR0		BIT(0)
#define IGB_ALL			0xffffffffU

#define IGB_RCTL_EN		BIT(1)
#define IGB_TCTL_EN		BIT(1)

#define IGB_GPIE_NSICR		BIT(0)
#define IGB_GPIE_MULTIPLE_MSIX	BIT(4)
#define IGB_GPIE_EIAME		BIT(30)
#define IGB_GPIE_PBA		BIT(31)

/*
 * Microseconds. A write without bit 31 (CNT_IGNR) also sets the running counter,
 * so writing 0 makes the next request fire at once (p. 327).
 */
#define IGB_EITR_INTERVAL	GENMASK(14, 2)

/* Fields of IVAR_MISC: vector 0, valid */
#define IGB_IVAR_TCPTIMER	0x80U
#define IGB_IVAR_OTHER		(0x80U << 8)

/* In the legacy registers */
#define IGB_CAUSE_TIME_SYNC	BIT(19)

/* The period is in the low eight bits, in milliseconds */
#define IGB_TCPTIMER_KICK	BIT(8)
#define IGB_TCPTIMER_ENABLE	BIT(9)
#define IGB_TCPTIMER_LOOP	BIT(11)
#define IGB_TCPTIMER_MAX_MS	255

#define IGB_TSAUXC_EN_TT0	BIT(0)
#define IGB_TSAUXC_DISABLE	BIT(31)
#define IGB_TS_TT0		BIT(3)

#endif /* KLAT_SOURCE_IGB_REGS_H */
