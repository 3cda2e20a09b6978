/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why a request was refused, in a sentence that names the value and the allowed
 * range. Goes to the kernel log after insmod, to klat_status.refusal after an
 * ioctl.
 */
#ifndef KLAT_CORE_REFUSAL_H
#define KLAT_CORE_REFUSAL_H

#include <linux/compiler_attributes.h>
#include <klat/klat.h>

struct klat_refusal {
	char text[KLAT_TEXT_LEN];
};

/* Keeps the sentence and returns @err, for `return klat_refuse(...)` */
__printf(3, 4)
int klat_refuse(struct klat_refusal *refusal, int err, const char *fmt, ...);

#endif /* KLAT_CORE_REFUSAL_H */
