#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: --icount -d igb
# klat-kernels: bookworm/rt-amd64 sid/amd64
# klat-bench: the deterministic machine, and the test-only modules
#
# msi_jitter on the deterministic machine, where a tick is an instruction and a
# nanosecond: an interrupt that is delayed on purpose is late by that much.
#
# What it costs besides: at most NEAR ticks where nothing else is due. What else
# of the kernel's became due while interrupts were off runs first, or in the same
# interrupt: the scheduling tick, every 4 ms, takes about 2,000.

bats_require_minimum_version 1.5.0
load lib/common
load lib/msi_jitter

# Ticks of one cycle, and between the moment when the interrupts go off and the
# place of an interrupt that is due meanwhile
readonly PERIOD=1000000 BEFORE=50000

# So many samples are read while the run goes on, to know where its places are
readonly FIRST=30

# What an interrupt strays by where nothing else is due, and where something is
readonly NEAR=200 COST=6000

# An interrupt that finds the CPU idle has another way than one that finds it
# busy: here it is always busy.
setup()
{
	needs_machine
	in_background chrt -i 0 sh -c 'while :; do :; done'
}

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded msi_jitter klat_spin
}

# delay_each: interrupts off for each line "CYCLE DELAY" of the input, from BEFORE
# ticks before a place to DELAY ticks after it; the place is that of the CYCLE'th
# interrupt after those that are read first. Prints a line "SEQ END" for each:
# the cycle's number, and when interrupts were on again.
delay_each()
{
	local seq time deviation place cycle delay at end

	read -r seq time deviation < <(deviations -N $((FIRST * 32)) | tail -n 1)
	place=$((time - deviation - $(result Phase)))
	while read -r cycle delay; do
		at=$((place + cycle * PERIOD - BEFORE))
		end=$((at + BEFORE + delay))
		put /sys/kernel/debug/klat_spin/spin "$at $((end - at))"
		echo "$((seq + cycle)) $end"
	done
}

# lateness: of each line "SEQ END" of the file "ends": SEQ, how late its interrupt
# was to be, how late it was, and how late the next one was; "none" if it did not
# come. The grid is on another clock than the stamps, and they part by a tick a
# cycle: so the place is told from that of the cycle before.
lateness()
{
	awk -v period=$PERIOD -v phase="$(result Phase)" '
		function of(seq) { return seq in late ? late[seq] : "none" }
		FNR == NR { place[$1] = $2 - $3 - phase; late[$1] = $3; next }
		{ print $1, $2 - (place[$1 - 1] + period), of($1), of($1 + 1) }' \
		"$BATS_TEST_TMPDIR/samples" "$BATS_TEST_TMPDIR/ends"
}

# delayed < "CYCLE DELAY" lines: a run with these delays; its lateness
delayed()
{
	insert klat_spin
	insert msi_jitter irqPeriod=1 runTime=2 verbosity=0 coreSpecIRQ=0
	delay_each > "$BATS_TEST_TMPDIR/ends"
	wait_until is_done
	deviations > "$BATS_TEST_TMPDIR/samples"
	lateness
	remove msi_jitter
	remove klat_spin
}

# late_by EXPECTED FOUND: and no earlier than is exact
late_by()
{
	holds "$2 > $1 - NEAR"
	holds "$2 < $1 + COST"
}

@test "every interrupt is at its place" {
	measure irqPeriod=1 runTime=1 coreSpecIRQ=0
	same 1000 "$(seen)"
	same 0 "$(result 'Missed periods')"
	# all but those that found cold code; one in four may meet the scheduling tick
	deviations | awk -v near=$NEAR -v cost=$COST '
		{ stray = $3 < 0 ? -$3 : $3 }
		stray < near { is_near++ }
		$1 >= 20 && stray > cost { strayed++ }
		END { print is_near + 0, "near,", strayed + 0, "strayed"
		      exit !(is_near > 700 && strayed <= 20) }'
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

# The cycles have all places between two scheduling ticks
@test "interrupts off over a place: late by exactly that" {
	delayed > "$BATS_TEST_TMPDIR/late" <<-'END'
	100 0
	185 1000
	270 100000
	355 400000
	440 200000
	525 700000
	610 50000
	695 300000
	END
	cat "$BATS_TEST_TMPDIR/late"
	same 8 "$(wc -l < "$BATS_TEST_TMPDIR/late")"
	exact=0
	while read -r _ expected found next; do
		late_by "$expected" "$found"
		exact=$((exact + (found < expected + NEAR)))
		holds "-NEAR < $next && $next < NEAR"
	done < "$BATS_TEST_TMPDIR/late"
	holds "$exact >= 4"
	# the one that was delayed the most is the latest of all
	same "$(cut -d' ' -f3 "$BATS_TEST_TMPDIR/late" | sort -n | tail -n 1)" \
		"$(cut -d' ' -f3 "$BATS_TEST_TMPDIR/samples" | sort -n | tail -n 1)"
}

@test "interrupts off over three places: one is late, two are missed" {
	delayed > "$BATS_TEST_TMPDIR/late" <<< "500 $((2 * PERIOD + 200000))"
	cat "$BATS_TEST_TMPDIR/late"
	read -r seq expected found next < "$BATS_TEST_TMPDIR/late"
	late_by "$expected" "$found"
	same none "$next"
	# the first that comes again is the third after it
	same "$((seq + 3))" "$(awk -v seq="$seq" '$1 > seq { print $1; exit }' \
		"$BATS_TEST_TMPDIR/samples")"
	late_by 0 "$(awk -v seq=$((seq + 3)) '$1 == seq { print $3 }' \
		"$BATS_TEST_TMPDIR/samples")"
	# 2000 less the two, and those that were read before
	same $((2000 - 2 - FIRST)) "$(wc -l < "$BATS_TEST_TMPDIR/samples")"
}
