// SPDX-License-Identifier: GPL-2.0
/* Which command is possible in which state, and what the states say. */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

static void check_error(int error, int expected, const char *what)
{
	check(error == expected, "%s: %s instead of %s", what, strerror(error),
	      strerror(expected));
}

static void check_no_data(int fd)
{
	__u64 count;
	__u32 i;

	for (i = 0; i < module->nr_series; i++) {
		check(get_stats(fd, i).count == 0, "series %u has values", i);
		check(!try_hist(fd, i, KLAT_CPU_ALL, 0, NULL, &count) && !count,
		      "series %u has a histogram", i);
	}
}

void test_idle(void)
{
	int fd = device_open();

	check_error(try_simple(fd, KLAT_RESET), 0, "RESET when idle");
	check(get_status(fd).state == KLAT_IDLE, "state %u", get_status(fd).state);
	check_no_data(fd);
	check_error(try_simple(fd, KLAT_STOP), EALREADY, "STOP when idle");
	start_endless(fd);
	stop_run(fd);
	check_error(try_simple(fd, KLAT_STOP), EALREADY, "STOP when stopped");
}

void test_running(void)
{
	int fd = device_open();
	__u64 run;

	start_endless(fd);
	run = get_status(fd).run;
	check_error(try_config(fd, &(struct abi_run){ .count = 1, .period_ns = 1 * MS }), EBUSY,
		    "CONFIG while running");
	check(get_status(fd).refusal[0], "no reason is given");
	check_error(try_simple(fd, KLAT_START), EBUSY, "START while running");
	check_error(try_simple(fd, KLAT_RESET), EBUSY, "RESET while running");
	check(get_status(fd).state == KLAT_RUNNING, "state %u", get_status(fd).state);
	wait_for_seen(fd, 5);
	stop_run(fd);
	check(get_status(fd).state == KLAT_STOPPED, "state %u", get_status(fd).state);
	check(get_status(fd).run == run, "run %llu became %llu", run, get_status(fd).run);
	check(get_status(fd).message[0], "no message says why it ended");
}

void test_run_to_the_end(void)
{
	struct klat_status status;
	int fd = device_open();
	__u64 run = get_status(fd).run, duration;

	start_run(fd, &(struct abi_run){ .count = 200, .period_ns = 200 * US });
	status = wait_for_end(fd, 60);
	check(status.state == KLAT_DONE, "state %u, '%s'", status.state, status.message);
	check(!status.error, "error %u", status.error);
	check(status.run == run + 1, "run %llu after %llu", status.run, run);
	check((module->timed || status.asked == 200) && is_complete(&status),
	      "asked %llu, seen %llu, missed %llu, late %llu", status.asked, status.seen,
	      status.missed, status.late);
	check(module->timed || status.fired == status.seen, "fired %llu, seen %llu", status.fired,
	      status.seen);
	check(count_values(fd) == status.seen, "seen %llu, counted %llu", status.seen,
	      count_values(fd));
	check(!status.unanswered && !status.unexpected, "unanswered %llu, unexpected %llu",
	      status.unanswered, status.unexpected);
	/* 200 periods of 200 us at the least */
	check(status.duration >= 40 * MS - 200 * US, "duration %llu", status.duration);
	check(status.start_mono && status.start_real, "the start has no time");
	check(!(status.flags & KLAT_RUN_MODULE), "flags %#x", status.flags);
	check(module->timed || status.source[0] || status.device[0],
	      "neither source nor device is named");
	/* what is over does not change */
	duration = status.duration;
	usleep(5000);
	check(get_status(fd).duration == duration, "the duration goes on");
}

/* Whoever was first to end the run, after STOP it is over */
void test_stop_beside_the_end(void)
{
	int fd = device_open(), i, error;
	struct klat_status status;

	for (i = 0; i < 500; i++) {
		start_run(fd, &(struct abi_run){ .count = 2, .period_ns = 100 * US });
		usleep(i % 100 * 5);
		error = try_simple(fd, KLAT_STOP);
		status = get_status(fd);
		require(!error || error == EALREADY, "STOP: %s", strerror(error));
		require(status.state == KLAT_DONE || status.state == KLAT_STOPPED,
			"run %d, state %u after STOP", i, status.state);
		ktap_alive();
	}
}

static void run_of(int fd, int count)
{
	struct klat_status status;

	start_run(fd, &(struct abi_run){ .count = count, .period_ns = 200 * US });
	status = wait_for_end(fd, 30);
	check(status.seen && is_complete(&status), "seen %llu of %d", status.seen, count);
	check(count_values(fd) == status.seen, "seen %llu, counted %llu", status.seen,
	      count_values(fd));
}

void test_reset(void)
{
	int fd = device_open();
	char sample[ARGUMENT_ROOM];

	run_of(fd, 50);
	check_error(try_simple(fd, KLAT_RESET), 0, "RESET");
	check(get_status(fd).state == KLAT_IDLE, "state %u", get_status(fd).state);
	check(!get_status(fd).seen && !get_status(fd).ring_lost, "counters are left");
	check_no_data(fd);
	check(read(fd, sample, sizeof(sample)) == 0, "samples are left");
	/* START forgets what was before, too */
	run_of(fd, 60);
	run_of(fd, 70);
}

static void drop_rawio(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	require(!syscall(SYS_capget, &header, data), "capget: %s", strerror(errno));
	data[0].effective &= ~(1U << CAP_SYS_RAWIO);
	require(!syscall(SYS_capset, &header, data), "capset: %s", strerror(errno));
}

void test_start_without_privilege(void)
{
	int fd = device_open();
	struct klat_status status;

	require(!try_config(fd, &(struct abi_run){ .count = 5, .period_ns = 1 * MS }), "CONFIG");
	drop_rawio();
	check_error(try_simple(fd, KLAT_START), EPERM, "START without CAP_SYS_RAWIO");
	status = get_status(fd);
	check(strstr(status.refusal, "CAP_SYS_RAWIO"), "'%s'", status.refusal);
	check(status.state != KLAT_RUNNING, "it runs");
	check_error(try_simple(fd, KLAT_RESET), 0, "RESET without CAP_SYS_RAWIO");
}
