// SPDX-License-Identifier: GPL-2.0
/* KLAT_CPU: what a run on several CPUs says of each. */
#include <errno.h>
#include <string.h>

#include "cpus.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

static int try_cpu(int fd, __u32 number, struct klat_cpu *cpu)
{
	*cpu = (struct klat_cpu){ .size = sizeof(*cpu), .cpu = number };
	return try_command(fd, KLAT_CPU, cpu);
}

static struct klat_cpu get_cpu(int fd, __u32 number)
{
	struct klat_cpu cpu;
	int error = try_cpu(fd, number, &cpu);

	require(!error, "CPU %u: %s", number, strerror(error));
	check(cpu.cpu == number, "CPU %u: it says %u", number, cpu.cpu);
	check(!cpu.absences && !cpu.missing_since && !cpu.missing, "CPU %u was missing", number);
	return cpu;
}

static void check_states(int fd, __u32 state, const char *when)
{
	int number;

	for (number = first_cpu(); number <= last_cpu(); number++)
		check(get_cpu(fd, number).state == state, "%s: CPU %d is in state %u", when, number,
		      get_cpu(fd, number).state);
}

static void check_sums(int fd)
{
	struct klat_status status = get_status(fd);
	struct klat_disturb sum = { 0 };
	int number;

	for (number = first_cpu(); number <= last_cpu(); number++) {
		struct klat_cpu cpu = get_cpu(fd, number);

		sum.smi += cpu.disturb.smi;
		sum.nmi += cpu.disturb.nmi;
		sum.irq += cpu.disturb.irq;
	}
	check(sum.smi == status.disturb.smi && sum.nmi == status.disturb.nmi &&
	      sum.irq == status.disturb.irq, "the CPUs' sums are not the run's");
}

void test_cpu(void)
{
	static const __u32 bad[] = { 8192, 0x7fffffff, KLAT_CPU_ALL };
	int fd = device_open();
	struct klat_cpu cpu;
	size_t i;

	if (!module->cpus) {
		check(try_cpu(fd, 0, &cpu) == EOPNOTSUPP, "of one CPU only");
		return;
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check(try_cpu(fd, bad[i], &cpu) == EINVAL, "CPU %u", bad[i]);
	check(!try_simple(fd, KLAT_RESET), "RESET");
	check_states(fd, KLAT_CPU_UNUSED, "idle");
	start_run(fd, &(struct abi_run){ .count = 50, .period_ns = 1 * MS });
	check_states(fd, KLAT_CPU_USED, "running");
	wait_for_end(fd, 60);
	check_states(fd, KLAT_CPU_USED, "when it is over");
	check_sums(fd);
	check(!try_simple(fd, KLAT_RESET), "RESET");
	check_states(fd, KLAT_CPU_UNUSED, "after RESET");
}
