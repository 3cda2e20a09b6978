// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cpus.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

#define LONG_MS		30000

static int poll_for(int fd, short events, int ms)
{
	struct pollfd pollfd = { .fd = fd, .events = events };
	int ready = poll(&pollfd, 1, ms);

	require(ready >= 0, "poll: %s", strerror(errno));
	return ready ? pollfd.revents : 0;
}

static __u64 read_samples(int fd)
{
	char samples[64 * SAMPLE_ROOM];
	ssize_t got = read(fd, samples, sizeof(samples));

	require(got >= 0, "read: %s", strerror(errno));
	return got / sample_size();
}

/* With @count samples read, poll is ready only if there is another one */
static void check_poll_after(int fd, __u64 count)
{
	int events = poll_for(fd, POLLIN, 0);

	check(!events || module->timed || get_status(fd).seen > count,
	      "events %#x without a sample", events);
}

void test_poll(void)
{
	int fd = device_open_nonblock(), other = device_open(), events;

	check(!try_simple(fd, KLAT_RESET), "RESET");
	check(poll_for(fd, POLLIN, 0) & POLLHUP, "no POLLHUP without a run");
	start_run(fd, &(struct abi_run){ .count = module->settle + 4, .period_ns = 100 * MS });
	check_poll_after(fd, 0);
	check(poll_for(other, POLLIN, 0) & POLLERR, "no POLLERR for another than the owner");
	/* a wait that a sample ends */
	events = poll_for(fd, POLLIN, LONG_MS);
	check((events & POLLIN) && !(events & POLLHUP), "events %#x at a sample", events);
	check_poll_after(fd, read_samples(fd));
	wait_for_end(fd, 30);
	events = poll_for(fd, POLLIN, LONG_MS);
	check((events & POLLIN) && (events & POLLHUP), "events %#x at the end", events);
	check(read_samples(fd) > 0, "no sample at the end");
	events = poll_for(fd, POLLIN, 0);
	check(events & POLLHUP, "events %#x after the last sample", events);
}

struct beside {
	int fd;
	bool stop;
};

/* Leaves read() late: its CPU has nearly always something better to do */
static void *read_slowly(void *arg)
{
	struct beside *beside = arg;
	struct sched_param param = { 0 };

	run_on(last_cpu());
	sched_setscheduler(0, SCHED_IDLE, &param);
	while (read_samples(beside->fd))
		;
	return NULL;
}

static void *keep_busy(void *arg)
{
	struct beside *beside = arg;

	run_on(last_cpu());
	while (!__atomic_load_n(&beside->stop, __ATOMIC_RELAXED))
		;
	return NULL;
}

static void *stop_soon(void *arg)
{
	struct beside *beside = arg;

	usleep(100000);
	stop_run(beside->fd);
	return NULL;
}

/* A poll that was not woken looks again when its time is over: that is too late */
static void check_woken(int fd)
{
	time_t start = time(NULL);
	int events = poll_for(fd, 0, LONG_MS);

	check((events & POLLHUP) && time(NULL) - start < LONG_MS / 1000 - 5,
	      "the end of the run did not wake the poll");
}

static void end_beside_a_reader(void)
{
	struct beside beside = { .fd = device_open() };
	pthread_t thread[3];
	int i;

	start_idle(beside.fd);
	pthread_create(&thread[0], NULL, read_slowly, &beside);
	usleep(50000);
	pthread_create(&thread[1], NULL, keep_busy, &beside);
	pthread_create(&thread[2], NULL, stop_soon, &beside);
	check_woken(beside.fd);
	__atomic_store_n(&beside.stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	close(beside.fd);
}

/* Whoever polls learns of the end, also while another thread sits in read() */
void test_poll_beside_a_reader(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		end_beside_a_reader();
		ktap_alive();
	}
}
