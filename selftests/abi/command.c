// SPDX-License-Identifier: GPL-2.0
/* What INFO says, commands that do not exist, flags that nobody defined. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "device.h"
#include "ktap.h"
#include "tests.h"

static void check_name(const char *name, const char *what)
{
	check(name[0] && strnlen(name, KLAT_NAME_LEN) < KLAT_NAME_LEN, "%s is no name", what);
}

void test_info(void)
{
	struct klat_info info = get_info(device_open());
	__u32 i;

	check(info.size == sizeof(info), "size %u", info.size);
	check(info.abi == KLAT_ABI_VERSION, "abi %u", info.abi);
	check(!strcmp(info.module, module->name), "module '%s'", info.module);
	check_name(info.version, "version");
	check(info.nr_series == module->nr_series, "nr_series %u", info.nr_series);
	check(info.nr_buckets == KLAT_HIST_BUCKETS, "nr_buckets %u", info.nr_buckets);
	check(info.config_size == module->config_size, "config_size %u", info.config_size);
	check(info.sample_size == sample_size(), "sample_size %u", info.sample_size);
	check(info.clock_hz > 1000000, "clock_hz %llu", info.clock_hz);
	check(!(info.clock_flags & ~(KLAT_CLOCK_INVARIANT | KLAT_CLOCK_STABLE)),
	      "clock_flags %#x", info.clock_flags);
	check(!info.reserved, "reserved %u", info.reserved);
	for (i = 0; i < info.nr_series && i < KLAT_MAX_SERIES; i++)
		check_name(info.series[i], "the name of a series");
	for (; i < KLAT_MAX_SERIES; i++)
		check(!info.series[i][0], "series %u has a name, but there are only %u", i,
		      info.nr_series);
}

void test_unknown_commands(void)
{
	static const unsigned int numbers[] = {
		_IO(KLAT_IOC_TYPE, 0), _IO(KLAT_IOC_TYPE, KLAT_CMD_INFO - 1),
		_IO(KLAT_IOC_TYPE, KLAT_CMD_CPU + 1), _IO(KLAT_IOC_TYPE, 0xff),
		_IO(KLAT_IOC_TYPE - 1, KLAT_CMD_INFO), _IO(0, KLAT_CMD_INFO),
		_IOR(KLAT_IOC_TYPE, KLAT_CMD_INFO, struct klat_info),
		_IOWR(KLAT_IOC_TYPE, KLAT_CMD_STATUS, struct klat_status),
		_IOC(0, KLAT_IOC_TYPE, KLAT_CMD_STOP, 8), 0xffffffff,
	};
	char buffer[4096] = { 0 };
	int fd = device_open(), error;
	size_t i;

	*(__u32 *)buffer = sizeof(struct klat_info);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		error = try_command(fd, numbers[i], buffer);
		check(error == ENOTTY, "command %#x: %s", numbers[i], strerror(error));
		error = try_command(fd, numbers[i], NULL);
		check(error == ENOTTY, "command %#x, NULL: %s", numbers[i], strerror(error));
	}
}

static void check_flags(int fd, unsigned int number, const char *name)
{
	int bit, error;

	for (bit = 0; bit < 32; bit++) {
		struct klat_simple simple = { .size = sizeof(simple), .flags = 1U << bit };

		error = try_command(fd, number, &simple);
		check(error == EOPNOTSUPP, "%s, flags %#x: %s", name, simple.flags,
		      strerror(error));
	}
}

void test_flags(void)
{
	int fd = device_open();

	check_flags(fd, KLAT_START, "START");
	check_flags(fd, KLAT_STOP, "STOP");
	check_flags(fd, KLAT_RESET, "RESET");
	start_endless(fd);
	/* a flag it does not know must not stop it */
	check_flags(fd, KLAT_STOP, "STOP");
	check(get_status(fd).state == KLAT_RUNNING, "the run is over");
	stop_run(fd);
}
