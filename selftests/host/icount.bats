#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host:
#
# On the host, by booting the deterministic machine twice. KLAT_KERNEL says which
# kernel (bookworm/amd64 if not set).

bats_require_minimum_version 1.5.0

boot_and_measure()
{
	"$BATS_TEST_DIRNAME/../vm/run" -k "${KLAT_KERNEL:-bookworm/amd64}" --icount -d igb -- \
		sh -c 'insmod msi_lat.ko irqPeriod=1 irqCount=200 &&
			until grep -q DONE /sys/kernel/debug/msi_latency_test/current_value
			do sleep 0.1; done &&
			cat /sys/kernel/debug/msi_latency_test/current_value &&
			od -An -v -td8 -w32 /dev/klat/msi_lat | awk "{ print \$1, \$3 }"' 2> /dev/null
}

@test "two boots measure the same, to the tick" {
	first=$(boot_and_measure)
	[[ $first == *"* Max: "[0-9]*"* Interrupts seen: 200"* ]]
	second=$(boot_and_measure)
	diff - <(echo "$second") <<< "$first"
}
