/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_READER_H
#define KLAT_READER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "device.h"
#include "result.h"
#include "topology.h"

/**
 * struct reader_batch - what one read() gave
 * @records: @nr of them, of @size bytes each; a struct klat_sample is at the front
 * @before: stamp before the call; @after: after it
 * @slept: the call slept
 */
struct reader_batch {
	const char *records;
	size_t nr;
	size_t size;
	uint64_t before;
	uint64_t after;
	bool slept;
};

/* Called on the reader's thread */
typedef void (*reader_take_fn)(void *context, const struct reader_batch *batch);

/**
 * struct reader - a thread that waits for samples
 * @dev: whose samples
 * @topo: for pinning
 * @cpu: it runs there; CPU_UNSET: anywhere
 * @priority: SCHED_FIFO; 0: an ordinary thread
 * @take: is given all that is read; with @context
 * @facts: what went well and what did not
 * @done: eventfd: readable when there will be no more samples
 */
struct reader {
	const struct device *dev;
	const struct topology *topo;
	int cpu;
	int priority;
	reader_take_fn take;
	void *context;
	struct reader_facts *facts;
	int done;
	pthread_t thread;
	sem_t ready;
	sem_t go;
};

int reader_prepare(struct reader *reader);
void reader_go(struct reader *reader);
void reader_join(struct reader *reader);
int reader_priority(int priority);

#endif
