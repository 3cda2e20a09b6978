// SPDX-License-Identifier: GPL-2.0
/* A reader that sleeps while many more samples come in than the ring holds. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

#define ENTRIES		64
/* the slowest machine that is still waited for: ten times the period, and some */
#define WAIT_S(count)	((int)((count) / 1000 + 60))

struct tally {
	__u64 next;		/* the least number that may come */
	__u64 read;
	__u64 gaps;
};

/* One read() of whatever there is; false at the end */
static bool take(int fd, struct tally *tally)
{
	struct klat_sample samples[2 * ENTRIES];
	ssize_t got = read(fd, samples, sizeof(samples)), i;

	require(got >= 0, "read: %s", strerror(errno));
	for (i = 0; i < got / (ssize_t)sizeof(samples[0]); i++) {
		require(samples[i].seq >= tally->next, "seq %llu after %llu", samples[i].seq,
			tally->next - 1);
		tally->gaps += samples[i].seq - tally->next;
		tally->next = samples[i].seq + 1;
		tally->read++;
	}
	return got > 0;
}

/* Reads from time to time, and sleeps far longer than the ring lasts */
static void read_seldom(int fd, struct tally *tally)
{
	__u64 last = 0;

	while (get_status(fd).state == KLAT_RUNNING) {
		take(fd, tally);
		if (tally->next != last)
			ktap_alive();
		last = tally->next;
		usleep(100000);
	}
}

void test_ring_overrun(void)
{
	/*
	 * Not as fast as can be: on a slow machine the requesting thread would
	 * never sleep, and be throttled as a real-time thread that runs wild.
	 */
	__u64 period = first_cpu() == last_cpu() ? 200 * US : 100 * US;
	struct tally tally = { 0 };
	struct klat_status status;
	struct klat_stats stats;
	int fd = device_open();

	start_run(fd, &(struct abi_run){
		.count = option_ring, .period_ns = period, .ring_entries = ENTRIES });
	read_seldom(fd, &tally);
	status = wait_for_end(fd, WAIT_S(option_ring));
	while (take(fd, &tally))
		;
	stats = get_stats(fd, module->main_series);

	ktap_say("%llu asked, %llu read, %llu lost", status.asked,
		 tally.read, status.ring_lost);
	check(status.state == KLAT_DONE, "state %u, '%s'", status.state, status.message);
	check(status.seen == option_ring, "seen %llu", status.seen);
	check(stats.count == option_ring, "counted %llu", stats.count);
	check(status.ring_lost > 0 && tally.read >= ENTRIES, "the ring was never full");
	check(tally.read + status.ring_lost == stats.count, "read and lost are not all");
	/* those after the last one read were lost, too */
	check(tally.gaps + option_ring - tally.next == status.ring_lost,
	      "the gaps in the numbers are %llu",
	      (tally.gaps + option_ring - tally.next));
}
