// SPDX-License-Identifier: GPL-2.0
/* The size that a caller says its struct has. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

/* Gives @command a good argument that says it is @size bytes long */
static int call(int fd, const struct command *command, char *arg, __u32 size)
{
	int error;

	memcpy(arg, &size, sizeof(size));
	error = try_command(fd, command->number, arg);
	/* each call finds the device idle */
	if (command->number == KLAT_START && !error)
		stop_run(fd);
	return error;
}

static void check_sizes(int fd, const struct command *command)
{
	/* the first version of the ABI: nothing older, so the least is the whole */
	const struct { __u32 size; int surplus; int error; } cases[] = {
		{ 0, 0, EINVAL },
		{ 4, 0, EINVAL },
		{ command->size - 1, 0, EINVAL },
		{ command->size, 0, command->idle },
		{ command->size + 1, 0, command->idle },
		{ command->size + 1, 1, E2BIG },
		{ command->size + 8, 0, command->idle },
		{ ARGUMENT_ROOM, 0, command->idle },
		{ ARGUMENT_ROOM, 1, E2BIG },
	};
	char arg[ARGUMENT_ROOM];
	__u32 left;
	size_t i;
	int error;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		good_argument(command, arg);
		if (cases[i].surplus)
			arg[cases[i].size - 1] = 1;
		error = call(fd, command, arg, cases[i].size);
		check(error == cases[i].error, "%s, size %u (its own is %zu), last byte %d: %s",
		      command->name, cases[i].size, command->size, cases[i].surplus,
		      strerror(error));
		memcpy(&left, arg, sizeof(left));
		if (!error && command->answers)
			check(left == command->size, "%s left the size at %u", command->name,
			      left);
	}
}

/* What lies behind the caller's struct is not the kernel's to write */
static void check_nothing_behind(int fd, const struct command *command)
{
	char arg[ARGUMENT_ROOM];
	size_t i;

	if (!command->answers)
		return;
	good_argument(command, arg);
	memset(arg + command->size, 0x5a, sizeof(arg) - command->size);
	check(!call(fd, command, arg, command->size), "%s", command->name);
	for (i = command->size; i < sizeof(arg); i++)
		if (!check(arg[i] == 0x5a, "%s wrote byte %zu", command->name, i))
			return;
}

void test_sizes(void)
{
	int fd = device_open(), i;

	for (i = 0; i < NR_COMMANDS; i++) {
		struct command command = command_at(i);

		check_sizes(fd, &command);
		check_nothing_behind(fd, &command);
	}
}

/* A struct that ends with its page, and nothing behind it */
static void check_absurd(int fd, const struct command *command, char *page_end)
{
	static const __u32 sizes[] = { 4097, 65536, 0x7fffffff, 0x80000000, 0xffffffff };
	char arg[ARGUMENT_ROOM];
	char *at = page_end - command->size;
	size_t i;
	int error;

	good_argument(command, arg);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memcpy(at, arg, command->size);
		error = call(fd, command, at, sizes[i]);
		check(error == EFAULT || error == E2BIG, "%s, size %u: %s", command->name,
		      sizes[i], strerror(error));
	}
	memcpy(at, arg, command->size);
	error = call(fd, command, at, command->size);
	check(error == command->idle, "%s at the end of a page: %s", command->name,
	      strerror(error));
}

void test_absurd_sizes(void)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = device_open(), i;
	char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(pages != MAP_FAILED, "mmap: %s", strerror(errno));
	munmap(pages + 2 * page, page);
	for (i = 0; i < NR_COMMANDS; i++) {
		struct command command = command_at(i);

		check_absurd(fd, &command, pages + 2 * page);
	}
}
