/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Module parameters that refuse a bad value in words: the parameter, the value,
 * and what is allowed. For the one file of a module that holds its parameters;
 * header-only, because only that file may print with pr_err().
 */
#ifndef KLAT_CORE_PARAM_H
#define KLAT_CORE_PARAM_H

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>

#include "report.h"

struct klat_param_number {
	s64 value;
	s64 min;
	s64 max;
	bool not_zero;
	const char *allowed;	/* the range in words, with the unit */
};

static int klat_param_number_set(const char *text, const struct kernel_param *kp)
{
	struct klat_param_number *number = kp->arg;
	s64 value;

	if (kstrtos64(text, 0, &value) || value < number->min || value > number->max ||
	    (number->not_zero && !value)) {
		pr_err("%s = %s: must be %s\n", kp->name, text, number->allowed);
		return -EINVAL;
	}
	number->value = value;
	return 0;
}

static int klat_param_number_get(char *buffer, const struct kernel_param *kp)
{
	const struct klat_param_number *number = kp->arg;

	return sysfs_emit(buffer, "%lld\n", number->value);
}

static const struct kernel_param_ops klat_param_number_ops = {
	.set = klat_param_number_set,
	.get = klat_param_number_get,
};

/* A CPU, in an int; negative until it is chosen */
static int klat_param_cpu_set(const char *text, const struct kernel_param *kp)
{
	int *cpu = kp->arg;
	u32 value;

	if (kstrtou32(text, 0, &value) || value >= nr_cpu_ids || !cpu_online(value)) {
		pr_err("%s = %s: must be an online CPU (online: %*pbl)\n", kp->name, text,
		       cpumask_pr_args(cpu_online_mask));
		return -EINVAL;
	}
	*cpu = value;
	return 0;
}

static int klat_param_cpu_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", *(int *)kp->arg);
}

/* a module may have none */
static const struct kernel_param_ops klat_param_cpu_ops __maybe_unused = {
	.set = klat_param_cpu_set,
	.get = klat_param_cpu_get,
};

#define KLAT_PARAM_NUMBER(_name, _default, _min, _max, _not_zero, _allowed, _what)	\
	static struct klat_param_number _name = {					\
		.value = _default,							\
		.min = _min,								\
		.max = _max,								\
		.not_zero = _not_zero,							\
		.allowed = _allowed,							\
	};										\
	module_param_cb(_name, &klat_param_number_ops, &_name, 0444);			\
	__MODULE_PARM_TYPE(_name, "long");						\
	MODULE_PARM_DESC(_name, _what ": " _allowed)

/* A CPU that was not given: @wanted if it is online, or the first that is */
static inline void klat_param_cpu_default(int *cpu, unsigned int wanted)
{
	if (*cpu >= 0)
		return;
	*cpu = wanted < nr_cpu_ids && cpu_online(wanted) ? wanted :
							   cpumask_first(cpu_online_mask);
}

#define KLAT_PARAM_CPU(_name, _what)							\
	static int _name = -1;								\
	module_param_cb(_name, &klat_param_cpu_ops, &_name, 0444);			\
	__MODULE_PARM_TYPE(_name, "int");						\
	MODULE_PARM_DESC(_name, _what)

/* Parameters that all modules have */
#define KLAT_PARAM_VERBOSITY()								\
	KLAT_PARAM_NUMBER(verbosity, KLAT_SAY_RESULTS, KLAT_SILENT, KLAT_SAY_SAMPLES, false, \
		"0 (nothing), 1 (the results at the end), 2 (also a line a second), "	\
		"3 (also samples)",							\
		"what goes to the kernel log (default 1)")

#define KLAT_PARAM_AUTOSTART()								\
	static bool autostart = true;							\
	module_param(autostart, bool, 0444);						\
	MODULE_PARM_DESC(autostart, "measure from insmod on (default Y); "		\
			 "N: wait for /dev/klat/" KBUILD_MODNAME)

#endif /* KLAT_CORE_PARAM_H */
