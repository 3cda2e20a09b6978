#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on */rt-amd64:
# klat-kernels: bookworm/rt-amd64 trixie/amd64
#
# On the host, by booting the deterministic machine twice. KLAT_KERNEL says which
# kernel (bookworm/amd64 if not set).

# shellcheck disable=SC2016 # for the shell in the guest

bats_require_minimum_version 1.5.0

# boot_and_measure MODULE DIRECTORY MEANWHILE PARAMETER...: the results and the
# samples. MEANWHILE is a command that runs beside.
boot_and_measure()
{
	"$BATS_TEST_DIRNAME/../vm/run" -k "${KLAT_KERNEL:-bookworm/amd64}" --icount -d igb -- \
		bash -c 'module=$1 results=/sys/kernel/debug/$2/current_value
			insmod "$module.ko" "${@:4}" && eval "$3" &&
			until grep -q DONE "$results"; do sleep 0.1; done &&
			cat "$results" &&
			od -An -v -td8 -w32 "/dev/klat/$module" | cut -c 1-21,43-' \
		measure "$@" 2> "$BATS_TEST_TMPDIR/err"
}

# two_boots SEEN ARGUMENTS...: as boot_and_measure's
two_boots()
{
	local first second

	first=$(boot_and_measure "${@:2}") || { cat "$BATS_TEST_TMPDIR/err"; return 1; }
	sed 20q <<< "$first"
	[[ $first == *"* Max: "[0-9]*"* Interrupts seen: $1"* ]]
	second=$(boot_and_measure "${@:2}") || { cat "$BATS_TEST_TMPDIR/err"; return 1; }
	diff - <(echo "$second") <<< "$first"
}

@test "msi_lat: two boots measure the same, to the tick" {
	two_boots 200 msi_lat msi_latency_test true irqPeriod=1 irqCount=200
}

# Half a second on, interrupts are off from 50 us before a cycle's end for 250 us
readonly DELAY='insmod klat_spin.ko &&
	read -r _ time _ < <(od -An -v -td8 -w32 -N 960 /dev/klat/msi_jitter | tail -n 1) &&
	echo "$((time + 500000000 - 50000)) 250000" > /sys/kernel/debug/klat_spin/spin'

@test "msi_jitter, with a delay made on purpose: two boots measure the same" {
	two_boots 2000 msi_jitter msi_jitter_test "$DELAY" \
		irqPeriod=1 runTime=2 coreSpecIRQ=0
}
