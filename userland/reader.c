// SPDX-License-Identifier: GPL-2.0
/*
 * Measures user: how long after an interrupt a task runs that waits for it in
 * a blocking read. This is what an application on this machine would see.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reader.h"
#include "stamp.h"

#define BATCH		256
#define STACK_SIZE	(256 * 1024)

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/*
 * Only a read that slept and was woken for one sample shows a wake-up: one that
 * found samples waiting shows how late this thread was before.
 */
static void read_samples(struct reader *reader, char *buf)
{
	size_t size = reader->dev->info.sample_size;
	uint64_t before, after;
	long slept;
	ssize_t got;

	for (;;) {
		const struct klat_sample *sample = (const struct klat_sample *)buf;

		slept = sleeps();
		before = stamp();
		got = read(reader->dev->fd, buf, BATCH * size);
		after = stamp();
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		reader->facts->read += (uint64_t)got / size;
		if ((size_t)got == size && sleeps() != slept && sample->time > before &&
		    after >= sample->time)
			series_add(reader->series, after - sample->time, sample->seq,
				   (uint32_t)reader->cpu);
	}
	reader->facts->error = got < 0 ? errno : 0;
}

/* The calling thread to SCHED_FIFO; an errno if refused */
int reader_priority(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	return pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static void *reader_main(void *arg)
{
	struct reader *reader = arg;
	struct reader_facts *facts = reader->facts;
	char *buf = calloc(BATCH, reader->dev->info.sample_size);

	facts->pin_error = topology_pin(reader->topo, reader->cpu) ? errno : 0;
	facts->priority_error = reader_priority(reader->priority);
	sem_post(&reader->ready);
	sem_wait(&reader->go);
	if (buf)
		read_samples(reader, buf);
	else
		facts->error = ENOMEM;
	free(buf);
	eventfd_write(reader->done, 1);
	return NULL;
}

/* The thread is in its place, and waits for reader_go() */
int reader_prepare(struct reader *reader)
{
	pthread_attr_t attr;
	int ret;

	reader->facts->used = true;
	reader->facts->mlock_error = mlockall(MCL_CURRENT | MCL_FUTURE) ? errno : 0;
	reader->done = eventfd(0, EFD_CLOEXEC);
	if (reader->done < 0)
		return -errno;
	sem_init(&reader->ready, 0, 0);
	sem_init(&reader->go, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	ret = pthread_create(&reader->thread, &attr, reader_main, reader);
	pthread_attr_destroy(&attr);
	if (ret) {
		close(reader->done);
		return -ret;
	}
	while (sem_wait(&reader->ready) && errno == EINTR)
		;
	return 0;
}

/* After START: a read before it would say that there is nothing to come */
void reader_go(struct reader *reader)
{
	sem_post(&reader->go);
}

/* After the end of the run, which is what lets the thread end */
void reader_join(struct reader *reader)
{
	pthread_join(reader->thread, NULL);
	close(reader->done);
	sem_destroy(&reader->ready);
	sem_destroy(&reader->go);
	munlockall();
}
