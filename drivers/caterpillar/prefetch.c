// SPDX-License-Identifier: GPL-2.0
/*
 * The prefetchers of Intel's CPUs, which bits of MSR 0x1A4 switch off, for all
 * threads of a core. Not verified on silicon. The bits are those of Intel's manual
 * (volume 4) for models whose cores are all of one kind.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>
#endif

#include "caterpillar.h"

#ifdef CONFIG_X86

#define MSR_PREFETCH	0x1a4
#define OF_CORE		0xfULL	/* two of the second-level cache, two of the first */
#define OF_ATOM		0x5ULL	/* one of each */

static const u8 cores[] = {
	0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f,	/* Nehalem, Westmere */
	0x2a, 0x2d, 0x3a, 0x3e,				/* Sandy Bridge, Ivy Bridge */
	0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56,	/* Haswell, Broadwell */
	0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6,	/* Skylake to Comet Lake */
	0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7,	/* Ice, Tiger, Rocket Lake */
};

static const u8 atoms[] = {
	0x37, 0x4a, 0x4d, 0x4c, 0x5c, 0x5f, 0x7a,	/* Silvermont to Goldmont Plus */
};

static u64 bits_of_model(const struct cpuinfo_x86 *cpu)
{
	unsigned int i;

	if (cpu->x86_vendor != X86_VENDOR_INTEL || cpu->x86 != 6)
		return 0;
	for (i = 0; i < ARRAY_SIZE(cores); i++)
		if (cores[i] == cpu->x86_model)
			return OF_CORE;
	for (i = 0; i < ARRAY_SIZE(atoms); i++)
		if (atoms[i] == cpu->x86_model)
			return OF_ATOM;
	return 0;
}

struct access {
	u64 mask;
	u64 bits;	/* set these of the mask; afterwards: which are set */
	int error;
};

static void read_here(void *arg)
{
	struct access *access = arg;
	u64 value;

	access->error = klat_rdmsr_safe(MSR_PREFETCH, &value);
	access->bits = value & access->mask;
}

static void write_here(void *arg)
{
	struct access *access = arg;
	u64 value;

	access->error = klat_rdmsr_safe(MSR_PREFETCH, &value);
	if (!access->error)
		access->error = klat_wrmsr_safe(MSR_PREFETCH,
						(value & ~access->mask) | access->bits);
	if (!access->error)
		read_here(access);
}

static int on_cpu(unsigned int cpu, smp_call_func_t function, struct access *access)
{
	return smp_call_function_single(cpu, function, access, true) ?: access->error;
}

int caterpillar_prefetch_off(struct caterpillar_prefetch *prefetch, unsigned int cpu,
			     struct klat_refusal *refusal)
{
	struct access access = { .mask = bits_of_model(&cpu_data(cpu)) };

	memset(prefetch, 0, sizeof(*prefetch));
	if (!access.mask)
		return klat_refuse(refusal, -EOPNOTSUPP,
				   "no prefetch: not known how to switch the prefetchers of this CPU model off");
	if (on_cpu(cpu, read_here, &access))
		return klat_refuse(refusal, -EOPNOTSUPP,
				   "no prefetch: CPU %u has no MSR %#x to switch its prefetchers off",
				   cpu, MSR_PREFETCH);
	*prefetch = (struct caterpillar_prefetch){
		.cpu = cpu, .mask = access.mask, .was = access.bits,
	};
	access.bits = access.mask;
	if (!on_cpu(cpu, write_here, &access) && access.bits == access.mask)
		return 0;
	caterpillar_prefetch_restore(prefetch);
	return klat_refuse(refusal, -EOPNOTSUPP,
			   "no prefetch: MSR %#x of CPU %u does not keep the bits %#llx",
			   MSR_PREFETCH, cpu, access.mask);
}

void caterpillar_prefetch_restore(struct caterpillar_prefetch *prefetch)
{
	struct access access = { .mask = prefetch->mask, .bits = prefetch->was };

	if (prefetch->mask)
		on_cpu(prefetch->cpu, write_here, &access);
	prefetch->mask = 0;
}

s64 caterpillar_prefetch_now(const struct caterpillar_prefetch *prefetch)
{
	struct access access = { .mask = prefetch->mask };

	return on_cpu(prefetch->cpu, read_here, &access) ? -1 : (s64)access.bits;
}

#else

int caterpillar_prefetch_off(struct caterpillar_prefetch *prefetch, unsigned int cpu,
			     struct klat_refusal *refusal)
{
	return klat_refuse(refusal, -EOPNOTSUPP, "no prefetch: only Intel's CPUs can do that");
}

void caterpillar_prefetch_restore(struct caterpillar_prefetch *prefetch)
{
}

s64 caterpillar_prefetch_now(const struct caterpillar_prefetch *prefetch)
{
	return -1;
}

#endif /* CONFIG_X86 */
