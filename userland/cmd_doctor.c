// SPDX-License-Identifier: GPL-2.0
/* klat doctor: why klat cannot be built, loaded or trusted here, and what to do. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "command.h"
#include "doctor.h"
#include "klog.h"
#include "options.h"
#include "output.h"

struct doctor_options {
	const char *kernel;
	const char *log;
	unsigned int format;
	const char *output;
};

static const char *const format_names[] = { "text", "json", NULL };

static const struct option_def defs[] = {
	{ 'k', "kernel", "RELEASE", "the kernel it is about (the one that runs)", OPTION_TEXT,
	  offsetof(struct doctor_options, kernel), 0, 64, NULL },
	{ 'l', "log", "FILE", "look at this log alone, of a build or the kernel's; - for stdin",
	  OPTION_TEXT, offsetof(struct doctor_options, log), 0, 4095, NULL },
	{ 'f', "format", "FORMAT", "text or json (text)", OPTION_CHOICE,
	  offsetof(struct doctor_options, format), 0, 0, format_names },
	{ 'o', "output", "FILE", "write it there", OPTION_TEXT,
	  offsetof(struct doctor_options, output), 0, 4095, NULL },
	{ 0 }
};

static enum exit_code print(const struct doctor_options *opts, const struct doctor *d)
{
	FILE *to = output_open(opts->output);

	if (!to)
		return EXIT_USAGE;
	output_begin(to);
	if (opts->format == OUTPUT_JSON)
		doctor_json(d, to);
	else
		doctor_text(d, to);
	return output_close(to) || !doctor_is_fine(d) ? EXIT_DOUBT : EXIT_FINE;
}

/* Of a log alone: nothing else of the machine is looked at */
static enum exit_code look_at_log(const struct doctor_options *opts, struct doctor *d)
{
	bool is_stdin = !strcmp(opts->log, "-");
	FILE *log = is_stdin ? stdin : fopen(opts->log, "re");
	enum exit_code code = EXIT_USAGE;
	int ret;

	if (!log) {
		fprintf(stderr, "klat doctor: %s: %s\n", opts->log, strerror(errno));
		return EXIT_USAGE;
	}
	ret = doctor_log(d, is_stdin ? "standard input" : opts->log, log);
	if (ret)
		fprintf(stderr, "klat doctor: %s cannot be read: %s\n", opts->log,
			strerror(-ret));
	else
		code = print(opts, d);
	if (!is_stdin)
		fclose(log);
	return code;
}

static enum exit_code look_at_machine(const struct doctor_options *opts, struct doctor *d,
				      struct inventory *inventory)
{
	enum exit_code code;

	hypervisor_detect(&d->hypervisor);
	if (!inventory_read(inventory, NULL))
		d->inventory = inventory;
	d->kernel_log = klog_read();
	doctor_examine(d);
	code = print(opts, d);
	free(d->kernel_log);
	inventory_free(inventory);
	return code;
}

static enum exit_code look(const struct doctor_options *opts)
{
	struct doctor d = { .root = "", .arch = "", .version = "" };
	struct utsname uts = { 0 };
	struct inventory inventory;
	enum exit_code code;

	uname(&uts);
	d.release = opts->kernel ?: uts.release;
	d.running = !strcmp(d.release, uts.release);
	d.version = uts.version;
	d.arch = uts.machine;
	code = opts->log ? look_at_log(opts, &d) : look_at_machine(opts, &d, &inventory);
	doctor_free(&d);
	return code;
}

/* It becomes a part of paths */
static bool is_release(const char *text)
{
	return *text && *text != '.' && !strchr(text, '/');
}

enum exit_code cmd_doctor(int argc, char **argv)
{
	struct doctor_options opts = { 0 };
	const struct option_group groups[] = {
		{ "Options", defs, &opts },
		{ 0 }
	};
	const struct option_set set = {
		.command = "doctor",
		.operands = "",
		.summary = "Says why klat cannot be built, loaded or trusted on this machine, and "
			   "the next step\nof each. Changes nothing. Exit status 3 if something "
			   "stands in the way.",
		.groups = groups,
	};
	enum exit_code code;

	if (!options_go(&set, argc, argv, &code))
		return code;
	if (optind < argc) {
		fprintf(stderr, "klat doctor: unexpected argument '%s'\n", argv[optind]);
		return EXIT_USAGE;
	}
	if (opts.kernel && !is_release(opts.kernel)) {
		fprintf(stderr, "klat doctor: --kernel '%s' is no release of a kernel, such as "
			"6.1.0-50-rt-amd64\n", opts.kernel);
		return EXIT_USAGE;
	}
	return look(&opts);
}
