#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: --icount -d igb
# klat-kernels: bookworm/amd64 trixie/rt-amd64
# klat-bench: the deterministic machine
#
# msi_lat on the deterministic machine, where a tick is an instruction and a
# nanosecond: what is exact is compared exactly.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/msi_lat
load lib/klat

teardown()
{
	has_machine || return 0
	unload_if_loaded msi_lat
}

# values PARAMETERS...: the raw values of a run's samples, ticks, sorted. The
# first shots find cold code and tables of pages: they are left out.
values()
{
	measure irqPeriod=1 irqCount=200 "$@"
	raw_samples | awk '$1 >= 20 { print $3 }' | sort -n
	remove msi_lat
}

least()
{
	head -n 1 <<< "$1"
}

commonest()
{
	uniq -c <<< "$1" | sort -n | awk 'END { print $2 }'
}

@test "every shot takes the same" {
	found=$(values)
	same 1 "$(sort -u <<< "$found" | wc -l)"
	# and the next run does, too
	same "$found" "$(values)"
}

@test "a thread takes longer" {
	hard=$(least "$(values irqSpec=1)")
	thread=$(least "$(values irqSpec=0)")
	holds "$thread > $hard"
}

# Interrupts stay off until a stamp says that N ticks have passed. The loop
# that looks has a step of a few ticks, so that N itself is rounded up to a
# whole step; but when N grows by a multiple of the step, the latency grows by
# exactly that. All small steps divide 27720, the least multiple of 1 .. 12. Now and
# then the timer's interrupt is blocked, too, and is served first: so the least
# and the commonest are compared, not all.
@test "blockIRQ raises the latency by exactly its ticks" {
	by=27720
	blocked=$(values blockIRQ=10000)
	longer=$(values blockIRQ=$((10000 + by)))
	same $(($(least "$blocked") + by)) "$(least "$longer")"
	same $(($(commonest "$blocked") + by)) "$(commonest "$longer")"
	# and it is blockIRQ's ticks, give or take the interrupt itself
	holds "$(least "$blocked") >= 10000"
	holds "$(least "$blocked") < 11000"
}

@test "offsetStart lowers what is published by exactly that" {
	klat_json --count 200
	plain=$(jq -c '.series[0] | [.ticks.min, .ticks.max]' <<< "$json")
	hz=$(jq '.module.clock_hz' <<< "$json")
	klat_json --count 200 --offset 100ns
	lower=$(jq -c '.series[0] | [.ticks.min, .ticks.max]' <<< "$json")
	ticks=$(((100 * hz + 500000000) / 1000000000))
	same "$(jq -c "map(. - $ticks)" <<< "$plain")" "$lower"
	json '.run.clipped == 0' <<< "$json"
}

@test "offsetStart leaves the samples as they are" {
	same "$(values)" "$(values offsetStart=100)"
	same "$(values)" "$(values offsetStart=1000000)"
}

@test "offsetStart: as many are clipped as are below it" {
	found=$(values | sort -n | tail -n 1)
	measure irqPeriod=1 irqCount=200 offsetStart=$((found + 10))
	raw_samples | awk -v offset=$((found + 10)) '$3 < offset' > "$BATS_TEST_TMPDIR/below"
	holds "$(wc -l < "$BATS_TEST_TMPDIR/below") > 100"
	same "$(wc -l < "$BATS_TEST_TMPDIR/below")" "$(result 'Clipped to 0 by offsetStart')"
}

@test "irqPeriod: none is missed, and they are that far apart" {
	for period in 1 5 20; do
		measure irqPeriod=$period irqCount=100
		same 0 "$(result 'Missed periods')"
		same 100 "$(result 'Interrupts seen')"
		hz=$(module_info clock_hz)
		# the distance over all, within a thousandth: a timer may be a
		# little late, but that does not add up
		raw_samples | awk -v hz="$hz" -v period=$period '
			NR == 1 { first = $2 }
			{ last = $2 }
			END {
				found = (last - first) / hz * 1000 / 99
				print found, "ms instead of", period
				exit !(found > period * 0.999 && found < period * 1.001)
			}'
		remove msi_lat
	done
}
