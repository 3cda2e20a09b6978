/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters source and bdf of a module that uses a source; see
 * ../core/param.h.
 */
#ifndef KLAT_SOURCE_PARAM_H
#define KLAT_SOURCE_PARAM_H

#include <linux/moduleparam.h>
#include <linux/string.h>

#include "source.h"

static char source[KLAT_NAME_LEN] = "auto";
static char bdf[KLAT_NAME_LEN];

static int klat_param_source_set(const char *text, const struct kernel_param *kp)
{
	char *name = kp->arg;
	struct klat_refusal refusal;
	int ret;

	if (strlen(text) >= KLAT_NAME_LEN) {
		pr_err("%s = %s: too long; must be at most %u characters\n", kp->name, text,
		       KLAT_NAME_LEN - 1);
		return -EINVAL;
	}
	ret = name == source ? klat_source_check(text, "", &refusal) :
			       klat_source_check("auto", text, &refusal);
	if (ret) {
		pr_err("%s\n", refusal.text);
		return ret;
	}
	strscpy(name, text, KLAT_NAME_LEN);
	return 0;
}

static int klat_param_source_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", (char *)kp->arg);
}

static const struct kernel_param_ops klat_param_source_ops = {
	.set = klat_param_source_set,
	.get = klat_param_source_get,
};

#define KLAT_PARAM_SOURCE()								\
	module_param_cb(source, &klat_param_source_ops, source, 0444);			\
	__MODULE_PARM_TYPE(source, "charp");						\
	MODULE_PARM_DESC(source,							\
		"where interrupts come from: auto (the one free supported device), igb, " \
		"igc, e1000e, edu, soft (no device); default auto");			\
	module_param_cb(bdf, &klat_param_source_ops, bdf, 0444);			\
	__MODULE_PARM_TYPE(bdf, "charp");						\
	MODULE_PARM_DESC(bdf,								\
		"PCI address of the device, [DDDD:]BB:DD.F (default: the only one)")

#endif /* KLAT_SOURCE_PARAM_H */
