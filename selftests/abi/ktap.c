// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

/* a test that says nothing for so long hangs */
#define SILENCE_S	60
#define KILL_S		30
#define LOOK_US		2000
/* what takes so long is said to */
#define LONG_S		5

struct shared {
	time_t last_sign;
	char skipped[128];
};

static struct shared *shared;
static bool failed;

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

void ktap_alive(void)
{
	__atomic_store_n(&shared->last_sign, now(), __ATOMIC_RELAXED);
}

void ktap_say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	printf("# ");
	vprintf(fmt, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
}

void ktap_skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(shared->skipped, sizeof(shared->skipped), fmt, args);
	va_end(args);
	_exit(failed ? KTAP_FAIL : KTAP_SKIP);
}

void ktap_end_if(bool bad)
{
	if (bad)
		_exit(KTAP_FAIL);
}

bool ktap_check(bool good, const char *file, int line, const char *fmt, ...)
{
	va_list args;

	if (good)
		return true;
	failed = true;
	va_start(args, fmt);
	printf("# %s:%d: ", file, line);
	vprintf(fmt, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
	return false;
}

static bool silent_for(int seconds)
{
	return now() - __atomic_load_n(&shared->last_sign, __ATOMIC_RELAXED) > seconds;
}

/* False if @pid has not ended after so many seconds without a sign of life */
static bool wait_for(pid_t pid, int seconds, int *status)
{
	pid_t ended;

	while (!(ended = waitpid(pid, status, WNOHANG))) {
		if (silent_for(seconds))
			return false;
		usleep(LOOK_US);
	}
	return ended == pid;
}

static int run_one(const struct ktap_test *test)
{
	int status = 0;
	pid_t pid;

	shared->skipped[0] = '\0';
	ktap_alive();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		test->run();
		_exit(failed ? KTAP_FAIL : KTAP_PASS);
	}
	if (wait_for(pid, SILENCE_S, &status)) {
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		ktap_say("ended by signal %d", WTERMSIG(status));
		return KTAP_FAIL;
	}
	ktap_say("no sign of life for %d s", SILENCE_S);
	kill(pid, SIGKILL);
	ktap_alive();
	if (!wait_for(pid, KILL_S, &status)) {
		printf("Bail out! the test cannot be killed: it hangs in the kernel\n");
		exit(KTAP_FAIL);
	}
	return KTAP_FAIL;
}

static void report(int number, const char *name, int result, time_t seconds)
{
	if (seconds >= LONG_S)
		ktap_say("%s took %lld s", name, (long long)seconds);
	printf("%sok %d - %s", result == KTAP_PASS || result == KTAP_SKIP ? "" : "not ", number,
	       name);
	if (result == KTAP_SKIP)
		printf(" # SKIP %s", shared->skipped);
	printf("\n");
	fflush(stdout);
}

static bool wanted(const struct ktap_test *test, const char *only)
{
	return !only || !strcmp(test->name, only);
}

int ktap_run(const struct ktap_test *tests, size_t count, const char *only)
{
	int result, number = 0, passed = 0, bad = 0;
	size_t i, plan = 0;
	time_t start;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return KTAP_FAIL;
	for (i = 0; i < count; i++)
		plan += wanted(&tests[i], only);
	printf("KTAP version 1\n1..%zu\n", plan);
	for (i = 0; i < count; i++) {
		if (!wanted(&tests[i], only))
			continue;
		start = now();
		result = run_one(&tests[i]);
		report(++number, tests[i].name, result, now() - start);
		passed += result == KTAP_PASS;
		bad += result != KTAP_PASS && result != KTAP_SKIP;
	}
	ktap_say("passed %d, failed %d, skipped %d", passed, bad, number - passed - bad);
	if (bad || !number)
		return KTAP_FAIL;
	return passed ? KTAP_PASS : KTAP_SKIP;
}
