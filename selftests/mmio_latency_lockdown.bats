#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -d edu
# klat-kernels: bookworm/rt-amd64 trixie/rt-amd64 debug/*
# klat-bench: a kernel that may be locked down until it boots again
#
# mmio_latency on a kernel that is locked down after the module was loaded: a
# kernel that is locked down from the start loads no unsigned module. There is no
# way back, so the tests are in the order of one story.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/mmio_latency

readonly LOCKDOWN=/sys/kernel/security/lockdown

setup_file()
{
	on_bench || return 0
	[[ -e $LOCKDOWN ]] || mount -t securityfs none /sys/kernel/security || :
	insert mmio_latency autostart=0
}

setup()
{
	[[ -e $LOCKDOWN ]] || skip "this kernel cannot be locked down"
}

read_with_klat()
{
	klat mmio --bdf "$(edu)" --bar 0 --offset 0x80 --count 100
}

@test "before lockdown it reads" {
	read_with_klat
	same 100 "$(text_value loops)"
}

@test "under lockdown START is refused, and both texts can be read" {
	echo confidentiality > "$LOCKDOWN"
	log_mark
	run -4 read_with_klat
	contains "$output" "lockdown"
	log_has "Lockdown: klat: direct PCI access is restricted"
	grep -q '^\* State: ' "$CURRENT_VALUE"
	grep -q '^RT Core Module$' "$TEXT"
	not claimed_by_us
}

@test "under lockdown a run by parameters is refused, too" {
	remove mmio_latency
	# refused by the kernel, before the module can say anything
	not insert mmio_latency "bdf=$(edu)"
}
