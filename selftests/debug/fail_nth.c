// SPDX-License-Identifier: GPL-2.0
/*
 * Has each allocation on a path through a module fail, one after the other, on a
 * kernel with fault injection: that of insmod with parameters of a short run, and
 * those of open(), CONFIG and START.
 *
 *	fail_nth MODULE [PARAMETER=VALUE]...
 *
 * When one has failed, the path must give an error and change nothing, or do
 * without that memory and measure all the same. What was lost or broken on the way
 * the kernel has to report. KTAP, exit status as abi's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../abi/device.h"
#include "../abi/ktap.h"
#include "../abi/module.h"

#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define DEBUGFS		"/sys/kernel/debug"
/* no path has as many */
#define NTH_MAX		1000
/* that much has every path that is worth the walk */
#define NTH_MIN		1
#define WAIT_S		50

static const struct abi_run short_run = { .count = 10, .period_ns = 1 * MS };
/* of insmod */
static char parameters[256];

static void need_text(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	ssize_t written;

	if (fd < 0)
		ktap_skip("%s: %s", file, strerror(errno));
	written = write(fd, text, strlen(text));
	require(written == (ssize_t)strlen(text), "%s: '%s': %s", file, text, strerror(errno));
	close(fd);
}

static void set_failure(const char *kind, const char *name, const char *value)
{
	char file[128];

	snprintf(file, sizeof(file), DEBUGFS "/%s/%s", kind, name);
	need_text(file, value);
}

/* The address where the kernel's own image ends, as text */
static void end_of_kernel(char *text, size_t size)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	unsigned long long at, end = 0;
	char line[512], name[256];

	while (symbols && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx %*c %255s", &at, name) == 2 && !strcmp(name, "_end"))
			end = at;
	if (symbols)
		fclose(symbols);
	require(end, "/proc/kallsyms does not say where the kernel ends");
	snprintf(text, size, "0x%llx", end);
}

/*
 * What lies behind the kernel is a module's, and only allocations that have a
 * module on their stack are to fail: not those of the module loader.
 */
static void set_up(void)
{
	static const char *const kinds[] = { "failslab", "fail_page_alloc" };
	char end[32];
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		set_failure(kinds[i], "ignore-gfp-wait", "N");
		end_of_kernel(end, sizeof(end));
		set_failure(kinds[i], "require-start", end);
		set_failure(kinds[i], "stacktrace-depth", "32");
		/* a call trace would pass for a complaint */
		set_failure(kinds[i], "verbose", "1");
	}
	set_failure("fail_page_alloc", "min-order", "0");
	set_failure("fail_page_alloc", "ignore-gfp-highmem", "N");
}

/* The @nth allocation of this task from here on is to fail */
static void arm(unsigned int nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", nth);
	need_text(FAIL_NTH, text);
}

/* Whether it did */
static bool disarm(void)
{
	int fd = open(FAIL_NTH, O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	require(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0, "%s: %s", FAIL_NTH,
		strerror(errno));
	close(fd);
	need_text(FAIL_NTH, "0");
	return !atoi(text);
}

static int insert(const char *text)
{
	char file[64];
	int fd, error;

	snprintf(file, sizeof(file), "%s.ko", module->name);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	require(fd >= 0, "%s: %s", file, strerror(errno));
	error = syscall(SYS_finit_module, fd, text, 0) < 0 ? errno : 0;
	close(fd);
	return error;
}

static void delete_module(void)
{
	require(!syscall(SYS_delete_module, module->name, O_NONBLOCK), "unloading: %s",
		strerror(errno));
}

static bool is_loaded(void)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "/sys/module/%s", module->name);
	return !access(dir, F_OK);
}

/* The run that goes on comes to a good end */
static void run_is_good(int fd)
{
	struct klat_status status = wait_for_end(fd, WAIT_S);

	require(is_complete(&status), "the run is in state %u: asked %llu, seen %llu (%s)",
		status.state, status.asked, status.seen, status.message);
}

/*
 * Walks a path: @step takes it once, with the allocation of that number to fail,
 * and gives its error. @settle then looks at what is there, and makes it as it was.
 */
static void walk(int (*step)(void), void (*settle)(int error))
{
	unsigned int nth, without = 0;
	bool failed;
	int error;

	set_up();
	for (nth = 1; nth <= NTH_MAX; nth++) {
		arm(nth);
		error = step();
		failed = disarm();
		require(failed || !error, "nothing failed, and still: %s", strerror(error));
		ktap_say("%u: %s", nth, !failed ? "there is none" : error ? strerror(error) :
			 "goes on without");
		without += failed && !error;
		settle(error);
		ktap_alive();
		if (!failed)
			break;
	}
	require(nth > NTH_MIN && nth <= NTH_MAX, "%u allocations", nth - 1);
	ktap_say("%u allocations, %u of them can be done without", nth - 1, without);
}

static int step_load(void)
{
	return insert(parameters);
}

static void settle_load(int error)
{
	int fd;

	require(!error == is_loaded(), "insmod says '%s', and the module is %sloaded",
		strerror(error), error ? "" : "not ");
	if (error)
		return;
	fd = device_open();
	run_is_good(fd);
	close(fd);
	delete_module();
}

static void test_load(void)
{
	walk(step_load, settle_load);
}

/* For the ABI's calls: the file of which they are */
static int file = -1;

static void is_no_memory(int error)
{
	require(!error || error == ENOMEM, "%s, and not ENOMEM", strerror(error));
}

static int step_open(void)
{
	file = open(device_path(), O_RDWR | O_CLOEXEC);
	return file < 0 ? errno : 0;
}

static void settle_open(int error)
{
	is_no_memory(error);
	if (!error)
		close(file);
}

static int step_config(void)
{
	return try_config(file, &short_run);
}

static int step_start(void)
{
	return try_simple(file, KLAT_START);
}

/* What failed can be had at once when there is memory again */
static void settle_start(int error)
{
	is_no_memory(error);
	if (error) {
		require(get_status(file).state != KLAT_RUNNING, "START failed, and it runs");
		error = try_simple(file, KLAT_START);
		require(!error, "START again: %s (%s)", strerror(error),
			get_status(file).refusal);
	}
	run_is_good(file);
}

static void with_device(void (*test)(void))
{
	int error = insert("autostart=0");

	require(!error, "insmod: %s", strerror(error));
	test();
	delete_module();
}

static void walk_open(void)
{
	walk(step_open, settle_open);
}

static void walk_config(void)
{
	file = device_open();
	walk(step_config, is_no_memory);
	close(file);
}

static void walk_start(void)
{
	int error;

	file = device_open();
	error = try_config(file, &short_run);
	require(!error, "CONFIG: %s (%s)", strerror(error), get_status(file).refusal);
	walk(step_start, settle_start);
	close(file);
}

static void test_open(void)
{
	with_device(walk_open);
}

static void test_config(void)
{
	with_device(walk_config);
}

static void test_start(void)
{
	with_device(walk_start);
}

static const struct ktap_test tests[] = {
	{ "load", test_load },
	{ "open", test_open },
	{ "config", test_config },
	{ "start", test_start },
};

int main(int argc, char **argv)
{
	size_t used = 0;
	int i;

	if (argc < 2 || !find_module(argv[1])) {
		fprintf(stderr, "Usage: fail_nth MODULE [PARAMETER=VALUE]...\n");
		return 2;
	}
	for (i = 2; i < argc && used < sizeof(parameters); i++)
		used += snprintf(parameters + used, sizeof(parameters) - used, "%s ", argv[i]);
	if (used >= sizeof(parameters)) {
		fprintf(stderr, "fail_nth: too many parameters\n");
		return 2;
	}
	return ktap_run(tests, sizeof(tests) / sizeof(tests[0]), NULL);
}
