// SPDX-License-Identifier: GPL-2.0
/* klat devices: PCI devices that can be measured with, and who has them. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>

#include "command.h"
#include "devices.h"
#include "options.h"
#include "output.h"
#include "restore.h"
#include "topology.h"

struct devices_options {
	unsigned int format;
	const char *output;
	bool restore;
};

static const char *const format_names[] = { "text", "json", NULL };

static const struct option_def defs[] = {
	{ 'r', "restore", NULL, "first give back what a klat that was killed had taken", OPTION_SET,
	  offsetof(struct devices_options, restore), 0, 0, NULL },
	{ 'f', "format", "FORMAT", "text or json (text)", OPTION_CHOICE,
	  offsetof(struct devices_options, format), 0, 0, format_names },
	{ 'o', "output", "FILE", "write it there", OPTION_TEXT,
	  offsetof(struct devices_options, output), 0, 4095, NULL },
	{ 0 }
};

/* No signal may stop it halfway */
static int restore_now(void)
{
	struct strlist said = { 0 };
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	ret = restore_left(STATE_DIR, SYS, &said);
	sigprocmask(SIG_SETMASK, &old, NULL);
	for (size_t i = 0; i < said.nr; i++)
		fprintf(stderr, "klat devices: %s\n", said.items[i]);
	strlist_free(&said);
	return ret;
}

/* Where firmware does not say a device's node, there is mostly but one */
static void fill_in_nodes(struct inventory *inv)
{
	struct topology *topo = topology_open();
	int only = topo ? topology_only_node(topo) : -1;

	for (size_t i = 0; i < inv->nr; i++)
		if (inv->devices[i].node < 0)
			inv->devices[i].node = only;
	topology_close(topo);
}

static enum exit_code print(const struct devices_options *opts, struct devices *d)
{
	FILE *to = output_open(opts->output);

	if (!to)
		return EXIT_USAGE;
	output_begin(to);
	if (opts->format == OUTPUT_JSON)
		devices_json(d, to);
	else
		devices_text(d, to);
	return output_close(to) ? EXIT_DOUBT : EXIT_FINE;
}

/* An idle one is no choice of ours: it has to be named */
static void choose(struct devices *d, const struct inventory *machine)
{
	const struct pci_device *chosen;

	if (inventory_choose(machine, "auto", &chosen) == CHOICE_FREE)
		snprintf(d->chosen, sizeof(d->chosen), "%s", chosen->bdf);
}

/* Which one is chosen takes a look at all, also where one is shown */
static int look(struct devices *d, const struct pci_address *only)
{
	struct inventory machine;
	int ret;

	ret = inventory_read(&d->inv, only);
	if (ret)
		return ret;
	if (!only) {
		choose(d, &d->inv);
		return 0;
	}
	ret = inventory_read(&machine, NULL);
	if (!ret)
		choose(d, &machine);
	inventory_free(&machine);
	return ret;
}

static enum exit_code show(const struct devices_options *opts, const char *operand)
{
	struct devices d = { 0 };
	struct pci_address only;
	enum exit_code code;
	int ret;

	if (operand && !pci_address_parse(operand, &only)) {
		fprintf(stderr, "klat devices: '%s' is no PCI address, such as 0000:01:00.0\n",
			operand);
		return EXIT_USAGE;
	}
	ret = look(&d, operand ? &only : NULL);
	if (ret) {
		fprintf(stderr, "klat devices: what the network is used for cannot be read: %s\n",
			strerror(-ret));
		inventory_free(&d.inv);
		return EXIT_SKIPPED;
	}
	if (operand && !d.inv.nr) {
		fprintf(stderr, "klat devices: %s: there is no such device\n", operand);
		inventory_free(&d.inv);
		return EXIT_SKIPPED;
	}
	fill_in_nodes(&d.inv);
	state_list(STATE_DIR, &d.taken);
	code = print(opts, &d);
	strlist_free(&d.taken);
	inventory_free(&d.inv);
	return code;
}

enum exit_code cmd_devices(int argc, char **argv)
{
	struct devices_options opts = { 0 };
	const struct option_group groups[] = {
		{ "Options", defs, &opts },
		{ 0 }
	};
	const struct option_set set = {
		.command = "devices",
		.operands = "[BDF]",
		.summary = "Lists the PCI devices that klat can measure with, what they are used "
			   "for, and\nwhether klat takes them; or the device at BDF, whatever it is.",
		.groups = groups,
	};
	enum exit_code code;
	int restored = 0;

	if (!options_go(&set, argc, argv, &code))
		return code;
	if (argc - optind > 1) {
		fprintf(stderr, "klat devices: unexpected argument '%s'\n", argv[optind + 1]);
		return EXIT_USAGE;
	}
	if (opts.restore)
		restored = restore_now();
	code = show(&opts, optind < argc ? argv[optind] : NULL);
	return code == EXIT_FINE && restored < 0 ? EXIT_DOUBT : code;
}
