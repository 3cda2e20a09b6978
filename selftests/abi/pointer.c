// SPDX-License-Identifier: GPL-2.0
/* Pointers that cannot be read or written. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

#define KERNEL_ADDRESS	((void *)0xffff888000001000ULL)
#define NON_CANONICAL	((void *)0x8000000000000000ULL)

static char *map_pages(int count, int prot)
{
	char *pages = mmap(NULL, count * sysconf(_SC_PAGESIZE), prot,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(pages != MAP_FAILED, "mmap: %s", strerror(errno));
	return pages;
}

static void check_fault(int fd, const struct command *command, void *arg, const char *what)
{
	int error = try_command(fd, command->number, arg);

	check(error == EFAULT, "%s, %s: %s", command->name, what, strerror(error));
}

void test_bad_pointers(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *unmapped = map_pages(1, PROT_NONE);
	char *pages = map_pages(2, PROT_READ | PROT_WRITE);
	char *half = pages + page - 4;
	int fd = device_open(), i;

	munmap(pages + page, page);
	for (i = 0; i < NR_COMMANDS; i++) {
		struct command command = command_at(i);
		__u32 size = command.size;

		check_fault(fd, &command, NULL, "NULL");
		check_fault(fd, &command, KERNEL_ADDRESS, "kernel address");
		check_fault(fd, &command, NON_CANONICAL, "non-canonical address");
		check_fault(fd, &command, unmapped, "memory without access");
		/* the size can be read, the rest cannot */
		memcpy(half, &size, sizeof(size));
		check_fault(fd, &command, half, "only the size is mapped");
	}
}

void test_read_only_memory(void)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = device_open(), i, error;
	char *arg = map_pages(1, PROT_READ | PROT_WRITE);

	for (i = 0; i < NR_COMMANDS; i++) {
		struct command command = command_at(i);

		good_argument(&command, arg);
		mprotect(arg, page, PROT_READ);
		error = try_command(fd, command.number, arg);
		mprotect(arg, page, PROT_READ | PROT_WRITE);
		check(error == (command.answers ? EFAULT : command.idle),
		      "%s in read-only memory: %s", command.name, strerror(error));
		if (command.number == KLAT_START && !error)
			stop_run(fd);
	}
}

void test_bad_buckets(void)
{
	__u64 *unmapped = (void *)map_pages(1, PROT_NONE);
	__u64 *read_only = (void *)map_pages(8, PROT_READ);
	__u64 count;
	int fd = device_open(), error;
	__u64 *bad[] = { NULL, KERNEL_ADDRESS, NON_CANONICAL, unmapped, read_only };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		error = try_hist(fd, 0, KLAT_CPU_ALL, 1, bad[i], &count);
		check(error == EFAULT, "buckets at %p: %s", (void *)bad[i], strerror(error));
		/* with room for none, nobody looks where */
		error = try_hist(fd, 0, KLAT_CPU_ALL, 0, bad[i], &count);
		check(!error, "no buckets at %p: %s", (void *)bad[i], strerror(error));
	}
}
