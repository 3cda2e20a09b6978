// SPDX-License-Identifier: GPL-2.0
/*
 * reader bare|klat|klat-disturb COUNT: takes COUNT interrupts on CPU 0 as a real-time task
 * that blocks in read(), and prints two lines: the time from request to handler
 * and from request to this task, each as "name least median largest" in ticks.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <klat/msi_lat.h>

#include "stamp.h"

/* ahead of the first: caches and statistics settle */
#define WARM_UP	16

struct interrupt {
	uint64_t request;
	uint64_t handler;
	uint64_t task;
};

static void start_klat(int fd, long count, bool disturb)
{
	struct klat_msi_lat_config config = {
		.size = sizeof(config),
		.flags = disturb ? 0 : KLAT_MSI_LAT_FLAG_NO_DISTURB,
		.mode = KLAT_MSI_LAT_MODE_HARD,
		.period_ns = 1000000,
		.count = count,
	};
	struct klat_simple start = { .size = sizeof(start) };

	if (ioctl(fd, KLAT_CONFIG, &config) || ioctl(fd, KLAT_START, &start))
		err(1, "msi_lat does not start");
}

static void read_klat(int fd, struct interrupt *to)
{
	struct klat_sample sample;

	if (read(fd, &sample, sizeof(sample)) != sizeof(sample))
		err(1, "read");
	to->task = stamp();
	to->handler = sample.time;
	to->request = sample.time - sample.value;
}

static void read_bare(int fd, struct interrupt *to)
{
	uint64_t stamps[2];

	if (read(fd, stamps, sizeof(stamps)) != sizeof(stamps))
		err(1, "read");
	to->task = stamp();
	to->request = stamps[0];
	to->handler = stamps[1];
}

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void print(const char *name, uint64_t *value, long count)
{
	qsort(value, count, sizeof(*value), by_value);
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", name, value[0], value[count / 2],
	       value[count - 1]);
}

static void print_all(const struct interrupt *all, long count)
{
	uint64_t *value = calloc(count, sizeof(*value));
	long i;

	if (!value)
		err(1, "memory");
	for (i = 0; i < count; i++)
		value[i] = all[i].handler - all[i].request;
	print("handler", value, count);
	for (i = 0; i < count; i++)
		value[i] = all[i].task - all[i].request;
	print("reader", value, count);
	free(value);
}

int main(int argc, char **argv)
{
	struct sched_param priority = { .sched_priority = 60 };
	struct interrupt *all;
	long count, i;
	bool klat;
	int fd;

	count = argc == 3 ? atol(argv[2]) : 0;
	if (count <= 0)
		errx(2, "usage: %s bare|klat|klat-disturb COUNT", argv[0]);
	klat = strcmp(argv[1], "bare");
	all = calloc(count + WARM_UP, sizeof(*all));
	fd = open(klat ? "/dev/klat/msi_lat" : "/dev/klat_bare", O_RDWR | O_CLOEXEC);
	if (!all || fd < 0)
		err(1, "cannot open the device");
	if (mlockall(MCL_CURRENT | MCL_FUTURE) || sched_setscheduler(0, SCHED_FIFO, &priority))
		err(1, "cannot become a real-time task");
	if (klat)
		start_klat(fd, count + WARM_UP, !strcmp(argv[1], "klat-disturb"));
	for (i = 0; i < count + WARM_UP; i++)
		(klat ? read_klat : read_bare)(fd, &all[i]);
	print_all(all + WARM_UP, count);
	return 0;
}
