// SPDX-License-Identifier: GPL-2.0
/*
 * The files of the detector that hwlatdetect could once drive, beside current_value.
 * Times are microseconds. What is written here is the module's own configuration,
 * as its parameters are, and a run that is started here is the module's own.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "../core/clock.h"
#include "../core/run.h"
#include "hwlat_detector.h"

struct hwlat_file {
	const char *name;
	umode_t mode;
	/* under bench->lock */
	void (*show)(struct hwlat *hwlat, struct seq_file *file);
	int (*store)(struct hwlat *hwlat, const char *text);
	/* of a time of the configuration */
	size_t offset;
};

/* A file of this detector, for its inode */
struct hwlat_attribute {
	struct hwlat *hwlat;
	const struct hwlat_file *file;
};

static u64 *member(struct klat_hwlat_detector_config *config, const struct hwlat_file *file)
{
	return (void *)config + file->offset;
}

static int number_of(const char *file, const char *text, u64 *number)
{
	int ret = kstrtou64(text, 0, number);

	if (ret)
		pr_err("%s = %s: must be a whole number\n", file, text);
	return ret;
}

/* Under bench->lock: refused while somebody's run or configuration would change */
static int may_change(const struct hwlat *hwlat)
{
	const struct klat_bench *bench = &hwlat->bench;

	return bench->owner || bench->run.state == KLAT_RUNNING ? -EBUSY : 0;
}

static int change(struct hwlat *hwlat, const struct klat_hwlat_detector_config *config)
{
	struct klat_refusal refusal;
	int ret;

	ret = may_change(hwlat);
	if (ret)
		return ret;
	ret = hwlat_check(config, &refusal);
	if (ret) {
		pr_err("%s\n", refusal.text);
		return ret;
	}
	hwlat->own = *config;
	hwlat->config = *config;
	return 0;
}

static int store_time(struct hwlat *hwlat, const struct hwlat_file *file, const char *text)
{
	struct klat_hwlat_detector_config config = hwlat->own;
	u64 us;
	int ret;

	ret = number_of(file->name, text, &us);
	if (ret)
		return ret;
	if (check_mul_overflow(us, (u64)NSEC_PER_USEC, member(&config, file)))
		*member(&config, file) = U64_MAX;
	return change(hwlat, &config);
}

/* Fractions only where there are any: scripts that know whole numbers set such */
static void show_time(struct hwlat *hwlat, const struct hwlat_file *file,
		      struct seq_file *seq)
{
	u64 ns = *member(&hwlat->config, file);

	if (ns % NSEC_PER_USEC)
		seq_printf(seq, "%llu.%03llu\n", ns / NSEC_PER_USEC, ns % NSEC_PER_USEC);
	else
		seq_printf(seq, "%llu\n", ns / NSEC_PER_USEC);
}

static void show_cpus(struct hwlat *hwlat, struct seq_file *seq)
{
	if (*hwlat->config.cpus)
		seq_printf(seq, "%s\n", hwlat->config.cpus);
	else
		seq_printf(seq, "%*pbl\n", cpumask_pr_args(cpu_online_mask));
}

static int store_cpus(struct hwlat *hwlat, const char *text)
{
	struct klat_hwlat_detector_config config = hwlat->own;

	/* the configuration would take it for all that are online */
	if (!*text) {
		pr_err("cpus = : must be a list of CPUs such as 0-3,6\n");
		return -EINVAL;
	}
	strscpy(config.cpus, text, sizeof(config.cpus));
	return change(hwlat, &config);
}

static void show_enable(struct hwlat *hwlat, struct seq_file *seq)
{
	seq_printf(seq, "%d\n", hwlat->bench.run.state == KLAT_RUNNING);
}

static int enable(struct hwlat *hwlat)
{
	struct klat_bench *bench = &hwlat->bench;
	struct klat_refusal refusal = {};
	int ret;

	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (bench->module_run)
		return 0;
	ret = may_change(hwlat) ?: klat_run_start(bench, true, &refusal);
	if (*refusal.text)
		pr_err("%s\n", refusal.text);
	return ret;
}

/* The caller waits for the end, without the lock */
static int disable(struct hwlat *hwlat)
{
	struct klat_bench *bench = &hwlat->bench;

	if (bench->run.state != KLAT_RUNNING)
		return 0;
	if (!bench->module_run)
		return -EBUSY;
	klat_run_end(bench, KLAT_STOPPED, 0, 0, "stopped through debugfs");
	return 0;
}

static int store_enable(struct hwlat *hwlat, const char *text)
{
	u64 on;
	int ret;

	ret = number_of("enable", text, &on);
	if (ret)
		return ret;
	if (on > 1) {
		pr_err("enable = %llu: must be 0 or 1\n", on);
		return -EINVAL;
	}
	return on ? enable(hwlat) : disable(hwlat);
}

static void show_count(struct hwlat *hwlat, struct seq_file *seq)
{
	seq_printf(seq, "%llu\n", klat_bench_seen(&hwlat->bench));
}

/* A gap of less than a microsecond is not none */
static u64 whole_us(const struct hwlat *hwlat, u64 ticks)
{
	return DIV_ROUND_UP_ULL(klat_ticks_to_ns(&hwlat->bench.clock, ticks), NSEC_PER_USEC);
}

static void show_max(struct hwlat *hwlat, struct seq_file *seq)
{
	struct hwlat_total gaps;

	if (!hwlat_total(hwlat, KLAT_HWLAT_DETECTOR_GAP, KLAT_CPU_ALL, &gaps))
		seq_printf(seq, "%llu\n", whole_us(hwlat, gaps.max));
}

#define TIME(_name, _member)								\
	{ .name = _name, .mode = 0644,							\
	  .offset = offsetof(struct klat_hwlat_detector_config, _member) }

static const struct hwlat_file files[] = {
	{ .name = "enable", .mode = 0644, .show = show_enable, .store = store_enable },
	{ .name = "cpus", .mode = 0644, .show = show_cpus, .store = store_cpus },
	TIME("threshold", threshold_ns),
	TIME("window", window_ns),
	TIME("width", width_ns),
	/* not writable, so that lockdown leaves them readable */
	{ .name = "count", .mode = 0444, .show = show_count },
	{ .name = "max", .mode = 0444, .show = show_max },
};

static struct hwlat_attribute attributes[ARRAY_SIZE(files)];

static int attribute_show(struct seq_file *seq, void *unused)
{
	const struct hwlat_attribute *attribute = seq->private;
	struct hwlat *hwlat = attribute->hwlat;

	mutex_lock(&hwlat->bench.lock);
	if (attribute->file->show)
		attribute->file->show(hwlat, seq);
	else
		show_time(hwlat, attribute->file, seq);
	mutex_unlock(&hwlat->bench.lock);
	return 0;
}

static int attribute_open(struct inode *inode, struct file *file)
{
	return single_open(file, attribute_show, inode->i_private);
}

static int store(const struct hwlat_attribute *attribute, const char *text)
{
	struct hwlat *hwlat = attribute->hwlat;
	struct klat_bench *bench = &hwlat->bench;
	int ret;

	mutex_lock(&bench->lock);
	if (attribute->file->store)
		ret = attribute->file->store(hwlat, text);
	else
		ret = store_time(hwlat, attribute->file, text);
	mutex_unlock(&bench->lock);
	/* whoever has ended the run finds it ended; to no effect else */
	if (!ret)
		klat_run_wait(bench);
	return ret;
}

static ssize_t attribute_write(struct file *file, const char __user *from, size_t size,
			       loff_t *pos)
{
	const struct hwlat_attribute *attribute = file_inode(file)->i_private;
	char text[KLAT_TEXT_LEN];
	int ret;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	text[size] = '\0';
	ret = store(attribute, strim(text));
	return ret ?: size;
}

/* THIS_MODULE: an open file keeps the module, and so the detector */
static const struct file_operations attribute_fops = {
	.owner = THIS_MODULE,
	.open = attribute_open,
	.read = seq_read,
	.write = attribute_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static const struct file_operations read_only_fops = {
	.owner = THIS_MODULE,
	.open = attribute_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

/* A line is there, or none will come any more */
static bool readable(struct hwlat *hwlat)
{
	return !klat_ring_empty(hwlat->samples) ||
	       READ_ONCE(hwlat->bench.run.state) != KLAT_RUNNING;
}

/* seconds.nanoseconds of the gap's begin, its length, which one of two columns has */
static int make_line(const struct hwlat *hwlat, const struct klat_sample *sample, char *line,
		     size_t size)
{
	bool outer = sample->series == KLAT_HWLAT_DETECTOR_OUTER;
	u64 us = whole_us(hwlat, sample->value), s, ns;

	s = div64_u64_rem(sample->seq, NSEC_PER_SEC, &ns);
	return scnprintf(line, size, "%010llu.%09llu\t%llu\t%llu\n", s, ns, outer ? 0 : us,
			 outer ? us : 0);
}

/* Under samples_lock, which makes us the one reader of the ring; 0: no line */
static ssize_t read_line(struct hwlat *hwlat, char __user *to, size_t size)
{
	const struct klat_sample *sample = klat_ring_peek(hwlat->samples);
	char line[80];
	int length;

	if (!sample)
		return 0;
	length = make_line(hwlat, sample, line, sizeof(line));
	if (length > size)
		return -EINVAL;
	if (copy_to_user(to, line, length))
		return -EFAULT;
	klat_ring_pop(hwlat->samples);
	return length;
}

/* A line a call; waits for one while the run goes on */
static ssize_t sample_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	struct hwlat *hwlat = file_inode(file)->i_private;
	ssize_t ret;
	bool over;

	do {
		if (!(file->f_flags & O_NONBLOCK) &&
		    wait_event_interruptible(hwlat->bench.poll_queue, readable(hwlat)))
			return -ERESTARTSYS;
		/* ahead of looking for a line: the end of a run brings the last ones */
		over = smp_load_acquire(&hwlat->bench.run.state) != KLAT_RUNNING;
		if (mutex_lock_interruptible(&hwlat->samples_lock))
			return -ERESTARTSYS;
		ret = read_line(hwlat, to, size);
		mutex_unlock(&hwlat->samples_lock);
		if (ret || over)
			return ret;
	} while (!(file->f_flags & O_NONBLOCK));
	return -EAGAIN;
}

static const struct file_operations sample_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = sample_read,
	.llseek = noop_llseek,
};

/* Failures are not errors: a kernel may have debugfs switched off */
void hwlat_debugfs_add(struct hwlat *hwlat)
{
	struct dentry *directory = hwlat->bench.debugfs;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		attributes[i] = (struct hwlat_attribute){ hwlat, &files[i] };
		debugfs_create_file(files[i].name, files[i].mode, directory, &attributes[i],
				    files[i].mode & 0222 ? &attribute_fops : &read_only_fops);
	}
	debugfs_create_file("sample", 0444, directory, hwlat, &sample_fops);
}
