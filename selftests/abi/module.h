/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests must know of a module: its configuration. */
#ifndef KLAT_ABI_MODULE_H
#define KLAT_ABI_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <linux/types.h>

#include <klat/klat.h>

/* One member of a configuration, and a value for it */
struct abi_member {
	const char *name;
	size_t offset;
	size_t size;
	__u64 value;		/* of a number */
	const char *text;	/* of a name; then @value is not used */
	int error;		/* errno that CONFIG gives; 0 if the value is good */
	const char *says;	/* part of the refusal; NULL: "name = value" */
};

#define ABI_NUMBER(_struct, _member, _value, _error)				\
	{ .name = #_member, .offset = offsetof(struct _struct, _member),	\
	  .size = sizeof(((struct _struct *)0)->_member),			\
	  .value = (__u64)(_value), .error = _error }
#define ABI_TEXT(_struct, _member, _text, _error)				\
	{ .name = #_member, .offset = offsetof(struct _struct, _member),	\
	  .size = sizeof(((struct _struct *)0)->_member),			\
	  .text = _text, .error = _error }

struct abi_run {
	__s64 count;		/* below 0: without end */
	__u64 period_ns;
	__u32 ring_entries;	/* 0: the default */
};

/**
 * struct abi_module - a module under test
 * @name: its name
 * @config_size: size of its configuration, which starts with its own size
 * @sample_size: of what read() gives; 0: a struct klat_sample. More is a record
 *	that begins with one: several of them may be one event.
 * @nr_series: how many series it has
 * @sample_series: the series that samples may be of, a bit each. Each event that
 *	was measured is one value in one of them, and one sample.
 * @settle: how many events are measured before the first sample can be read
 * @timed: a run lasts for a time; how many events it has is not ours to say, but
 *	in ten times the time of as many periods there are some. Nothing is asked
 *	for, so there is no more to compare with.
 * @cpus: it measures on several CPUs, and so has KLAT_CPU
 * @skips: a period without a request takes a number, and counts for what was
 *	asked
 * @no_device: there is neither a source nor a device that could have a name
 * @free_running: an event comes as soon as the one before it is over: there are no
 *	periods, but with a longer one each event takes longer
 * @period_max: the longest period, ns
 * @members: members with values that are tried one at a time
 * @nr_members: how many
 * @good: fills in a configuration that the machine of these tests can run
 * @bound: makes any configuration, also one of random bytes, such that a run
 *	of it, if it is accepted, touches no device but that of @good, and lasts
 *	at most a second
 */
struct abi_module {
	const char *name;
	size_t config_size;
	size_t sample_size;
	__u32 nr_series;
	__u32 sample_series;
	__u32 settle;
	bool timed;
	bool cpus;
	bool skips;
	bool no_device;
	bool free_running;
	__u64 period_max;
	const struct abi_member *members;
	size_t nr_members;
	void (*good)(void *config, const struct abi_run *run);
	void (*bound)(void *config);
};

extern const struct abi_module abi_caterpillar;
extern const struct abi_module abi_hwlat_detector;
extern const struct abi_module abi_mmio_latency;
extern const struct abi_module abi_msi_jitter;
extern const struct abi_module abi_msi_lat;

/* The one that is tested, and the options */
extern const struct abi_module *module;
extern __u64 option_ring, option_fuzz, option_seed;

/* Makes it the one that is tested; false if nothing is known of it */
bool find_module(const char *name);

#define CONFIG_ROOM	512

/* Whether an interrupt source of that name, of KLAT_NAME_LEN bytes, is a device's */
static inline bool is_with_device(const char *source)
{
	static const char *const names[] = { "", "auto", "igb", "igc", "e1000e", "edu" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(source, names[i], KLAT_NAME_LEN))
			return true;
	return false;
}

#endif
