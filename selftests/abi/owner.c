// SPDX-License-Identifier: GPL-2.0
/* Ownership: one file at a time, until its last close. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

static const struct abi_run usual = { .count = 10, .period_ns = 100 * US };

static void check_all_busy(int fd)
{
	check(try_config(fd, &usual) == EBUSY, "CONFIG by another");
	check(get_status(fd).refusal[0], "no reason is given for CONFIG");
	check(try_simple(fd, KLAT_START) == EBUSY, "START by another");
	check(try_simple(fd, KLAT_STOP) == EBUSY, "STOP by another");
	check(try_simple(fd, KLAT_RESET) == EBUSY, "RESET by another");
}

void test_two_owners(void)
{
	int owner = device_open(), other = device_open();

	require(!try_config(owner, &usual), "CONFIG");
	check_all_busy(other);
	start_endless(owner);
	check_all_busy(other);
	check(get_status(owner).state == KLAT_RUNNING, "the run is over");
	check(!get_status(owner).refusal[0], "the owner was refused: %s",
	      get_status(owner).refusal);
	stop_run(owner);
	check_all_busy(other);
}

void test_ownership_ends_at_close(void)
{
	int owner = device_open(), other = device_open();
	struct klat_status status;

	start_endless(owner);
	check(try_config(other, &usual) == EBUSY, "CONFIG by another");
	close(owner);
	status = get_status(other);
	check(status.state == KLAT_STOPPED, "state %u after the owner's close", status.state);
	check(strstr(status.message, "clos"), "'%s'", status.message);
	start_run(other, &usual);
	check(wait_for_end(other, 30).state == KLAT_DONE, "the second owner's run failed");
}

/* What the next owner starts without CONFIG is not what this one configured */
void test_configuration_ends_with_ownership(void)
{
	int owner = device_open(), other = device_open();

	require(!try_config(owner, &(struct abi_run){ .count = 12345, .period_ns = 1 * MS }),
		"CONFIG");
	close(owner);
	/* by the module's parameters there may be no device: then ENODEV */
	if (!try_simple(other, KLAT_START)) {
		check(module->timed || get_status(other).asked != 12345, "it was kept");
		stop_run(other);
	}
}

static void check_asking(int fd)
{
	char arg[ARGUMENT_ROOM];
	int i, error;

	for (i = 0; i < NR_COMMANDS; i++) {
		struct command command = command_at(i);

		if (!command.answers)
			continue;
		good_argument(&command, arg);
		error = try_command(fd, command.number, arg);
		check(!error, "%s by another: %s", command.name, strerror(error));
	}
}

void test_asking_needs_no_ownership(void)
{
	int owner = device_open(), other = device_open();

	check_asking(other);
	start_endless(owner);
	check_asking(other);
	wait_for_seen(other, 3);
	stop_run(owner);
	check_asking(other);
	/* nor does asking make an owner */
	close(owner);
	check_asking(other);
	owner = device_open();
	check(!try_config(owner, &usual), "CONFIG after another only asked");
}

static void wait_for_child(pid_t pid)
{
	int status;

	require(waitpid(pid, &status, 0) == pid, "waitpid: %s", strerror(errno));
}

void test_fork_and_close(void)
{
	int owner = device_open(), other = device_open();
	int go[2];
	char byte;
	pid_t pid;

	require(!pipe(go), "pipe: %s", strerror(errno));
	start_endless(owner);
	pid = fork();
	if (!pid) {
		close(owner);
		_exit(0);
	}
	wait_for_child(pid);
	check(get_status(other).state == KLAT_RUNNING, "the child's close ended the run");
	check(try_config(other, &usual) == EBUSY, "the child's close ended the ownership");

	/* now the parent closes first, and the run is the child's */
	pid = fork();
	if (!pid) {
		close(go[1]);
		_exit(read(go[0], &byte, 1) < 0);
	}
	close(owner);
	check(get_status(other).state == KLAT_RUNNING, "one of two closes ended the run");
	close(go[1]);
	wait_for_child(pid);
	check(get_status(other).state == KLAT_STOPPED, "the last close did not end the run");
	check(!try_config(other, &usual), "the last close did not end the ownership");
}

static void own_and_wait(int tell)
{
	start_endless(device_open());
	if (write(tell, "", 1) == 1)
		pause();
	_exit(1);
}

void test_killed_owner(void)
{
	int other = device_open();
	struct klat_status status;
	int started[2];
	char byte;
	pid_t pid;

	require(!pipe(started), "pipe: %s", strerror(errno));
	pid = fork();
	if (!pid)
		own_and_wait(started[1]);
	close(started[1]);
	require(read(started[0], &byte, 1) == 1, "the child did not start a run");
	check(get_status(other).state == KLAT_RUNNING, "it does not run");
	kill(pid, SIGKILL);
	wait_for_child(pid);
	status = wait_for_end(other, 10);
	check(status.state == KLAT_STOPPED, "state %u, '%s'", status.state, status.message);
	start_run(other, &usual);
	check(wait_for_end(other, 30).state == KLAT_DONE, "the next run failed");
}
