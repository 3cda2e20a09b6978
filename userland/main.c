// SPDX-License-Identifier: GPL-2.0
/* klat: how late a computer is. */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "version.h"

static const struct command {
	const char *name;
	const char *summary;
	enum exit_code (*run)(int argc, char **argv);
} commands[] = {
	{ "msi-lat", "latency of a PCIe device's message-signalled interrupt", cmd_msi_lat },
	{ "msi-jitter", "how far a device's cyclic interrupts stray from their cycle",
	  cmd_msi_jitter },
	{ "mmio", "one read of a device register", cmd_mmio },
	{ "hwlat", "time that firmware, NMIs and hypervisors take from CPUs", cmd_hwlat },
	{ "caterpillar", "how much the time of the same work on memory varies", cmd_caterpillar },
	{ "devices", "PCI devices that can be measured with, and who has them", cmd_devices },
	{ "doctor", "why klat cannot be built, loaded or trusted here", cmd_doctor },
	{ "info", "what this machine and the loaded modules are", cmd_info },
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *to)
{
	fprintf(to, "Usage: klat SUBCOMMAND [OPTION]...\n\n"
		"Measures how late this computer is.\n\nSubcommands\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].summary);
	fprintf(to, "\n'klat SUBCOMMAND --help' lists its options.\n\n"
		"Exit status\n"
		"  0  fine\n"
		"  1  a limit was exceeded\n"
		"  2  wrong usage; also a value, timer or register that is refused, and a\n"
		"     device that has to be named (--bdf) or is in use (--force)\n"
		"  3  the result is INCOMPLETE or INVALID, or could not be written; a device\n"
		"     was not given back; not enough memory; doctor found something in the way\n"
		"  4  skipped: no such device or module, in use by another program or module,\n"
		"     it does not answer, or not allowed\n");
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	/*
	 * jansson's hash tables are seeded against attackers. We print our own
	 * data, and a machine that has just booted may have to wait for ever for
	 * the entropy of a random seed.
	 */
	json_object_seed(1);
	/* a reader that went away is found when the result is written */
	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		print_help(stdout);
		return EXIT_FINE;
	}
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		printf("klat %s\n", KLAT_VERSION);
		return EXIT_FINE;
	}
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run(argc - 1, argv + 1);
	if (*name)
		fprintf(stderr, "klat: '%s' is no subcommand\n", name);
	print_help(stderr);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	/* help, too, may have gone to a full disk */
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "klat: cannot write to standard output\n");
		return status == EXIT_FINE ? EXIT_DOUBT : status;
	}
	return status;
}
