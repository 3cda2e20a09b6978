/* SPDX-License-Identifier: GPL-2.0 */
/* All that is known after a run: what every output format prints from. */
#ifndef KLAT_RESULT_H
#define KLAT_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <klat/klat.h>

#include "exit_code.h"
#include "machine.h"
#include "series.h"
#include "strlist.h"

#define RESULT_MAX_SERIES	(KLAT_MAX_SERIES + 1)
#define RESULT_MAX_CONFIG	24
/* klat_worst.seq of a value that belongs to no event */
#define RESULT_NO_EVENT		UINT64_MAX

enum run_end {
	END_BY_ITSELF,		/* the module said so */
	END_DURATION,		/* the time that was asked for is over */
	END_SIGNAL,		/* the user, or the system, had enough */
};

enum verdict {
	VERDICT_COMPLETE,
	VERDICT_INCOMPLETE,	/* less was measured than asked */
	VERDICT_INVALID,	/* something else was measured than asked */
};

enum config_type {
	CONFIG_TEXT,
	CONFIG_NUMBER,
	CONFIG_HEX,
	CONFIG_NS,
	CONFIG_BOOL,
};

/* Something the user asked for, or got by default */
struct config_item {
	const char *name;
	enum config_type type;
	const char *text;
	uint64_t number;
};

struct result;
struct json_t;

/**
 * struct result_kind - what the results of a benchmark have of their own
 * Anything may be NULL.
 * @limit_of: what the limit is of, if not of the primary series
 * @empty: what it means if the primary series has no values, if not that there
 *	is no data
 * @late: what status.late counts, if not requests
 * @fixed_grid: a period without an event was one of those asked for: nothing
 *	makes up for it
 * @less: a setting that means, if it is not what was asked, that less was measured,
 *	not something else
 * @no_hist: series, by bit, that have no place in a histogram of latencies
 * @judge: adds reasons, with because()
 * @notes: adds notes
 * @text: prints lines below the head of the text
 * @eci: prints the block that users of the tool know that this stands in for,
 *	if it is not RESULTS
 * @eci_first: the text begins with that block
 * @json: adds members
 * @live: prints what the line on the terminal says, if not the primary series
 */
struct result_kind {
	const char *limit_of;
	const char *empty;
	const char *late;
	const char *less;
	bool fixed_grid;
	bool eci_first;
	uint32_t no_hist;
	void (*judge)(struct result *r);
	void (*notes)(struct result *r);
	void (*text)(const struct result *r, FILE *to);
	void (*eci)(const struct result *r, FILE *to);
	void (*json)(const struct result *r, struct json_t *json);
	void (*live)(const struct result *r, FILE *to);
};

/* What the reader of samples did and could not do */
struct reader_facts {
	bool used;
	bool user;		/* to measure the wake-up of a task */
	uint64_t read;
	int error;
	int pin_error;
	int priority_error;
	int mlock_error;
};

/**
 * struct result - all that is known after a run
 * @command: the subcommand
 * @kind: what is special about it, NULL for nothing: see result_kind()
 * @machine: what was measured
 * @before: conditions before the run; @after: after it
 * @irq: the interrupt, if it was found
 * @irq_cpu: the CPU that took the samples, CPU_UNSET if there were several
 * @info: what the module says of itself
 * @status: the run, after its end
 * @device_name: of status.device, in words, "" if unknown
 * @config: what was asked
 * @series: in the order of the module; what the tool measured comes last
 * @primary: the series that stands for the run; index into @series
 * @limit_ns: of the primary series, 0 for none; it ends the run
 * @hard_limit_ns: likewise, but the run goes on
 * @froze_trace: the module was asked to freeze the kernel trace at the limit
 * @end: who ended the run
 * @not_given_back: the device that was taken for it: a negative errno, 0 if it was
 * @reader: how the raw samples were read
 * @own: what the benchmark keeps besides, for the functions of @kind
 * @report: the file that has the text as well, once it is written; NULL for none
 * @verdict: of @reasons; @notes do not change it
 */
struct result {
	const char *command;
	const struct result_kind *kind;
	struct machine machine;
	struct conditions before;
	struct conditions after;
	struct irq_facts irq;
	int irq_cpu;
	struct klat_info info;
	struct klat_status status;
	char device_name[160];
	struct config_item config[RESULT_MAX_CONFIG];
	unsigned int nr_config;
	struct series series[RESULT_MAX_SERIES];
	unsigned int nr_series;
	unsigned int primary;
	uint64_t limit_ns;
	uint64_t hard_limit_ns;
	bool froze_trace;
	enum run_end end;
	int not_given_back;
	struct reader_facts reader;
	void *own;
	const char *report;
	enum verdict verdict;
	struct strlist reasons;
	struct strlist notes;
};

void result_config_text(struct result *r, const char *name, const char *value);
void result_config_number(struct result *r, const char *name, uint64_t value);
void result_config_hex(struct result *r, const char *name, uint64_t value);
void result_config_ns(struct result *r, const char *name, uint64_t value);
void result_config_bool(struct result *r, const char *name, bool value);
struct series *result_add_series(struct result *r, const char *name);
const struct result_kind *result_kind(const struct result *r);
bool result_setting(const struct result *r, const char *name, uint64_t *value);
const struct series *result_primary(const struct result *r);
uint64_t result_ns(const struct result *r, uint64_t ticks);
bool result_label(const struct result *r, char *buf, size_t len);
const char *result_limit_of(const struct result *r);
const char *result_empty(const struct result *r, const struct series *s);
bool result_stopped_at_limit(const struct result *r);
bool result_hard_limit_exceeded(const struct result *r);
bool result_limit_exceeded(const struct result *r);
enum exit_code result_exit_code(const struct result *r);
void result_free(struct result *r);

const char *verdict_name(enum verdict verdict);
const char *state_name(uint32_t state);
__attribute__((format(printf, 3, 4)))
void because(struct result *r, enum verdict verdict, const char *format, ...);
void verdict_decide(struct result *r);

#endif
