// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters. core, cycles, operations and samples are -c, -n, -i and
 * -s of Intel ECI's caterpillar; the defaults are what its test suite gives them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../core/param.h"
#include "caterpillar.h"

KLAT_PARAM_CPU(core,
	"CPU that works: an online CPU (default 1, or the first online one)");
KLAT_PARAM_NUMBER(cycles, 10000, 1, KLAT_CATERPILLAR_CYCLES_MAX, false,
	"1 .. 10000000",
	"test cycles a sample (default 10000)");
KLAT_PARAM_NUMBER(operations, 50000, 1, KLAT_CATERPILLAR_OPERATIONS_MAX, false,
	"1 .. 10000000",
	"operations a test cycle, which must not take longer than 10 ms (default 50000)");
KLAT_PARAM_NUMBER(samples, 200, S64_MIN, S64_MAX, true,
	"1 .. 9223372036854775807, or below 0 for without end",
	"how many samples (default 200)");

static u64 buffer = SZ_2M;

/* memparse() would let what is too large for 64 bits wrap around */
static bool parse_bytes(const char *text, u64 *bytes)
{
	size_t length = strcspn(text, "kKmMgG");
	unsigned int shift = 0;
	char number[24];

	if (length >= sizeof(number))
		return false;
	memcpy(number, text, length);
	number[length] = '\0';
	if (text[length]) {
		shift = strchr("kK", text[length]) ? 10 : strchr("mM", text[length]) ? 20 : 30;
		/* sysfs adds a newline, kstrtou64() allows one */
		if (text[length + 1] && strcmp(&text[length + 1], "\n"))
			return false;
	}
	if (kstrtou64(number, 0, bytes) || *bytes > U64_MAX >> shift)
		return false;
	*bytes <<= shift;
	return true;
}

static int buffer_set(const char *text, const struct kernel_param *kp)
{
	u64 bytes;

	if (!parse_bytes(text, &bytes) || bytes < KLAT_CATERPILLAR_BUFFER_MIN ||
	    bytes > KLAT_CATERPILLAR_BUFFER_MAX || bytes % KLAT_CATERPILLAR_BUFFER_MIN) {
		pr_err("%s = %s: must be a multiple of 4096 bytes, 4K .. 1G\n", kp->name, text);
		return -EINVAL;
	}
	buffer = bytes;
	return 0;
}

static int buffer_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%llu\n", buffer);
}

static const struct kernel_param_ops buffer_ops = {
	.set = buffer_set,
	.get = buffer_get,
};

module_param_cb(buffer, &buffer_ops, NULL, 0444);
__MODULE_PARM_TYPE(buffer, "bytes");
MODULE_PARM_DESC(buffer, "bytes to work on, with or without K, M or G (default 2M): "
		 "a multiple of 4096, 4K .. 1G");

static const char *const walks[] = {
	[KLAT_CATERPILLAR_PERMUTED] = "permuted",
	[KLAT_CATERPILLAR_STRIDE] = "stride",
};

static u32 walk = KLAT_CATERPILLAR_PERMUTED;

static int walk_set(const char *text, const struct kernel_param *kp)
{
	int found = sysfs_match_string(walks, text);

	if (found < 0) {
		pr_err("%s = %s: must be permuted or stride\n", kp->name, text);
		return -EINVAL;
	}
	walk = found;
	return 0;
}

static int walk_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%s\n", walks[walk]);
}

static const struct kernel_param_ops walk_ops = {
	.set = walk_set,
	.get = walk_get,
};

module_param_cb(walk, &walk_ops, NULL, 0444);
__MODULE_PARM_TYPE(walk, "charp");
MODULE_PARM_DESC(walk, "the way through the buffer (default permuted): permuted or stride");

/* by hand, because the kernel has a prefetch() */
static struct klat_param_number prefetchers = {
	.value = 1,
	.max = 1,
	.allowed = "0 or 1",
};

module_param_cb(prefetch, &klat_param_number_ops, &prefetchers, 0444);
__MODULE_PARM_TYPE(prefetch, "long");
MODULE_PARM_DESC(prefetch, "0: the CPU's prefetchers are off during the run (default 1): "
		 "0 or 1");

KLAT_PARAM_VERBOSITY();
KLAT_PARAM_AUTOSTART();

void caterpillar_params(struct klat_caterpillar_config *config)
{
	klat_param_cpu_default(&core, 1);
	*config = (struct klat_caterpillar_config){
		.size = sizeof(*config),
		.flags = prefetchers.value ? 0 : KLAT_CATERPILLAR_FLAG_NO_PREFETCH,
		.cpu = core,
		.walk = walk,
		.cycles = cycles.value,
		.operations = operations.value,
		.ring_entries = CATERPILLAR_RING_DEFAULT,
		.samples = samples.value,
		.buffer = buffer,
	};
}

enum klat_verbosity caterpillar_param_verbosity(void)
{
	return verbosity.value;
}

bool caterpillar_param_autostart(void)
{
	return autostart;
}
