/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A benchmark as the core sees it.
 *
 * A module fills struct klat_bench_ops, embeds a struct klat_bench in a context
 * of its own, and registers it. The core gives it /dev/klat/<name>, a debugfs
 * file, run states and ownership, statistics, sample rings, and ends its run
 * when a CPU in use goes offline that it cannot do without, when the system goes
 * to sleep, or when its owner closes the device.
 *
 * Locking: bench->lock covers the run's state, the ownership, the configuration
 * and the lists of series and rings. All ops but say(), cpu_gone() and cpu_back()
 * are called under it.
 * Nothing on the hot path takes it. Whoever discovers the end of the run (hot
 * threads, a driver's remove(), hotplug) calls klat_run_end(), which takes no
 * lock and leaves the work to the benchmark's own workqueue.
 */
#ifndef KLAT_CORE_BENCH_H
#define KLAT_CORE_BENCH_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/rcuwait.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <klat/klat.h>

#include "clock.h"
#include "refusal.h"
#include "report.h"
#include "ring.h"
#include "series.h"
#include "settings.h"

struct klat_bench;
struct seq_buf;

struct klat_bench_ops {
	const char *name;
	const char *version;
	struct module *owner;
	/* directory in debugfs that holds current_value */
	const char *debugfs_dir;
	/* what is measured, for the report: "Interrupts" */
	const char *events;
	/* a run is asked for by its time: how many events it has nobody asked */
	bool by_time;
	u32 nr_series;
	const char *const *series;
	/* of the struct that KLAT_CONFIG takes, and of its first version */
	size_t config_size;
	size_t config_size_min;
	/* of what read() gives, if that is more than a struct klat_sample; else 0 */
	size_t sample_size;

	/* Checks @config and keeps it if it is good */
	int (*configure)(struct klat_bench *bench, const void *config,
			 struct klat_refusal *refusal);
	/* Goes back to the configuration of the module's parameters */
	void (*configure_default)(struct klat_bench *bench);
	/*
	 * Takes memory, device and threads. Calls
	 * klat_run_use_cpu() after everything that may wait for CPU hotplug and
	 * before it starts to work on a CPU; what it has bound to the CPU before
	 * (an interrupt, a sleeping thread) the kernel moves away if need be.
	 * Puts all back if it fails. Nothing is measured yet.
	 */
	int (*start)(struct klat_bench *bench, struct klat_refusal *refusal);
	/* Measures from here on */
	void (*go)(struct klat_bench *bench);
	/* Nothing is asked for any more once it returns; all is still in effect */
	void (*halt)(struct klat_bench *bench);
	/* Puts back all that start() changed; no sample comes after it */
	void (*stop)(struct klat_bench *bench);
	/*
	 * The benchmark's own counters, and the names of source and device:
	 * while the run goes on, and once when it is over. Of ring_lost and the
	 * times the core takes care; seen it takes from the primary series, which
	 * the benchmark may know better.
	 */
	void (*counters)(struct klat_bench *bench, struct klat_status *status);
	/*
	 * What is in effect now, in an order for people: after start(), and after
	 * halt(). Never in between, where asking the device would disturb.
	 */
	void (*settings)(struct klat_bench *bench, struct klat_settings *settings);
	/* The series that the run, or its result, is about */
	u32 (*primary)(struct klat_bench *bench);
	/* What the results block says besides "RESULTS (ns)"; may be NULL or give it */
	const char *(*title)(struct klat_bench *bench);
	/*
	 * For a benchmark that can do without one of its CPUs; else both are NULL,
	 * and the run ends. @cpu, which klat_run_use_cpu() has named, is about to go:
	 * nothing of the benchmark is on it any more when it returns; it has come
	 * again. Called by CPU hotplug: neither under the lock nor waiting for it.
	 */
	void (*cpu_gone)(struct klat_bench *bench, unsigned int cpu);
	void (*cpu_back)(struct klat_bench *bench, unsigned int cpu);
	/* What KLAT_CPU tells of the CPU that @cpu names; NULL with one CPU only */
	void (*cpu)(struct klat_bench *bench, struct klat_cpu *cpu);
	/* Lines that the results block has besides; may be NULL */
	void (*report)(struct klat_bench *bench, const struct klat_status *status,
		       struct seq_buf *text);
	/* Prints a line to the kernel log, without a prefix; in thread context */
	void (*say)(const char *line);
};

/* How a run ended, written once by whoever ended it */
struct klat_outcome {
	enum klat_state state;
	int error;
	u32 flags;
	char message[KLAT_TEXT_LEN];
};

struct klat_run {
	enum klat_state state;
	struct klat_outcome outcome;
	u64 number;
	u32 flags;		/* KLAT_RUN_* known at the start */
	u64 start_mono;
	u64 start_real;
	u64 end_mono;
	/* the hot threads' sign to finish */
	bool must_stop;
	/* set by the first to end the run */
	atomic_t ending;
	/* woken when the run is over, and when it lets go of its CPUs */
	wait_queue_head_t over;
	struct work_struct end_work;
	/* CPUs that the run cannot do without; under cpu_lock, like the next */
	struct cpumask cpus_in_use;
	/* CPUs that hotplug has not taken from us */
	struct cpumask cpus_there;
	spinlock_t cpu_lock;	/* of the two above */
};

struct klat_bench {
	const struct klat_bench_ops *ops;
	struct mutex lock;	/* of runs, their configuration and who owns the device */
	struct klat_clock_info clock;
	u64 disturb_cost;

	struct klat_run run;
	/* who may change things: a file, or the module while its run goes on */
	struct klat_file *owner;
	bool module_run;

	struct klat_series *series;	/* linked, all of them */
	struct klat_ring *ring;

	struct klat_report report;
	/* settings at the start; what the benchmark knew when the run was over */
	struct klat_settings before;
	struct klat_status last;

	/* readers: one at a time in read(), any number in poll() */
	struct mutex read_lock;
	struct rcuwait reader;
	wait_queue_head_t poll_queue;
	bool polled;
	struct irq_work poll_work;

	struct workqueue_struct *workqueue;
	struct miscdevice misc;		/* see chardev.h */
	char nodename[32];
	struct dentry *debugfs;
	int hotplug_state;
	struct hlist_node hotplug_node;
	struct notifier_block pm_notifier;
	bool asleep;		/* suspend has begun; under lock */
};

/*
 * All of a module's init(): readies @bench, which is zeroed, starts a run if the
 * module is to, and makes the files as its last step. From then on they can be
 * open, which a failing init() would pull the code away from under.
 */
int klat_bench_load(struct klat_bench *bench, const struct klat_bench_ops *ops,
		    bool autostart, enum klat_verbosity verbosity,
		    struct klat_refusal *refusal);
/* All of its exit(): ends the run, if one is going on; no file is open */
void klat_bench_unload(struct klat_bench *bench);

/* For start(): memory for the values of series @id, counted by @cpu */
struct klat_series *klat_bench_add_series(struct klat_bench *bench, u32 id, u32 cpu);
/* For start(): the ring that samples go into */
int klat_bench_add_ring(struct klat_bench *bench, u32 entries, u32 cpu);

/* Forgets statistics and samples */
void klat_bench_forget(struct klat_bench *bench);

/* How many bytes read() gives of each */
static inline size_t klat_bench_sample_size(const struct klat_bench *bench)
{
	return bench->ops->sample_size ?: sizeof(struct klat_sample);
}

/* Events measured so far; under the lock */
u64 klat_bench_seen(struct klat_bench *bench);

/* Times, counters and settings of the run that goes on, or went before; under the lock */
void klat_bench_status(struct klat_bench *bench, struct klat_status *status);

/* For the end of a run: halts and stops it, and keeps what it was; under the lock */
void klat_bench_stop(struct klat_bench *bench);

/* All of series @id on @cpu or KLAT_CPU_ALL, into @into, zeroed by the caller */
int klat_bench_snapshot(struct klat_bench *bench, u32 id, u32 cpu,
			struct klat_series *into);

/* Between putting a sample into the ring and asking who waits for it */
static __always_inline void klat_bench_sample_ready(void)
{
	/*
	 * Pairs with the barriers in rcuwait_wait_event() and klat_poll(), between
	 * saying that one waits and looking into the ring.
	 */
	smp_mb();
}

/* Does somebody sleep in poll()? */
static __always_inline bool klat_bench_polled(const struct klat_bench *bench)
{
	return unlikely(READ_ONCE(bench->polled));
}

/* Has them woken, from a context that may take their lock */
static inline void klat_bench_wake_pollers(struct klat_bench *bench)
{
	if (klat_bench_polled(bench))
		irq_work_queue(&bench->poll_work);
}

/*
 * Who sleeps in read(), NULL if nobody: to be woken with wake_up_process().
 * Interrupts are off, which is all the RCU protection that the task needs:
 * together the two are rcuwait_wake_up() without its own.
 */
static __always_inline struct task_struct *klat_bench_reader(const struct klat_bench *bench)
{
	return rcu_dereference_raw(bench->reader.task);
}

/* Wakes all who sleep in read() or poll() for what is in the ring; from a thread */
void klat_bench_wake_readers(struct klat_bench *bench);

#endif /* KLAT_CORE_BENCH_H */
