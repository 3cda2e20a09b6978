// SPDX-License-Identifier: GPL-2.0
/*
 * The ABI of a klat device, tested against /dev/klat/MODULE. The module is
 * loaded and does not run (autostart=0). KTAP on standard output; exit status 0,
 * 1 (a test failed) or 4 (no such device).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "ktap.h"
#include "module.h"
#include "tests.h"

__u64 option_ring = 20000, option_fuzz = 100000, option_seed = 1;

#define TEST(name)	{ #name, test_ ## name }

static const struct ktap_test tests[] = {
	TEST(info),
	TEST(unknown_commands),
	TEST(flags),
	TEST(sizes),
	TEST(absurd_sizes),
	TEST(bad_pointers),
	TEST(read_only_memory),
	TEST(bad_buckets),
	TEST(config_members),
	TEST(refused_config_changes_nothing),
	TEST(idle),
	TEST(running),
	TEST(run_to_the_end),
	TEST(stop_beside_the_end),
	TEST(reset),
	TEST(start_without_privilege),
	TEST(two_owners),
	TEST(ownership_ends_at_close),
	TEST(configuration_ends_with_ownership),
	TEST(asking_needs_no_ownership),
	TEST(fork_and_close),
	TEST(killed_owner),
	TEST(snapshots),
	TEST(hist_nr),
	TEST(series_and_cpu),
	TEST(cpu),
	TEST(read_small_buffer),
	TEST(read_before_a_run),
	TEST(read_samples),
	TEST(read_nonblock),
	TEST(read_bad_pointer),
	TEST(read_of_others),
	TEST(two_readers),
	TEST(interrupted_read),
	TEST(records),
	TEST(records_that_are_lost),
	TEST(poll),
	TEST(poll_beside_a_reader),
	TEST(ring_overrun),
	TEST(fuzz),
};

static const char usage[] =
	"Usage: abi [OPTION]... [MODULE]\n"
	"Tests the ABI of /dev/klat/MODULE (default: msi_lat).\n"
	"  --ring N     samples of the test of the full ring (default 20000)\n"
	"  --fuzz N     random calls (default 100000)\n"
	"  --seed N     what they start from (default 1)\n"
	"  --only TEST  just that one\n";

static const struct option options[] = {
	{ "ring", required_argument, NULL, 'r' },
	{ "fuzz", required_argument, NULL, 'f' },
	{ "seed", required_argument, NULL, 's' },
	{ "only", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

int main(int argc, char **argv)
{
	const char *only = NULL, *name;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'r':
			option_ring = strtoull(optarg, NULL, 0);
			break;
		case 'f':
			option_fuzz = strtoull(optarg, NULL, 0);
			break;
		case 's':
			option_seed = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			only = optarg;
			break;
		default:
			fputs(usage, option == 'h' ? stdout : stderr);
			return option == 'h' ? 0 : 2;
		}
	}
	name = optind < argc ? argv[optind] : "msi_lat";
	if (!find_module(name)) {
		fprintf(stderr, "abi: nothing is known of a module %s\n", name);
		return 2;
	}
	if (access(device_path(), F_OK)) {
		printf("KTAP version 1\n1..0 # SKIP no %s\n", device_path());
		return KTAP_SKIP;
	}
	return ktap_run(tests, sizeof(tests) / sizeof(tests[0]), only);
}
