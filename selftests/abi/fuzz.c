// SPDX-License-Identifier: GPL-2.0
/*
 * Random calls, reproducible from their seed. Nothing is asked of what they
 * give, but that they come back, and that the device works as before after
 * them.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "device.h"
#include "ktap.h"
#include "tests.h"

#define FILES	2

struct fuzz {
	__u64 state;
	int fd[FILES];
	char *page_end;		/* with nothing mapped behind it */
	char *read_only;
	__u64 good;		/* commands that were accepted */
	__u64 runs;
};

/* splitmix64 */
static __u64 random_u64(struct fuzz *fuzz)
{
	__u64 z = fuzz->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static __u32 below(struct fuzz *fuzz, __u32 limit)
{
	return random_u64(fuzz) % limit;
}

static void fill(struct fuzz *fuzz, char *to, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[i] = below(fuzz, 3) ? 0 : (char)random_u64(fuzz);
}

static __u32 random_size(struct fuzz *fuzz, __u32 size)
{
	switch (below(fuzz, 12)) {
	case 0:
		return 0;
	case 1:
		return size - 1;
	case 2:
		return size + 1;
	case 3:
		return below(fuzz, ARGUMENT_ROOM);
	case 4:
		return (__u32)random_u64(fuzz);
	default:
		return size;
	}
}

static unsigned int random_number(struct fuzz *fuzz, unsigned int number)
{
	/* of this type only: the others may be anybody's, as FIONBIO is */
	return below(fuzz, 16) ? number : (unsigned int)_IOC(below(fuzz, 4), KLAT_IOC_TYPE,
							      below(fuzz, 256), below(fuzz, 256));
}

/* Good, good with some bytes turned, or any bytes */
static void random_argument(struct fuzz *fuzz, const struct command *command, char *arg)
{
	struct klat_hist *hist = (struct klat_hist *)arg;
	__u32 i, size = command->size;
	__u64 buckets;

	good_argument(command, arg);
	buckets = hist->buckets;
	switch (below(fuzz, 4)) {
	case 0:
		fill(fuzz, arg, size);
		break;
	case 1:
		for (i = below(fuzz, 4); i; i--)
			arg[below(fuzz, size)] = (char)random_u64(fuzz);
		break;
	}
	if (!below(fuzz, 8))
		arg[below(fuzz, ARGUMENT_ROOM)] = (char)random_u64(fuzz);
	if (command->number == KLAT_CONFIG)
		module->bound(arg);
	/* the good buckets, or where no memory of ours is */
	if (command->number == KLAT_HIST)
		hist->buckets = below(fuzz, 2) ? buckets : random_u64(fuzz) | 1ULL << 63;
	size = random_size(fuzz, size);
	memcpy(arg, &size, sizeof(size));
}

/* Where the argument lies: mostly where it should, else where it cannot */
static void *place(struct fuzz *fuzz, char *arg, size_t size)
{
	switch (below(fuzz, 32)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(random_u64(fuzz) | 1ULL << 63);
	case 2:
		memcpy(fuzz->page_end - size / 2, arg, size / 2);
		return fuzz->page_end - size / 2;
	case 3:
		return fuzz->read_only;
	case 4:
		memcpy(fuzz->page_end - size, arg, size);
		return fuzz->page_end - size;
	default:
		return arg;
	}
}

static void random_command(struct fuzz *fuzz, int fd)
{
	struct command command = command_at(below(fuzz, NR_COMMANDS));
	char arg[ARGUMENT_ROOM];
	unsigned int number;
	void *where;

	random_argument(fuzz, &command, arg);
	where = place(fuzz, arg, command.size);
	number = random_number(fuzz, command.number);
	/* these would find an argument that is not bounded */
	if (number == KLAT_CONFIG || number == KLAT_HIST)
		number = command.number;
	if (try_command(fd, number, where))
		return;
	fuzz->good++;
	fuzz->runs += number == KLAT_START;
}

static void random_read(struct fuzz *fuzz, int fd)
{
	char buffer[ARGUMENT_ROOM];
	ssize_t got = read(fd, place(fuzz, buffer, sample_size()), below(fuzz, sizeof(buffer)));

	check(got >= -1 && got <= (ssize_t)sizeof(buffer), "read gave %zd", got);
}

static void random_poll(struct fuzz *fuzz, int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = (short)random_u64(fuzz) };

	poll(&pollfd, 1, 0);
}

static void reopen(int *fd)
{
	close(*fd);
	*fd = device_open_nonblock();
}

static void random_call(struct fuzz *fuzz)
{
	int *fd = &fuzz->fd[below(fuzz, FILES)];

	switch (below(fuzz, 32)) {
	case 0:
		reopen(fd);
		break;
	case 1:
	case 2:
		random_read(fuzz, *fd);
		break;
	case 3:
		random_poll(fuzz, *fd);
		break;
	default:
		random_command(fuzz, *fd);
	}
}

static void prepare(struct fuzz *fuzz)
{
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	require(pages != MAP_FAILED, "mmap: %s", strerror(errno));
	munmap(pages + 2 * page, page);
	fuzz->page_end = pages + 2 * page;
	fuzz->read_only = pages + 3 * page;
	mprotect(fuzz->read_only, page, PROT_READ);
	for (i = 0; i < FILES; i++)
		fuzz->fd[i] = device_open_nonblock();
}

static void check_still_works(void)
{
	int fd = device_open();
	struct klat_info info = get_info(fd);
	struct klat_status status;

	check(!strcmp(info.module, module->name), "INFO says '%s'", info.module);
	start_run(fd, &(struct abi_run){ .count = 100, .period_ns = 100 * US });
	status = wait_for_end(fd, 30);
	check((module->timed || status.asked == 100) && is_complete(&status),
	      "state %u, seen %llu, '%s'", status.state, status.seen, status.message);
	check(count_values(fd) == status.seen, "%llu values, seen %llu", count_values(fd),
	      status.seen);
}

void test_fuzz(void)
{
	struct fuzz fuzz = { .state = option_seed };
	__u64 i;
	int j;

	ktap_say("%llu calls, seed %llu", option_fuzz,
		 option_seed);
	prepare(&fuzz);
	for (i = 0; i < option_fuzz; i++) {
		random_call(&fuzz);
		ktap_alive();
	}
	ktap_say("%llu commands were accepted, %llu runs started",
		 fuzz.good, fuzz.runs);
	if (option_fuzz >= 10000)
		check(fuzz.good > option_fuzz / 20 && fuzz.runs > option_fuzz / 1000,
		      "too few calls got anywhere");
	for (j = 0; j < FILES; j++)
		close(fuzz.fd[j]);
	check_still_works();
}
