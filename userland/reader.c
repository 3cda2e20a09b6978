// SPDX-License-Identifier: GPL-2.0
/* A thread that reads all samples of a run. */
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

static void read_samples(struct reader *reader, char *buf)
{
	struct reader_batch batch = {
		.records = buf,
		.size = reader->dev->info.sample_size,
	};
	long slept;
	ssize_t got;

	for (;;) {
		slept = sleeps();
		batch.before = stamp();
		got = read(reader->dev->fd, buf, BATCH * batch.size);
		batch.after = stamp();
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		batch.nr = (size_t)got / batch.size;
		batch.slept = sleeps() != slept;
		reader->facts->read += batch.nr;
		reader->take(reader->context, &batch);
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

	if (reader->cpu != CPU_UNSET)
		facts->pin_error = topology_pin(reader->topo, reader->cpu) ? errno : 0;
	if (reader->priority)
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
	if (reader->priority)
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
