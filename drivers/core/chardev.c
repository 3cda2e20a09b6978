// SPDX-License-Identifier: GPL-2.0
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include <linux/uaccess.h>

#include "chardev.h"
#include "run.h"

struct klat_file {
	struct klat_bench *bench;
	struct klat_refusal refusal;
};

/* Largest struct that any command takes; benchmarks' configurations fit too */
union klat_argument {
	struct klat_info info;
	struct klat_simple simple;
	struct klat_status status;
	struct klat_stats stats;
	struct klat_hist hist;
	struct klat_cpu cpu;
	u8 config[256];
};

struct klat_command {
	unsigned int number;
	size_t size;
	size_t size_min;	/* of the first version of the ABI */
	bool answers;		/* the struct goes back to the caller */
	int (*run)(struct klat_file *file, void *arg);
};

/* Ownership: nobody else's, and not the module's while its run goes on */
static int take_ownership(struct klat_file *file)
{
	struct klat_bench *bench = file->bench;

	if (bench->module_run)
		return klat_refuse(&file->refusal, -EBUSY,
				   "a run of the module's own is going on");
	if (bench->owner && bench->owner != file)
		return klat_refuse(&file->refusal, -EBUSY,
				   "another program owns the device");
	bench->owner = file;
	return 0;
}

static int command_info(struct klat_file *file, void *arg)
{
	struct klat_bench *bench = file->bench;
	struct klat_info *info = arg;
	u32 i;

	memset(info, 0, sizeof(*info));
	info->abi = KLAT_ABI_VERSION;
	strscpy(info->module, bench->ops->name, sizeof(info->module));
	strscpy(info->version, bench->ops->version, sizeof(info->version));
	info->nr_series = bench->ops->nr_series;
	info->nr_buckets = KLAT_HIST_BUCKETS;
	info->config_size = bench->ops->config_size;
	info->sample_size = klat_bench_sample_size(bench);
	info->clock_hz = bench->clock.hz;
	info->clock_cost = bench->clock.cost;
	info->disturb_cost = bench->disturb_cost;
	if (bench->clock.invariant)
		info->clock_flags |= KLAT_CLOCK_INVARIANT;
	if (klat_clock_stable())
		info->clock_flags |= KLAT_CLOCK_STABLE;
	for (i = 0; i < bench->ops->nr_series; i++)
		strscpy(info->series[i], bench->ops->series[i], sizeof(info->series[i]));
	return 0;
}

static int command_config(struct klat_file *file, void *arg)
{
	struct klat_bench *bench = file->bench;
	int ret;

	ret = take_ownership(file);
	if (ret)
		return ret;
	if (bench->run.state == KLAT_RUNNING)
		return klat_refuse(&file->refusal, -EBUSY, "a run is going on");
	return bench->ops->configure(bench, arg, &file->refusal);
}

/* What START, STOP and RESET begin with */
static int begin_simple(struct klat_file *file, const struct klat_simple *simple)
{
	if (simple->flags)
		return klat_refuse(&file->refusal, -EOPNOTSUPP,
				   "flags = %#x: no flag is defined", simple->flags);
	return take_ownership(file);
}

static int command_start(struct klat_file *file, void *arg)
{
	int ret;

	if (!capable(CAP_SYS_RAWIO))
		return klat_refuse(&file->refusal, -EPERM, "needs CAP_SYS_RAWIO");
	ret = begin_simple(file, arg);
	if (ret)
		return ret;
	return klat_run_start(file->bench, false, &file->refusal);
}

/* The dispatcher waits for the end, without the lock */
static int command_stop(struct klat_file *file, void *arg)
{
	struct klat_bench *bench = file->bench;
	int ret;

	ret = begin_simple(file, arg);
	if (ret)
		return ret;
	if (bench->run.state != KLAT_RUNNING)
		return -EALREADY;
	klat_run_end(bench, KLAT_STOPPED, 0, 0, "stopped by its owner");
	return 0;
}

static int command_reset(struct klat_file *file, void *arg)
{
	struct klat_bench *bench = file->bench;
	int ret;

	ret = begin_simple(file, arg);
	if (ret)
		return ret;
	if (bench->run.state == KLAT_RUNNING)
		return klat_refuse(&file->refusal, -EBUSY, "a run is going on");
	klat_bench_forget(bench);
	bench->run.state = KLAT_IDLE;
	return 0;
}

static int command_status(struct klat_file *file, void *arg)
{
	struct klat_bench *bench = file->bench;
	struct klat_run *run = &bench->run;
	struct klat_status *status = arg;
	struct klat_ring *ring = bench->ring;

	memset(status, 0, sizeof(*status));
	memcpy(status->refusal, file->refusal.text, sizeof(status->refusal));
	status->state = run->state;
	status->run = run->number;
	if (run->state == KLAT_IDLE)
		return 0;
	status->flags = run->flags;
	if (run->state != KLAT_RUNNING) {
		status->error = run->outcome.error;
		status->flags |= run->outcome.flags;
		memcpy(status->message, run->outcome.message, sizeof(status->message));
	}
	if (ring)
		status->ring_lost = READ_ONCE(ring->lost);
	klat_bench_status(bench, status);
	return 0;
}

/* All of them, or one that this kernel could have */
static bool is_cpu(u32 cpu)
{
	return cpu == KLAT_CPU_ALL || cpu < nr_cpu_ids;
}

static int command_stats(struct klat_file *file, void *arg)
{
	struct klat_stats *stats = arg;
	struct klat_series *series;
	u32 id = stats->series, cpu = stats->cpu;
	int ret;

	if (!is_cpu(cpu))
		return -EINVAL;
	series = kvzalloc(sizeof(*series), GFP_KERNEL);
	if (!series)
		return -ENOMEM;
	ret = klat_bench_snapshot(file->bench, id, cpu, series);
	if (!ret) {
		memset(stats, 0, sizeof(*stats));
		stats->series = id;
		stats->cpu = cpu;
		klat_series_stats(series, stats);
	}
	kvfree(series);
	return ret;
}

static int command_hist(struct klat_file *file, void *arg)
{
	struct klat_hist *hist = arg;
	struct klat_series *series;
	int ret;

	if (hist->nr > KLAT_HIST_BUCKETS || !is_cpu(hist->cpu))
		return -EINVAL;
	series = kvzalloc(sizeof(*series), GFP_KERNEL);
	if (!series)
		return -ENOMEM;
	ret = klat_bench_snapshot(file->bench, hist->series, hist->cpu, series);
	if (!ret) {
		hist->count = series->count;
		if (copy_to_user(u64_to_user_ptr(hist->buckets), series->bucket,
				 hist->nr * sizeof(series->bucket[0])))
			ret = -EFAULT;
	}
	kvfree(series);
	return ret;
}

static int command_cpu(struct klat_file *file, void *arg)
{
	struct klat_bench *bench = file->bench;
	struct klat_cpu *cpu = arg;
	u32 number = cpu->cpu;

	if (!bench->ops->cpu)
		return -EOPNOTSUPP;
	if (number >= nr_cpu_ids)
		return -EINVAL;
	memset(cpu, 0, sizeof(*cpu));
	cpu->cpu = number;
	if (bench->run.state != KLAT_IDLE)
		bench->ops->cpu(bench, cpu);
	return 0;
}

#define COMMAND(_name, _struct, _last, _answers, _function)		\
	[KLAT_CMD_##_name - KLAT_CMD_INFO] = {				\
		.number = KLAT_##_name,					\
		.size = sizeof(struct _struct),				\
		.size_min = offsetofend(struct _struct, _last),		\
		.answers = _answers,					\
		.run = _function,					\
	}

static const struct klat_command commands[] = {
	COMMAND(INFO, klat_info, series, true, command_info),
	/* the sizes are the benchmark's */
	[KLAT_CMD_CONFIG - KLAT_CMD_INFO] = {
		.number = KLAT_CONFIG,
		.run = command_config,
	},
	COMMAND(START, klat_simple, flags, false, command_start),
	COMMAND(STOP, klat_simple, flags, false, command_stop),
	COMMAND(STATUS, klat_status, refusal, true, command_status),
	COMMAND(STATS, klat_stats, worst, true, command_stats),
	COMMAND(HIST, klat_hist, buckets, true, command_hist),
	COMMAND(RESET, klat_simple, flags, false, command_reset),
	COMMAND(CPU, klat_cpu, disturb, true, command_cpu),
};

static bool find_command(struct klat_bench *bench, unsigned int number,
			 struct klat_command *command)
{
	unsigned int i = _IOC_NR(number) - KLAT_CMD_INFO;

	if (i >= ARRAY_SIZE(commands) || commands[i].number != number)
		return false;
	*command = commands[i];
	if (number == KLAT_CONFIG) {
		command->size = bench->ops->config_size;
		command->size_min = bench->ops->config_size_min;
	}
	return true;
}

static int run_command(struct klat_file *file, const struct klat_command *command,
		       void *arg)
{
	struct klat_bench *bench = file->bench;
	int ret;

	if (mutex_lock_interruptible(&bench->lock))
		return -EINTR;
	ret = command->run(file, arg);
	mutex_unlock(&bench->lock);
	if (command->number == KLAT_STOP && !ret)
		klat_run_wait(bench);
	return ret;
}

static long klat_ioctl(struct file *filp, unsigned int number, unsigned long user)
{
	struct klat_file *file = filp->private_data;
	union klat_argument *arg;
	struct klat_command command;
	u32 user_size;
	int ret;

	if (!find_command(file->bench, number, &command))
		return -ENOTTY;
	if (get_user(user_size, (u32 __user *)user))
		return -EFAULT;
	if (user_size < command.size_min)
		return -EINVAL;
	if (user_size > PAGE_SIZE)
		return -E2BIG;

	arg = kzalloc(sizeof(*arg), GFP_KERNEL);
	if (!arg)
		return -ENOMEM;
	ret = copy_struct_from_user(arg, command.size, (void __user *)user, user_size);
	if (!ret)
		ret = run_command(file, &command, arg);
	if (!ret && command.answers) {
		*(u32 *)arg = command.size;
		if (copy_to_user((void __user *)user, arg,
				 min_t(size_t, user_size, command.size)))
			ret = -EFAULT;
	}
	kfree(arg);
	return ret;
}

static bool may_read(struct klat_file *file)
{
	struct klat_file *owner = READ_ONCE(file->bench->owner);

	return !owner || owner == file;
}

/* A sample is there, or none will come any more */
static bool readable(struct klat_bench *bench)
{
	struct klat_ring *ring = READ_ONCE(bench->ring);

	return (ring && !klat_ring_empty(ring)) ||
	       READ_ONCE(bench->run.state) != KLAT_RUNNING;
}

/*
 * Word by word: the task that was woken waits for nothing but this, and
 * copy_to_user() takes several times as long for so little.
 */
static bool copy_sample(void __user *to, const struct klat_sample *sample, size_t size)
{
	const u64 *from = (const u64 *)sample;
	u64 __user *words = to;
	size_t i;

	BUILD_BUG_ON(sizeof(*sample) != 4 * sizeof(*words));
	if (!user_write_access_begin(to, size))
		return false;
	unsafe_put_user(from[0], &words[0], fault);
	unsafe_put_user(from[1], &words[1], fault);
	unsafe_put_user(from[2], &words[2], fault);
	unsafe_put_user(from[3], &words[3], fault);
	/* what a record has besides */
	if (unlikely(size > sizeof(*sample)))
		for (i = 4; i < size / sizeof(*words); i++)
			unsafe_put_user(from[i], &words[i], fault);
	user_write_access_end();
	return true;

fault:
	user_write_access_end();
	return false;
}

/* As many samples of @size bytes as are there and end before @end: there is room for one */
static ssize_t copy_samples(struct klat_ring *ring, char __user *to, char __user *end,
			    size_t size)
{
	const struct klat_sample *sample;
	char __user *next = to;

	if (!ring)
		return 0;
	do {
		sample = klat_ring_peek(ring);
		if (!sample)
			break;
		if (!copy_sample(next, sample, size))
			return next > to ? next - to : -EFAULT;
		klat_ring_pop(ring);
		next += size;
	} while (next + size <= end);
	return next - to;
}

static int lock_and_wait(struct klat_bench *bench, bool block)
{
	int ret;

	if (!block) {
		if (!mutex_trylock(&bench->read_lock))
			return -EAGAIN;
		ret = readable(bench) ? 0 : -EAGAIN;
	} else {
		if (mutex_lock_interruptible(&bench->read_lock))
			return -ERESTARTSYS;
		ret = rcuwait_wait_event(&bench->reader, readable(bench),
					 TASK_INTERRUPTIBLE) ? -ERESTARTSYS : 0;
	}
	if (ret)
		mutex_unlock(&bench->read_lock);
	return ret;
}

/*
 * read_lock makes us the one reader of the ring, and keeps the ring: START and
 * RESET take it before they free anything.
 */
static ssize_t klat_read(struct file *filp, char __user *to, size_t size, loff_t *pos)
{
	struct klat_file *file = filp->private_data;
	struct klat_bench *bench = file->bench;
	/* asked here, not when the task that waits has been woken */
	size_t each = klat_bench_sample_size(bench);
	ssize_t ret;

	if (size < each)
		return -EINVAL;
	if (!may_read(file))
		return -EBUSY;
	ret = lock_and_wait(bench, !(filp->f_flags & O_NONBLOCK));
	if (ret)
		return ret;
	ret = copy_samples(bench->ring, to, to + size, each);
	mutex_unlock(&bench->read_lock);
	return ret;
}

static __poll_t klat_poll(struct file *filp, struct poll_table_struct *table)
{
	struct klat_file *file = filp->private_data;
	struct klat_bench *bench = file->bench;
	struct klat_ring *ring;
	__poll_t ret = 0;

	if (!may_read(file))
		return EPOLLERR;
	poll_wait(filp, &bench->poll_queue, table);
	WRITE_ONCE(bench->polled, true);
	smp_mb();	/* pairs with klat_bench_sample_ready() */
	/*
	 * The lock keeps START and RESET from freeing the ring. Not read_lock:
	 * a reader that waits holds that, and no wake-up comes after the end.
	 */
	mutex_lock(&bench->lock);
	ring = bench->ring;
	if (ring && !klat_ring_empty(ring))
		ret |= EPOLLIN | EPOLLRDNORM;
	if (bench->run.state != KLAT_RUNNING)
		ret |= EPOLLIN | EPOLLHUP;
	mutex_unlock(&bench->lock);
	return ret;
}

static int klat_open(struct inode *inode, struct file *filp)
{
	struct klat_bench *bench = container_of(filp->private_data, struct klat_bench, misc);
	struct klat_file *file;

	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return -ENOMEM;
	file->bench = bench;
	filp->private_data = file;
	return stream_open(inode, filp);
}

static int klat_release(struct inode *inode, struct file *filp)
{
	struct klat_file *file = filp->private_data;
	struct klat_bench *bench = file->bench;

	mutex_lock(&bench->lock);
	if (bench->owner == file && bench->run.state == KLAT_RUNNING) {
		klat_run_end(bench, KLAT_STOPPED, 0, 0, "its owner closed the device");
		mutex_unlock(&bench->lock);
		klat_run_wait(bench);
		mutex_lock(&bench->lock);
	}
	if (bench->owner == file) {
		WRITE_ONCE(bench->owner, NULL);
		bench->ops->configure_default(bench);
	}
	mutex_unlock(&bench->lock);
	kfree(file);
	return 0;
}

/* THIS_MODULE is the module that this file is linked into */
static const struct file_operations klat_fops = {
	.owner = THIS_MODULE,
	.open = klat_open,
	.release = klat_release,
	.read = klat_read,
	.poll = klat_poll,
	.unlocked_ioctl = klat_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

int klat_chardev_register(struct klat_bench *bench)
{
	/* a benchmark with a larger configuration must enlarge the union */
	if (WARN_ON(bench->ops->config_size > sizeof_field(union klat_argument, config)))
		return -EINVAL;
	snprintf(bench->nodename, sizeof(bench->nodename), "klat/%s", bench->ops->name);
	bench->misc.minor = MISC_DYNAMIC_MINOR;
	bench->misc.name = bench->ops->name;
	bench->misc.nodename = bench->nodename;
	bench->misc.mode = 0600;
	bench->misc.fops = &klat_fops;
	return misc_register(&bench->misc);
}

void klat_chardev_unregister(struct klat_bench *bench)
{
	misc_deregister(&bench->misc);
}
