// SPDX-License-Identifier: GPL-2.0
/* klat info: what this machine and the loaded modules are. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "info.h"
#include "options.h"
#include "output.h"
#include "topology.h"

struct info_options {
	unsigned int format;
	const char *output;
};

static const char *const format_names[] = { "text", "json", NULL };

static const struct option_def defs[] = {
	{ 'f', "format", "FORMAT", "text or json (text)", OPTION_CHOICE,
	  offsetof(struct info_options, format), 0, 0, format_names },
	{ 'o', "output", "FILE", "write it there", OPTION_TEXT,
	  offsetof(struct info_options, output), 0, 4095, NULL },
	{ 0 }
};

static void module_facts_read(struct module_facts *f, const char *name)
{
	char path[64];
	int fd;

	memset(f, 0, sizeof(*f));
	f->name = name;
	f->state = module_look(name);
	snprintf(path, sizeof(path), DEVICE_DIR "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		f->error = errno;
		return;
	}
	f->error = -device_info(fd, &f->info);
	if (!f->error)
		f->error = -device_status(fd, &f->status);
	close(fd);
}

/* False if @only names no module of klat */
static bool info_read(struct info *info, const char *only)
{
	struct topology *topo = topology_open();

	memset(info, 0, sizeof(*info));
	if (topo) {
		info->cpu = topology_choose(topo, CPU_UNSET);
		topology_online_list(topo, info->online, sizeof(info->online));
		topology_close(topo);
	}
	machine_read(&info->machine);
	conditions_read(&info->conditions, info->cpu, "");
	for (size_t i = 0; module_names[i]; i++)
		if (!only || !strcmp(only, module_names[i]))
			module_facts_read(&info->modules[info->nr++], module_names[i]);
	return info->nr;
}

static enum exit_code info(const struct info_options *opts, const char *only)
{
	struct info info;
	FILE *to;

	if (!info_read(&info, only)) {
		fprintf(stderr, "klat info: '%s' is no module of klat\n", only);
		return EXIT_USAGE;
	}
	to = output_open(opts->output);
	if (!to)
		return EXIT_USAGE;
	output_begin(to);
	if (opts->format == OUTPUT_JSON)
		info_json(&info, to);
	else
		info_text(&info, to);
	conditions_free(&info.conditions);
	return output_close(to) ? EXIT_DOUBT : EXIT_FINE;
}

enum exit_code cmd_info(int argc, char **argv)
{
	struct info_options opts = { 0 };
	const struct option_group groups[] = {
		{ "Options", defs, &opts },
		{ 0 }
	};
	const struct option_set set = {
		.command = "info",
		.operands = "[MODULE]",
		.summary = "Says what this machine and the modules of klat are.",
		.groups = groups,
	};
	enum exit_code code;

	if (!options_go(&set, argc, argv, &code))
		return code;
	if (argc - optind > 1) {
		fprintf(stderr, "klat info: unexpected argument '%s'\n", argv[optind + 1]);
		return EXIT_USAGE;
	}
	return info(&opts, optind < argc ? argv[optind] : NULL);
}
