#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on */rt-amd64:
# klat-kernels: bookworm/rt-amd64
#
# On the host, by booting the deterministic machine twice. KLAT_KERNEL says which
# kernel (bookworm/amd64 if not set).

# shellcheck disable=SC2016 # for the shell in the guest

bats_require_minimum_version 1.5.0

# An SMI and an NMI in turn, and what hwlat_detector reports of them, but for when. The
# kernel has work left over from the boot in its first second (on PREEMPT_RT most of a
# millisecond at a time), by which a window can begin late, and too late for a shot.
readonly INJECT='
	sleep 2 &&
	cd /sys/kernel/debug/klat_inject &&
	{ echo 2000000
	  for i in {1..20}; do
		echo "smi $((1600000 + i * 40000)) 0"
		echo "nmi $((1600000 + i * 30000)) $((i * 5000))"
	  done; } > /run/schedule &&
	cat /run/schedule > timer && cd /klat &&
	chrt -i -p 0 $$ > /dev/null &&
	insmod hwlat_detector.ko window=3000 width=2000 threshold=40 runTime=1 &&
	od -An -v -td8 -w64 /dev/klat/hwlat_detector > /run/records &&
	until grep -q DONE /sys/kernel/debug/hwlat_detector/current_value; do sleep 0.1; done &&
	cut -c 1-21,43-84,127- /run/records &&
	cat /sys/kernel/debug/hwlat_detector/current_value &&
	cut -d" " -f 1,4 /sys/kernel/debug/klat_inject/timer'

boot_and_measure()
{
	"$BATS_TEST_DIRNAME/../vm/run" -k "${KLAT_KERNEL:-bookworm/amd64}" --icount \
		--cmdline nolapic_timer -- bash -c "insmod klat_inject.ko && $INJECT" 2> /dev/null
}

@test "hwlat_detector, with SMIs and NMIs made on purpose: two boots report the same" {
	first=$(boot_and_measure)
	[[ $first == *"* Max: "[0-9]*"* Gaps seen: 40"* ]]
	second=$(boot_and_measure)
	diff - <(echo "$second") <<< "$first"
}
