/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_READER_H
#define KLAT_READER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "device.h"
#include "result.h"
#include "series.h"
#include "topology.h"

/**
 * struct reader - a real-time thread that waits for samples
 * @dev: whose samples
 * @topo: for pinning
 * @cpu: it runs there
 * @priority: SCHED_FIFO
 * @series: gets the delay from a sample's stamp to this thread running
 * @facts: what went well and what did not
 * @done: eventfd: readable when there will be no more samples
 */
struct reader {
	const struct device *dev;
	const struct topology *topo;
	int cpu;
	int priority;
	struct series *series;
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
