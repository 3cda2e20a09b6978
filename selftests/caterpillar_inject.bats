#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2
# klat-kernels: bookworm/rt-amd64 sid/amd64 debug/*
# klat-bench: the test-only modules
#
# caterpillar while another CPU takes the cache that they share. An emulator has none:
# only that nothing breaks, and that both of them do work, can be seen here.

bats_require_minimum_version 1.5.0
load lib/common
load lib/module
load lib/inject
use_module caterpillar caterpillar_test Cycles

teardown()
{
	has_machine || return 0
	unload_if_loaded caterpillar klat_inject
}

# walks: through its memory that the other CPU has made
walks()
{
	cat "$INJECT/evict"
}

walked_since()
{
	holds "$(walks) > $1"
}

@test "another CPU walks through memory meanwhile" {
	insert klat_inject
	put "$INJECT/evict" "1 4096"
	wait_until walked_since 0
	insert caterpillar core=0 cycles=100 samples=-1 operations=1000 buffer=64K verbosity=0
	wait_until has_seen 1000
	before=$(walks)
	wait_until walked_since "$before"
	goes_on
	remove caterpillar
	put "$INJECT/evict" off
	after=$(walks)
	same "$after" "$(walks)"
}

@test "what cannot be walked through is refused" {
	insert klat_inject
	log_mark
	not put "$INJECT/evict" "7 4096" 2> /dev/null
	not put "$INJECT/evict" "1 0" 2> /dev/null
	same 2 "$(log_count 'evict: CPU .*must be online')"
	same 0 "$(walks)"
}
