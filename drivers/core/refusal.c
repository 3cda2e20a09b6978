// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>

#include "refusal.h"

int klat_refuse(struct klat_refusal *refusal, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(refusal->text, sizeof(refusal->text), fmt, args);
	va_end(args);
	return err;
}
