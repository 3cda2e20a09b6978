#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 --cmdline lockdown=integrity
# klat-kernels: bookworm/amd64 bookworm/rt-amd64 trixie/rt-amd64 sid/amd64
#
# klat doctor on a kernel that is locked down from the start, and refuses modules that
# are unsigned, as those are that were built for this machine.

# shellcheck disable=SC2154 # set by bats

bats_require_minimum_version 1.5.0
load lib/common

readonly UNSIGNED="msi_lat, msi_jitter, mmio_latency, hwlat_detector, caterpillar"

# finding ID FILTER
finding()
{
	klat doctor --format json | jq -r "[.findings[] | select(.id == \"$1\")][0] | $2"
}

@test "before any module was tried: it says what the kernel will do" {
	contains "$(cat /sys/kernel/security/lockdown)" "[integrity]"
	run -3 klat doctor
	contains "$output" "the kernel is locked down (integrity)"
	contains "$output" \
		"signed modules only (lockdown=integrity), and these are unsigned: $UNSIGNED"
	same bad "$(finding signature .status)"
	contains "$(finding signature .advice)" "boot without lockdown="
	not contains "$output" "the kernel log: " > /dev/null
}

@test "the kernel refuses an unsigned module, and doctor has read of it" {
	log_mark
	not insmod msi_lat.ko autostart=0 2> "$BATS_TEST_TMPDIR/insmod"
	cat "$BATS_TEST_TMPDIR/insmod"
	not is_loaded msi_lat
	log_has "unsigned module loading is restricted"
	run -3 klat doctor
	contains "$output" "the kernel log: the kernel takes signed modules only"
	same log "$(finding unsigned .group)"
	contains "$(finding unsigned .advice)" "boot without lockdown="
}

@test "the same from the log alone" {
	dmesg > "$BATS_TEST_TMPDIR/log"
	run -3 klat doctor --log "$BATS_TEST_TMPDIR/log"
	contains "$output" "the kernel takes signed modules only"
}

@test "the tool says that it may not load the module" {
	run -4 klat msi-lat --source soft --count 10
	contains "$output" "locked down"
}
