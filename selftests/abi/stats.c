// SPDX-License-Identifier: GPL-2.0
/* STATS and HIST: consistent at any moment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

#define SNAPSHOTS	300

static __u64 buckets[KLAT_HIST_BUCKETS + 8];

static void check_hist(int fd, __u32 series, __u64 *last)
{
	__u64 count, sum = 0;
	size_t i;
	int error;

	error = try_hist(fd, series, KLAT_CPU_ALL, KLAT_HIST_BUCKETS, buckets, &count);
	require(!error, "HIST of series %u: %s", series, strerror(error));
	for (i = 0; i < KLAT_HIST_BUCKETS; i++)
		sum += buckets[i];
	check(sum == count, "series %u: buckets hold %llu, count is %llu", series,
	      sum, count);
	check(count >= *last, "series %u: %llu values after %llu", series,
	      count, *last);
	*last = count;
}

static void check_worst(const struct klat_stats *stats)
{
	__u32 i;

	check(stats->nr_worst <= KLAT_MAX_WORST && stats->nr_worst <= stats->count,
	      "%u worst of %llu", stats->nr_worst, stats->count);
	for (i = 0; i < stats->nr_worst && i < KLAT_MAX_WORST; i++) {
		check(stats->worst[i].value && stats->worst[i].value <= stats->max,
		      "worst %u is %llu, max %llu", i, stats->worst[i].value, stats->max);
		if (i)
			check(stats->worst[i].value <= stats->worst[i - 1].value,
			      "worst %u is above the one before", i);
	}
}

static void check_stats(int fd, __u32 series, __u64 *last)
{
	struct klat_stats stats = get_stats(fd, series);
	unsigned __int128 sum = (unsigned __int128)stats.sum_hi << 64 | stats.sum_lo;
	unsigned __int128 squares = (unsigned __int128)stats.squares[1] << 64 | stats.squares[0];

	check(stats.count >= *last, "series %u: %llu values after %llu", series, stats.count,
	      *last);
	*last = stats.count;
	if (!stats.count) {
		check(!stats.min && !stats.max && !sum && !squares && !stats.nr_worst,
		      "series %u is not all 0 without values", series);
		return;
	}
	check(stats.min <= stats.max, "series %u: min %llu, max %llu", series, stats.min,
	      stats.max);
	check(sum >= (unsigned __int128)stats.min * (stats.count - 1) + stats.max &&
	      sum <= (unsigned __int128)stats.max * (stats.count - 1) + stats.min,
	      "series %u: the sum does not fit count, min and max", series);
	check(!stats.squares[2] && squares <= sum * stats.max && squares >= sum * stats.min,
	      "series %u: the squares do not fit the sum", series);
	check_worst(&stats);
}

/* With the run over, the two commands say the same */
static void check_agreement(int fd, __u32 series)
{
	struct klat_stats stats = get_stats(fd, series);
	__u64 count = 0;
	__u32 least = 0, most = KLAT_HIST_BUCKETS - 1;

	check_hist(fd, series, &count);
	check(count == stats.count, "series %u: HIST counts %llu, STATS %llu", series,
	      count, stats.count);
	if (!stats.count)
		return;
	while (!buckets[least])
		least++;
	while (!buckets[most])
		most--;
	check(least == klat_hist_index(stats.min), "series %u: the least is elsewhere", series);
	check(most == klat_hist_index(stats.max), "series %u: the largest is elsewhere", series);
	check(!stats.max || stats.worst[0].value == stats.max,
	      "series %u: the worst is not the largest", series);
}

void test_snapshots(void)
{
	__u64 from_hist[KLAT_MAX_SERIES] = { 0 }, from_stats[KLAT_MAX_SERIES] = { 0 };
	int fd = device_open(), other = device_open(), i;
	__u64 came = 0;
	__u32 series;

	start_run(fd, &(struct abi_run){ .count = -1, .period_ns = 100 * US });
	wait_for_seen(other, 1);
	for (i = 0; i < SNAPSHOTS; i++) {
		for (series = 0; series < module->nr_series; series++) {
			check_hist(other, series, &from_hist[series]);
			check_stats(other, series, &from_stats[series]);
		}
		ktap_alive();
	}
	stop_run(fd);
	for (series = 0; series < module->nr_series; series++) {
		came += is_sample_series(series) ? from_hist[series] : 0;
		check_agreement(fd, series);
	}
	check(came > (module->timed ? 0 : 100), "only %llu values came meanwhile", came);
}

static void check_nr(int fd, __u32 series, __u32 nr, int expected)
{
	__u64 count, all = get_stats(fd, series).count;
	__u32 i;
	int error;

	memset(buckets, 0x5a, sizeof(buckets));
	error = try_hist(fd, series, KLAT_CPU_ALL, nr, buckets, &count);
	check(error == expected, "nr %u: %s", nr, strerror(error));
	if (!error)
		check(count == all, "nr %u: count %llu of %llu", nr, count, all);
	for (i = 0; i < KLAT_HIST_BUCKETS + 8; i++) {
		bool written = buckets[i] != 0x5a5a5a5a5a5a5a5aULL;

		if (!check(written == (!error && i < nr), "nr %u: bucket %u was %swritten", nr,
			   i, written ? "" : "not "))
			return;
	}
}

void test_hist_nr(void)
{
	int fd = device_open();
	__u32 series;

	start_run(fd, &(struct abi_run){ .count = 50, .period_ns = 200 * US });
	wait_for_end(fd, 30);
	check(count_values(fd) > 0, "there are no values");
	for (series = 0; series < module->nr_series; series++) {
		check_nr(fd, series, 0, 0);
		check_nr(fd, series, 1, 0);
		check_nr(fd, series, KLAT_HIST_BUCKETS - 1, 0);
		check_nr(fd, series, KLAT_HIST_BUCKETS, 0);
		check_nr(fd, series, KLAT_HIST_BUCKETS + 1, EINVAL);
		check_nr(fd, series, 0xffffffff, EINVAL);
	}
}

static void check_out_of_range(int fd, __u32 series, __u32 cpu)
{
	struct klat_stats stats;
	__u64 count;
	int error;

	error = try_stats(fd, series, cpu, &stats);
	check(error == EINVAL, "STATS of series %u, CPU %u: %s", series, cpu, strerror(error));
	error = try_hist(fd, series, cpu, 1, buckets, &count);
	check(error == EINVAL, "HIST of series %u, CPU %u: %s", series, cpu, strerror(error));
}

static __u64 count_on(int fd, __u32 series, __u32 cpu)
{
	struct klat_stats stats;
	__u64 count;
	int error;

	error = try_stats(fd, series, cpu, &stats);
	require(!error, "STATS of CPU %u: %s", cpu, strerror(error));
	error = try_hist(fd, series, cpu, 0, NULL, &count);
	require(!error, "HIST of CPU %u: %s", cpu, strerror(error));
	check(stats.cpu == cpu && stats.series == series,
	      "STATS answers for CPU %u, series %u", stats.cpu, stats.series);
	check(stats.count == count, "CPU %u: STATS %llu, HIST %llu", cpu, stats.count,
	      count);
	return count;
}

static void check_sum_of_cpus(int fd, __u32 series)
{
	__u64 all = count_on(fd, series, KLAT_CPU_ALL), sum = 0;
	int cpu;

	for (cpu = first_cpu(); cpu <= last_cpu(); cpu++)
		sum += count_on(fd, series, cpu);
	check(sum == all, "series %u: all CPUs have %llu together, not %llu", series, sum, all);
}

void test_series_and_cpu(void)
{
	struct klat_status status;
	int fd = device_open();
	__u32 series;

	check_out_of_range(fd, module->nr_series, KLAT_CPU_ALL);
	check_out_of_range(fd, 0xffffffff, KLAT_CPU_ALL);
	/* no kernel has more than 8,192 CPUs */
	check_out_of_range(fd, 0, 8192);
	check_out_of_range(fd, 0, KLAT_CPU_ALL - 1);

	start_run(fd, &(struct abi_run){ .count = 50, .period_ns = 200 * US });
	status = wait_for_end(fd, 30);
	check(count_values(fd) == status.seen, "seen %llu, counted %llu", status.seen,
	      count_values(fd));
	for (series = 0; series < module->nr_series; series++)
		check_sum_of_cpus(fd, series);
}
