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
	__u64 lost;
	int fd = device_open();

	if (module->timed)
		ktap_skip("how many samples come is not known; see records_that_are_lost");
	start_run(fd, &(struct abi_run){
		.count = option_ring, .period_ns = period, .ring_entries = ENTRIES });
	read_seldom(fd, &tally);
	status = wait_for_end(fd, WAIT_S(option_ring));
	while (take(fd, &tally))
		;

	ktap_say("%llu asked, %llu read, %llu lost", status.asked,
		 tally.read, status.ring_lost);
	check(is_complete(&status), "state %u, '%s', seen %llu, left out %llu", status.state,
	      status.message, status.seen, left_out(&status));
	check(count_values(fd) == status.seen, "counted %llu", count_values(fd));
	check(status.ring_lost > 0 && tally.read >= ENTRIES, "the ring was never full");
	check(tally.read + status.ring_lost == status.seen, "read and lost are not all");
	/* those after the last one read were lost, too */
	lost = tally.gaps + option_ring - tally.next;
	check(lost == status.ring_lost + left_out(&status), "the gaps in the numbers are %llu",
	      lost);
}
