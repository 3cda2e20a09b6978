#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm: --icount -d igb
#
# msi_jitter on the deterministic machine, where a tick is an instruction and a
# nanosecond: an interrupt that is delayed on purpose is late by that much.

bats_require_minimum_version 1.5.0
load lib/common
load lib/msi_jitter

# Ticks of one cycle, and between the moment when the interrupts go off and the
# place of an interrupt that is due meanwhile
readonly PERIOD=1000000 BEFORE=50000

# So many samples are read while the run goes on, to know where its places are
readonly FIRST=30

# What passes between the moment when interrupts are on again and the handler's
# first statement, less what passes in any case (the phase): the kernel's own
# timers that are due by then. Seen on 6.1: 1374 .. 4218. Also what an ordinary
# interrupt strays by, as it finds the CPU idle or busy.
readonly COST=6000

teardown()
{
	unload_if_loaded msi_jitter klat_spin
}

# delayed TICKS: deviations of a run in which interrupts were off for TICKS, from
# BEFORE ticks before a place on; in its first line the number of that place's
# cycle
delayed()
{
	local sample seq time

	insert klat_spin
	insert msi_jitter irqPeriod=1 runTime=2 verbosity=0 coreSpecIRQ=0
	sample=$(od -An -v -td8 -w32 -N $((FIRST * 32)) "$MODULE_DEVICE" | tail -n 1)
	read -r seq time _ <<< "$sample"
	put /sys/kernel/debug/klat_spin/spin "$((time + 500 * PERIOD - BEFORE)) $1"
	wait_until is_done
	echo "$((seq + 500))"
	deviations
	remove msi_jitter
	remove klat_spin
}

# deviation_of SEQ: its deviation, "" if there is none
deviation_of()
{
	awk -v seq="$1" 'NR > 1 && $1 == seq { print $3 }' "$BATS_TEST_TMPDIR/delayed"
}

# is_about EXPECTED FOUND
is_about()
{
	holds "$2 - $1 < COST"
	holds "$1 - $2 < COST"
}

@test "every interrupt is at its place" {
	measure irqPeriod=1 runTime=1 coreSpecIRQ=0
	same 1000 "$(seen)"
	same 0 "$(result 'Missed periods')"
	# all but those that found cold code
	deviations | awk -v cost=$COST '$1 >= 20 && ($3 > cost || $3 < -cost) { found++ }
			  END { print found + 0, "strayed"; exit found > 20 }'
}

@test "the places are whole cycles apart" {
	measure irqPeriod=1 runTime=1 coreSpecIRQ=0
	# from stamp less deviation to the next one's: the grid is on a clock that
	# runs a millionth faster or slower than that of the stamps
	deviations | awk -v period=$PERIOD '
		{ start = $2 - $3 - $1 * period }
		NR > 1 && (start - last > 64 || last - start > 64) {
			print "cycle", $1, "is off by", start - last
			wrong = 1
		}
		{ last = start }
		END { exit wrong }'
}

@test "interrupts off over a place: late by exactly that" {
	ticks=250000
	delayed $ticks > "$BATS_TEST_TMPDIR/delayed"
	seq=$(head -n 1 "$BATS_TEST_TMPDIR/delayed")
	is_about $((ticks - BEFORE)) "$(deviation_of "$seq")"
	# the others are where they were
	is_about 0 "$(deviation_of $((seq - 1)))"
	is_about 0 "$(deviation_of $((seq + 1)))"
	is_about 0 "$(deviation_of $((seq + 2)))"
	# and it is the latest of all
	same "$(deviation_of "$seq")" \
		"$(awk 'NR > 1 { print $3 }' "$BATS_TEST_TMPDIR/delayed" | sort -n | tail -n 1)"
}

@test "by so many ticks more, later by so many ticks more" {
	by=277200
	for ticks in 250000 $((250000 + by)); do
		delayed $ticks > "$BATS_TEST_TMPDIR/delayed"
		deviation_of "$(head -n 1 "$BATS_TEST_TMPDIR/delayed")"
	done > "$BATS_TEST_TMPDIR/both"
	{ read -r shorter; read -r longer; } < "$BATS_TEST_TMPDIR/both"
	# the cost is not the same each time
	holds "$longer - $shorter - by < COST / 2"
	holds "$by - ($longer - $shorter) < COST / 2"
}

@test "interrupts off over three places: one is late, two are missed" {
	ticks=$((2 * PERIOD + 250000))
	delayed $ticks > "$BATS_TEST_TMPDIR/delayed"
	seq=$(head -n 1 "$BATS_TEST_TMPDIR/delayed")
	is_about $((ticks - BEFORE)) "$(deviation_of "$seq")"
	same "" "$(deviation_of $((seq + 1)))"
	same "" "$(deviation_of $((seq + 2)))"
	is_about 0 "$(deviation_of $((seq + 3)))"
	# 2000 less the two, and those that were read before
	same $((2000 - 2 - FIRST)) "$(tail -n +2 "$BATS_TEST_TMPDIR/delayed" | wc -l)"
}
