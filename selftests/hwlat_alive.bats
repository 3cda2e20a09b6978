#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm short: -c 2
# klat-vm long on all:*/rt-amd64: -c 2 -t 1200
# klat-vm long-4 on all:bookworm/amd64: -c 4 -t 1200
# klat-kernels: */*amd64
# klat-needs: module=hwlat_detector disruptive
#
# Nearly all of every CPU is looked at, and the machine lives on: programs start and
# end, and the kernel does not complain, which the bench looks for.

bats_require_minimum_version 1.5.0
load lib/common
load lib/hwlat_detector

# Seconds of looking; from one try to the next; that a program may take, ms
case ${KLAT_VARIANT:-short} in
short)	readonly LOOKS=10 ;;
*)	readonly LOOKS=60 ;;
esac
readonly EACH=5 MOST=15000

teardown()
{
	has_machine || return 0
	unload_if_loaded hwlat_detector
}

@test "95 % of every CPU is looked at: programs start and end" {
	tries=0
	insert hwlat_detector autostart=0 window=1000000 width=950000 runTime=$LOOKS
	# ahead of the run, which leaves little time for it
	trace_on window
	put /sys/kernel/debug/hwlat_detector/enable 1
	while is_running; do
		begin=$(monotonic_ms)
		bash -c true
		holds "$(monotonic_ms) - $begin < $MOST"
		tries=$((tries + 1))
		sleep $EACH
	done
	wait_until is_done
	holds "$tries >= 1"
	same "$(nproc)" "$(windows | cut -d ' ' -f 1 | sort -u | wc -l)"
}
