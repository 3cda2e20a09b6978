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

#define SAMPLE	sample_size()

static void check_read(int fd, void *to, size_t size, int expected, const char *what)
{
	ssize_t got = read(fd, to, size);

	check(got == -1 && errno == expected, "%s: %zd, %s", what, got, strerror(errno));
}

/*
 * Runs @count events to the end, at a period that a slow machine can keep;
 * nothing has been read of them. Gives how many there are to read.
 */
static __u64 run_to_end(int fd, int count)
{
	struct klat_status status;

	start_run(fd, &(struct abi_run){ .count = count, .period_ns = 1 * MS });
	status = wait_for_end(fd, 60);
	require(is_complete(&status), "the run failed");
	require(status.seen * 2 > status.asked, "seen only %llu of %d", status.seen, count);
	require(!module->timed || status.seen > 4, "seen only %llu", status.seen);
	return status.seen;
}

/* Reads all there is; errno of the read that ended it, 0 at the end of the run */
static int read_all(int fd, __u64 *count)
{
	char samples[16 * SAMPLE_ROOM];
	ssize_t got;

	for (*count = 0; (got = read(fd, samples, sizeof(samples))) > 0;
	     *count += got / (ssize_t)SAMPLE)
		;
	return got < 0 ? errno : 0;
}

/* Of a run that is over: @already samples were read, and the others are there */
static void check_others(int fd, __u64 already)
{
	struct klat_status status = get_status(fd);
	__u64 left;
	int error = read_all(fd, &left);

	check(!error, "at the end: %s", strerror(error));
	/* an event has several records */
	check(module->sample_size || already + left == status.seen,
	      "read %llu + %llu of %llu", already, left, status.seen);
}

void test_read_small_buffer(void)
{
	char sample[2 * SAMPLE_ROOM];
	int fd = device_open();

	/* whether there are samples or not */
	check_read(fd, sample, 0, EINVAL, "0 bytes");
	check_read(fd, sample, SAMPLE - 1, EINVAL, "one byte too few");
	run_to_end(fd, 50);
	check_read(fd, sample, 0, EINVAL, "0 bytes, with samples");
	check_read(fd, sample, SAMPLE - 1, EINVAL, "one byte too few, with samples");
	/* whole samples only */
	check(read(fd, sample, 2 * SAMPLE - 1) == (ssize_t)SAMPLE, "not one sample");
	check(read(fd, sample, 2 * SAMPLE) == 2 * (ssize_t)SAMPLE, "not two samples");
	check_others(fd, 3);
	check(read(fd, sample, SAMPLE) == 0, "no end");
}

void test_read_before_a_run(void)
{
	char sample[SAMPLE_ROOM];
	int fd = device_open(), other = device_open_nonblock();

	check(!try_simple(fd, KLAT_RESET), "RESET");
	check(read(fd, sample, SAMPLE) == 0, "blocking: not the end");
	/* nobody may read while another owns it: the owner's own file is asked */
	close(fd);
	check(read(other, sample, SAMPLE) == 0, "O_NONBLOCK: not the end");
}

static void check_sample(const struct klat_sample *sample, const struct klat_stats *stats)
{
	require(is_sample_series(sample->series), "series %u", sample->series);
	stats += sample->series;
	check(!sample->reserved, "reserved %u", sample->reserved);
	check(sample->value >= stats->min && sample->value <= stats->max,
	      "value %llu is not among those counted", sample->value);
}

/* The numbers ascend from 0, and leave out what the run left out */
static void check_numbers(int fd, const struct klat_sample *samples, __u64 count)
{
	struct klat_status status = get_status(fd);
	__u64 i;

	for (i = 1; i < count; i++) {
		check(samples[i].seq > samples[i - 1].seq, "seq %llu after %llu",
		      samples[i].seq, samples[i - 1].seq);
		check(samples[i].time > samples[i - 1].time,
		      "sample %llu is older than the one before", i);
	}
	check(samples[count - 1].seq < status.asked, "seq %llu of %llu", samples[count - 1].seq,
	      status.asked);
	check(left_out(&status) || samples[count - 1].seq == count - 1,
	      "seq %llu at %llu, and nothing was left out", samples[count - 1].seq, count - 1);
}

/* The samples of a series are what its statistics are made of */
static void check_sums(const struct klat_sample *samples, __u64 count,
		       const struct klat_stats *stats)
{
	__u32 series;

	for (series = 0; series < module->nr_series; series++) {
		__u64 sum = 0, found = 0, i;

		for (i = 0; i < count; i++) {
			if (samples[i].series != series)
				continue;
			sum += samples[i].value;
			found++;
		}
		if (!is_sample_series(series))
			continue;
		check(found == stats[series].count, "series %u: %llu samples, %llu values",
		      series, found, stats[series].count);
		check(sum == stats[series].sum_lo,
		      "series %u: the samples' sum is not the statistics'", series);
	}
}

static void check_samples(int fd, const struct klat_sample *samples, __u64 count)
{
	struct klat_stats stats[KLAT_MAX_SERIES];
	__u32 series;
	__u64 i;

	for (series = 0; series < module->nr_series; series++)
		stats[series] = get_stats(fd, series);
	for (i = 0; i < count; i++)
		check_sample(&samples[i], stats);
	check_numbers(fd, samples, count);
	check_sums(samples, count, stats);
}

void test_read_samples(void)
{
	struct klat_sample samples[128];
	int fd = device_open();
	__u64 seen;

	if (module->sample_size)
		ktap_skip("it gives records; see there");
	seen = run_to_end(fd, 100);

	check(read(fd, samples, SAMPLE) == (ssize_t)SAMPLE, "not one");
	check(read(fd, samples + 1, 7 * SAMPLE) == 7 * (ssize_t)SAMPLE, "not seven");
	check(read(fd, samples + 8, sizeof(samples) - 8 * SAMPLE) == (ssize_t)((seen - 8) * SAMPLE),
	      "not all the others");
	check_samples(fd, samples, seen);
	check(read(fd, samples, sizeof(samples)) == 0, "no end");
	check(read(fd, samples, sizeof(samples)) == 0, "no end the second time");
	/* the next run's samples start from 0 */
	seen = run_to_end(fd, 50);
	check(read(fd, samples, sizeof(samples)) == (ssize_t)(seen * SAMPLE), "not %llu", seen);
	check_samples(fd, samples, seen);
}

void test_read_nonblock(void)
{
	int fd = device_open_nonblock(), error;
	__u64 before, then;

	start_run(fd, &(struct abi_run){ .count = -1, .period_ns = 100 * MS });
	/* there may be some at once */
	error = read_all(fd, &before);
	check(error == EAGAIN, "before a sample: %s", strerror(error));
	wait_for_sample(fd);
	error = read_all(fd, &then);
	check(error == EAGAIN, "after a sample was read: %s", strerror(error));
	check(then > 0, "no sample");
	stop_run(fd);
	check_others(fd, before + then);
}

/* Records of one event have the same number */
static bool comes_after(const struct klat_sample *sample, const struct klat_sample *before)
{
	return sample->seq > before->seq || (module->sample_size && sample->seq == before->seq);
}

/* A sample that could not be given is not lost */
void test_read_bad_pointer(void)
{
	union { struct klat_sample sample; char room[SAMPLE_ROOM]; } first, next;
	int fd = device_open();
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(pages != MAP_FAILED, "mmap: %s", strerror(errno));
	mprotect(pages + page, page, PROT_READ);
	run_to_end(fd, 50);
	check_read(fd, NULL, SAMPLE, EFAULT, "NULL");
	check_read(fd, (void *)0xffff888000001000ULL, SAMPLE, EFAULT, "kernel address");
	check_read(fd, pages + page, SAMPLE, EFAULT, "read-only memory");
	check(read(fd, pages + page - SAMPLE, 4 * SAMPLE) == (ssize_t)SAMPLE,
	      "partly read-only memory");
	memcpy(&first, pages + page - SAMPLE, SAMPLE);
	check(read(fd, &next, SAMPLE) == (ssize_t)SAMPLE &&
	      comes_after(&next.sample, &first.sample),
	      "seq %llu after %llu", next.sample.seq, first.sample.seq);
	check_others(fd, 2);
	check(!get_status(fd).ring_lost, "ring_lost");
}

void test_read_of_others(void)
{
	union { struct klat_sample sample; char room[SAMPLE_ROOM]; } first, next;
	int owner = device_open(), other = device_open();

	start_run(owner, &(struct abi_run){ .count = -1, .period_ns = 1 * MS });
	check_read(other, &next, SAMPLE, EBUSY, "by another while it runs");
	wait_for_seen(owner, 3);
	stop_run(owner);
	check_read(other, &next, SAMPLE, EBUSY, "by another when it is over");
	check(read(owner, &first, SAMPLE) == (ssize_t)SAMPLE, "the owner cannot read");
	close(owner);
	/* nobody's any more */
	check(read(other, &next, SAMPLE) == (ssize_t)SAMPLE &&
	      comes_after(&next.sample, &first.sample),
	      "seq %llu after %llu", next.sample.seq, first.sample.seq);
	check_others(other, 2);
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
	struct klat_status status;
	__u64 once = 0;
	struct reader reader[2] = {
		{ .fd = fd, .seen = seen, .nr_seen = sizeof(seen) },
		{ .fd = fd, .seen = seen, .nr_seen = sizeof(seen) },
	};
	pthread_t thread[2];

	if (module->sample_size)
		ktap_skip("one reader may get a part of an event");
	start_run(fd, &(struct abi_run){ .count = sizeof(seen), .period_ns = 200 * US });
	for (i = 0; i < 2; i++)
		require(!pthread_create(&thread[i], NULL, read_to_the_end, &reader[i]),
			"pthread_create");
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	status = get_status(fd);
	check(is_complete(&status) && !status.ring_lost, "seen %llu, lost %llu", status.seen,
	      status.ring_lost);
	check(reader[0].read + reader[1].read == status.seen, "read %llu and %llu",
	      reader[0].read, reader[1].read);
	for (i = 0; i < (int)sizeof(seen); i++) {
		check(seen[i] <= 1, "sample %d came %u times", i, seen[i]);
		once += seen[i] == 1;
	}
	check(once == status.seen, "%llu samples of %llu", once, status.seen);
}

static void interrupt(int signal)
{
	(void)signal;
}

/* A signal reaches a reader that waits, without SA_RESTART as EINTR */
void test_interrupted_read(void)
{
	struct sigaction action = { .sa_handler = interrupt };
	int fd = device_open(), error;
	__u64 count;

	sigaction(SIGALRM, &action, NULL);
	start_idle(fd);
	alarm(1);
	error = read_all(fd, &count);
	check(error == EINTR, "a reader that got a signal: %s", strerror(error));
	stop_run(fd);
	check(get_status(fd).state == KLAT_STOPPED, "state %u", get_status(fd).state);
}
