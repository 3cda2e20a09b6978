// SPDX-License-Identifier: GPL-2.0
/* read(): samples, when there are some. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "ktap.h"
#include "tests.h"

#define SAMPLE	sizeof(struct klat_sample)

static void check_read(int fd, void *to, size_t size, int expected, const char *what)
{
	ssize_t got = read(fd, to, size);

	check(got == -1 && errno == expected, "%s: %zd, %s", what, got, strerror(errno));
}

/* Runs @count events to the end; nothing has been read of them */
static void run_to_end(int fd, int count)
{
	start_run(fd, &(struct abi_run){ .count = count, .period_ns = 100 * US });
	check(wait_for_end(fd, 60).state == KLAT_DONE, "the run failed");
}

void test_read_small_buffer(void)
{
	struct klat_sample sample[2];
	int fd = device_open();

	/* whether there are samples or not */
	check_read(fd, sample, 0, EINVAL, "0 bytes");
	check_read(fd, sample, SAMPLE - 1, EINVAL, "one byte too few");
	run_to_end(fd, 3);
	check_read(fd, sample, 0, EINVAL, "0 bytes, with samples");
	check_read(fd, sample, SAMPLE - 1, EINVAL, "one byte too few, with samples");
	/* whole samples only */
	check(read(fd, sample, 2 * SAMPLE - 1) == SAMPLE, "not one sample");
	check(read(fd, sample, 2 * SAMPLE) == 2 * SAMPLE, "not two samples");
	check(read(fd, sample, SAMPLE) == 0, "no end");
}

void test_read_before_a_run(void)
{
	struct klat_sample sample;
	int fd = device_open(), other = device_open_nonblock();

	check(!try_simple(fd, KLAT_RESET), "RESET");
	check(read(fd, &sample, SAMPLE) == 0, "blocking: not the end");
	/* nobody may read while another owns it: the owner's own file is asked */
	close(fd);
	check(read(other, &sample, SAMPLE) == 0, "O_NONBLOCK: not the end");
}

static void check_samples(const struct klat_sample *samples, int count, __u64 seq,
			  const struct klat_stats *stats)
{
	int i;

	for (i = 0; i < count; i++) {
		const struct klat_sample *sample = &samples[i];

		check(sample->seq == seq + i, "seq %llu at %llu", sample->seq,
		      seq + i);
		check(sample->series == module->main_series, "series %u", sample->series);
		check(!sample->reserved, "reserved %u", sample->reserved);
		check(sample->value >= stats->min && sample->value <= stats->max,
		      "value %llu is not among those counted", sample->value);
		if (i)
			check(sample->time > samples[i - 1].time, "sample %d is older than the one before",
			      i);
	}
}

void test_read_samples(void)
{
	struct klat_sample samples[64];
	unsigned __int128 sum = 0;
	struct klat_stats stats;
	int fd = device_open(), i;

	run_to_end(fd, 40);
	stats = get_stats(fd, module->main_series);
	check(read(fd, samples, SAMPLE) == SAMPLE, "not one");
	check(read(fd, samples + 1, 7 * SAMPLE) == 7 * SAMPLE, "not seven");
	check(read(fd, samples + 8, sizeof(samples) - 8 * SAMPLE) == 32 * SAMPLE,
	      "not all the others");
	check_samples(samples, 40, 0, &stats);
	for (i = 0; i < 40; i++)
		sum += samples[i].value;
	check((__u64)sum == stats.sum_lo, "the samples' sum is not the statistics'");
	check(read(fd, samples, sizeof(samples)) == 0, "no end");
	check(read(fd, samples, sizeof(samples)) == 0, "no end the second time");
	/* the next run's samples start from 0 */
	run_to_end(fd, 2);
	stats = get_stats(fd, module->main_series);
	check(read(fd, samples, sizeof(samples)) == 2 * SAMPLE, "not two");
	check_samples(samples, 2, 0, &stats);
}

void test_read_nonblock(void)
{
	struct klat_sample sample;
	int fd = device_open_nonblock();
	ssize_t got;

	/* the first sample comes after a second */
	start_run(fd, &(struct abi_run){ .count = 2, .period_ns = 1000 * MS });
	check_read(fd, &sample, SAMPLE, EAGAIN, "before the first sample");
	wait_for_seen(fd, 1);
	got = read(fd, &sample, SAMPLE);
	check(got == SAMPLE && !sample.seq, "after the first sample: %zd", got);
	check_read(fd, &sample, SAMPLE, EAGAIN, "after it was read");
	stop_run(fd);
	check(read(fd, &sample, SAMPLE) == 0, "not the end after STOP");
}

/* A sample that could not be given is not lost */
void test_read_bad_pointer(void)
{
	struct klat_sample sample;
	int fd = device_open();
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(pages != MAP_FAILED, "mmap: %s", strerror(errno));
	mprotect(pages + page, page, PROT_READ);
	run_to_end(fd, 10);
	check_read(fd, NULL, SAMPLE, EFAULT, "NULL");
	check_read(fd, (void *)0xffff888000001000ULL, SAMPLE, EFAULT, "kernel address");
	check_read(fd, pages + page, SAMPLE, EFAULT, "read-only memory");
	check(read(fd, pages + page - SAMPLE, 4 * SAMPLE) == SAMPLE, "partly read-only memory");
	memcpy(&sample, pages + page - SAMPLE, SAMPLE);
	check(!sample.seq, "sample 0 is lost");
	check(read(fd, &sample, SAMPLE) == SAMPLE && sample.seq == 1, "sample 1 is lost");
	check(!get_status(fd).ring_lost, "ring_lost");
}

void test_read_of_others(void)
{
	struct klat_sample sample;
	int owner = device_open(), other = device_open();

	start_run(owner, &(struct abi_run){ .count = -1, .period_ns = 1 * MS });
	check_read(other, &sample, SAMPLE, EBUSY, "by another while it runs");
	wait_for_seen(owner, 3);
	stop_run(owner);
	check_read(other, &sample, SAMPLE, EBUSY, "by another when it is over");
	check(read(owner, &sample, SAMPLE) == SAMPLE && !sample.seq, "sample 0 is gone");
	close(owner);
	/* nobody's any more */
	check(read(other, &sample, SAMPLE) == SAMPLE && sample.seq == 1, "sample 1 is gone");
}

struct reader {
	int fd;
	__u64 read;
	__u64 last;
	__u8 *seen;
	__u64 nr_seen;
};

static void note(struct reader *reader, const struct klat_sample *sample)
{
	if (reader->read)
		check(sample->seq > reader->last, "seq %llu after %llu", sample->seq,
		      reader->last);
	reader->last = sample->seq;
	reader->read++;
	if (check(sample->seq < reader->nr_seen, "seq %llu", sample->seq))
		__atomic_fetch_add(&reader->seen[sample->seq], 1, __ATOMIC_RELAXED);
}

static void *read_to_the_end(void *arg)
{
	struct reader *reader = arg;
	struct klat_sample samples[8];
	ssize_t got, i;

	while ((got = read(reader->fd, samples, sizeof(samples))) > 0)
		for (i = 0; i < got / (ssize_t)SAMPLE; i++)
			note(reader, &samples[i]);
	check(got == 0, "read: %s", strerror(errno));
	return NULL;
}

/* Both block in read() beside each other; each sample goes to one of them */
void test_two_readers(void)
{
	static __u8 seen[2000];
	int fd = device_open(), i;
	struct reader reader[2] = {
		{ .fd = fd, .seen = seen, .nr_seen = sizeof(seen) },
		{ .fd = fd, .seen = seen, .nr_seen = sizeof(seen) },
	};
	pthread_t thread[2];

	start_run(fd, &(struct abi_run){ .count = sizeof(seen), .period_ns = 200 * US });
	for (i = 0; i < 2; i++)
		require(!pthread_create(&thread[i], NULL, read_to_the_end, &reader[i]),
			"pthread_create");
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	check(!get_status(fd).ring_lost, "lost %llu", get_status(fd).ring_lost);
	check(reader[0].read + reader[1].read == sizeof(seen), "read %llu and %llu",
	      reader[0].read, reader[1].read);
	for (i = 0; i < (int)sizeof(seen); i++)
		check(seen[i] == 1, "sample %d came %u times", i, seen[i]);
}

static void interrupt(int signal)
{
	(void)signal;
}

/* A signal reaches a reader that waits, without SA_RESTART as EINTR */
void test_interrupted_read(void)
{
	struct sigaction action = { .sa_handler = interrupt };
	struct klat_sample sample;
	int fd = device_open();

	sigaction(SIGALRM, &action, NULL);
	start_run(fd, &(struct abi_run){ .count = 1, .period_ns = 3600000 * MS });
	alarm(1);
	check_read(fd, &sample, SAMPLE, EINTR, "a reader that got a signal");
	stop_run(fd);
	check(get_status(fd).state == KLAT_STOPPED, "state %u", get_status(fd).state);
}
