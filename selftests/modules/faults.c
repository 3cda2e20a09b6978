// SPDX-License-Identifier: GPL-2.0
/*
 * Makes one fault on purpose as it is loaded, to see that a kernel with checkers
 * reports it. On others it may do harm.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "bounds, atomic, inversion or leak");

#define BYTES	40

/* One byte behind the end. The report is to name it; the compiler need not know. */
static noinline void out_of_bounds(void)
{
	char *bytes = kzalloc(BYTES, GFP_KERNEL);
	size_t index = BYTES;

	if (!bytes)
		return;
	OPTIMIZER_HIDE_VAR(index);
	bytes[index] = 1;
	OPTIMIZER_HIDE_VAR(bytes);
	kfree(bytes);
}

static void sleep_in_atomic(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

/* Nobody else takes them: that the orders differ is the fault */
static void lock_inversion(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);

	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

/* A register or the stack may hold the address of the last one for a while */
static void leak(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		char *bytes = kzalloc(BYTES, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(bytes);
	}
}

static const struct {
	const char *name;
	void (*make)(void);
} faults[] = {
	{ "bounds", out_of_bounds },
	{ "atomic", sleep_in_atomic },
	{ "inversion", lock_inversion },
	{ "leak", leak },
};

static int __init faults_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (strcmp(fault, faults[i].name))
			continue;
		faults[i].make();
		return 0;
	}
	pr_err("fault = %s: must be bounds, atomic, inversion or leak\n", fault);
	return -EINVAL;
}

static void __exit faults_exit(void)
{
}

module_init(faults_init);
module_exit(faults_exit);
MODULE_DESCRIPTION("klat: a fault on purpose (test only)");
MODULE_LICENSE("GPL");
