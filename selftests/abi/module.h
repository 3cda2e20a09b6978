/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests must know of a module: its configuration. */
#ifndef KLAT_ABI_MODULE_H
#define KLAT_ABI_MODULE_H

#include <stddef.h>
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
 * @nr_series: how many series it has
 * @main_series: the series that samples are of
 * @members: members with values that are tried one at a time
 * @nr_members: how many
 * @good: fills in a configuration that needs no hardware
 * @bound: makes any configuration, also one of random bytes, such that a run
 *	of it, if it is accepted, touches no device and lasts at most a second
 */
struct abi_module {
	const char *name;
	size_t config_size;
	__u32 nr_series;
	__u32 main_series;
	const struct abi_member *members;
	size_t nr_members;
	void (*good)(void *config, const struct abi_run *run);
	void (*bound)(void *config);
};

extern const struct abi_module abi_msi_lat;

/* The one that is tested, and the options */
extern const struct abi_module *module;
extern __u64 option_ring, option_fuzz, option_seed;

#define CONFIG_ROOM	512

#endif
