// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "ktap.h"

const char *device_path(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "/dev/klat/%s", module->name);
	return path;
}

int device_open(void)
{
	int fd = open(device_path(), O_RDWR | O_CLOEXEC);

	require(fd >= 0, "open %s: %s", device_path(), strerror(errno));
	return fd;
}

int device_open_nonblock(void)
{
	int fd = device_open();

	require(!fcntl(fd, F_SETFL, O_NONBLOCK), "O_NONBLOCK: %s", strerror(errno));
	return fd;
}

int try_command(int fd, unsigned int number, void *arg)
{
	return ioctl(fd, number, arg) < 0 ? errno : 0;
}

int try_simple(int fd, unsigned int number)
{
	struct klat_simple simple = { .size = sizeof(simple) };

	return try_command(fd, number, &simple);
}

int try_config(int fd, const struct abi_run *run)
{
	char config[CONFIG_ROOM] = { 0 };

	module->good(config, run);
	return try_command(fd, KLAT_CONFIG, config);
}

int try_stats(int fd, __u32 series, __u32 cpu, struct klat_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	stats->series = series;
	stats->cpu = cpu;
	return try_command(fd, KLAT_STATS, stats);
}

int try_hist(int fd, __u32 series, __u32 cpu, __u32 nr, __u64 *buckets,
	     __u64 *count)
{
	struct klat_hist hist = {
		.size = sizeof(hist),
		.series = series,
		.cpu = cpu,
		.nr = nr,
		.buckets = (uintptr_t)buckets,
	};
	int error = try_command(fd, KLAT_HIST, &hist);

	*count = hist.count;
	return error;
}

void start_run(int fd, const struct abi_run *run)
{
	int error = try_config(fd, run);

	require(!error, "CONFIG: %s (%s)", strerror(error), get_status(fd).refusal);
	error = try_simple(fd, KLAT_START);
	require(!error, "START: %s (%s)", strerror(error), get_status(fd).refusal);
}

void start_endless(int fd)
{
	start_run(fd, &(struct abi_run){ .count = -1, .period_ns = 1 * MS });
}

void start_idle(int fd)
{
	start_run(fd, &(struct abi_run){ .count = 1000, .period_ns = module->period_max });
}

void stop_run(int fd)
{
	int error = try_simple(fd, KLAT_STOP);

	require(!error, "STOP: %s", strerror(error));
}

struct klat_info get_info(int fd)
{
	struct klat_info info = { .size = sizeof(info) };
	int error = try_command(fd, KLAT_INFO, &info);

	require(!error, "INFO: %s", strerror(error));
	return info;
}

struct klat_status get_status(int fd)
{
	struct klat_status status = { .size = sizeof(status) };
	int error = try_command(fd, KLAT_STATUS, &status);

	require(!error, "STATUS: %s", strerror(error));
	return status;
}

struct klat_stats get_stats(int fd, __u32 series)
{
	struct klat_stats stats;
	int error = try_stats(fd, series, KLAT_CPU_ALL, &stats);

	require(!error, "STATS of series %u: %s", series, strerror(error));
	return stats;
}

size_t sample_size(void)
{
	return module->sample_size ? module->sample_size : sizeof(struct klat_sample);
}

bool is_sample_series(__u32 series)
{
	return series < module->nr_series && module->sample_series >> series & 1;
}

__u64 count_values(int fd)
{
	__u64 count = 0;
	__u32 i;

	for (i = 0; i < module->nr_series; i++)
		if (is_sample_series(i))
			count += get_stats(fd, i).count;
	return count;
}

__u64 left_out(const struct klat_status *status)
{
	__u64 skipped = module->skips ? status->missed + status->late : 0;

	return skipped + status->unanswered;
}

bool is_complete(const struct klat_status *status)
{
	return status->state == KLAT_DONE &&
	       (module->timed || status->seen + left_out(status) == status->asked);
}

static __u64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

struct klat_status wait_for_end(int fd, int seconds)
{
	__u64 deadline = now_ms() + seconds * 1000ULL;
	struct klat_status status;

	for (;;) {
		status = get_status(fd);
		if (status.state != KLAT_RUNNING)
			return status;
		require(now_ms() < deadline, "the run is not over after %d s: seen %llu of %llu",
			seconds, status.seen, status.asked);
		ktap_alive();
		usleep(2000);
	}
}

void wait_for_seen(int fd, __u64 seen)
{
	__u64 deadline = now_ms() + 30000;

	seen += module->settle;
	while (get_status(fd).seen < seen) {
		require(now_ms() < deadline, "not %llu events after 30 s", seen);
		usleep(1000);
	}
}

void wait_for_sample(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	require(poll(&pollfd, 1, 30000) == 1 && pollfd.revents & POLLIN,
		"no sample after 30 s");
}
