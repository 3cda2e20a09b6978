/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands in the way of building, loading or trusting klat on a machine, and what
 * to do about it.
 *
 * A finding is a fact about the machine, or a failure that a log tells of. It is BAD if
 * klat cannot be built (and is not there yet), cannot be loaded, or gives INVALID results
 * because of it; a WARN
 * takes something away, or says that the figures mean less; UNKNOWN is what could not be
 * found out, which is never made a guess of. Nothing on the machine is changed, and no
 * program is run.
 */
#ifndef KLAT_DOCTOR_H
#define KLAT_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "hypervisor.h"
#include "installed.h"
#include "inventory.h"
#include "kconfig.h"
#include "module.h"

enum doctor_status {
	DOCTOR_OK,
	DOCTOR_WARN,
	DOCTOR_BAD,
	DOCTOR_UNKNOWN,
};

enum answer {
	ANSWER_NO,
	ANSWER_YES,
	ANSWER_UNKNOWN,
};

/**
 * struct finding - one thing that was found
 * @group: "build", "load", "devices", "trust" or "log"
 * @id: what it is about; of logs the class of the failure. The same for all machines.
 * @text: one sentence
 * @advice: the next step, NULL if there is none to take
 */
struct finding {
	const char *group;
	const char *id;
	enum doctor_status status;
	char *text;
	char *advice;
};

/**
 * struct doctor - a machine, and what was found
 *
 * To be filled in first:
 * @root: where the tree of the machine begins, "" for this one
 * @release: of the kernel that it is about
 * @running: that is the kernel that runs
 * @version: of the kernel that runs, as uname -v has it, "" if unknown
 * @arch: as uname -m has it
 * @hypervisor: what runs the machine
 * @inventory: its PCI devices, NULL if they cannot be read
 * @kernel_log: NULL if it cannot be read
 *
 * Filled in by doctor_examine():
 * @config: of the kernel
 * @installed: the modules that are installed for the kernel
 *
 * @group: of the findings that are added
 * @findings: in the order in which they were found; @nr: how many
 */
struct doctor {
	const char *root;
	const char *release;
	bool running;
	const char *version;
	const char *arch;
	struct hypervisor hypervisor;
	const struct inventory *inventory;
	char *kernel_log;

	struct kconfig config;
	struct installed installed;

	const char *group;
	struct finding *findings;
	size_t nr;
};

/* Where DKMS has klat, and what state it is in there */
enum dkms_state {
	DKMS_ABSENT,		/* klat was not added to it */
	DKMS_ADDED,
	DKMS_BUILT,		/* for that kernel */
	DKMS_INSTALLED,		/* likewise */
};

struct dkms {
	enum dkms_state state;
	char version[64];	/* of klat, "" where ABSENT */
};

void doctor_examine(struct doctor *d);
void doctor_free(struct doctor *d);
/* No finding is BAD */
bool doctor_is_fine(const struct doctor *d);
const char *doctor_status_text(enum doctor_status status);

void doctor_text(const struct doctor *d, FILE *to);
void doctor_json(const struct doctor *d, FILE *to);

/*
 * Failures of known classes in a log; @name: what it is called in the findings. A negative
 * errno if it could not be read to its end.
 */
int doctor_log(struct doctor *d, const char *name, FILE *log);

/* For the checks. The advice is for the finding that was added last. */
__attribute__((format(printf, 4, 5)))
void doctor_find(struct doctor *d, enum doctor_status status, const char *id,
		 const char *format, ...);
__attribute__((format(printf, 2, 3)))
void doctor_advise(struct doctor *d, const char *format, ...);
bool doctor_has_program(const struct doctor *d, const char *name);
bool doctor_uses_apt(const struct doctor *d);
void doctor_read_dkms(const struct doctor *d, struct dkms *dkms);
/* What it is that modules cannot be built: in the way only where they are not there yet */
enum doctor_status doctor_no_build(const struct doctor *d);
enum answer doctor_is_mounted(const struct doctor *d, const char *type);
/* @first: what is to be done before, "" for nothing */
void doctor_advise_build(struct doctor *d, const char *first);

void doctor_build(struct doctor *d);
void doctor_compiler(struct doctor *d);
void doctor_load(struct doctor *d);
void doctor_signature(struct doctor *d);
void doctor_devices(struct doctor *d);
void doctor_trust(struct doctor *d);
void doctor_logs(struct doctor *d);

#endif
