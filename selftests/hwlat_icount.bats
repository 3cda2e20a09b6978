#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: --icount --cmdline nolapic_timer -t 1200
# klat-kernels: bookworm/rt-amd64 trixie/amd64
# klat-bench: the deterministic machine, and the test-only modules
#
# hwlat_detector on the deterministic machine, where a tick is an instruction and a
# nanosecond: it finds what was taken from the CPU, all of it and nothing else.

bats_require_minimum_version 1.5.0
load lib/common
load lib/hwlat_detector
load lib/inject

# us, and in ticks. Between two windows there is time for all else that is due, and a
# window that comes late by half of that still looks for all of WIDTH.
readonly WINDOW=3000 WIDTH=2000
readonly WIDTH_TICKS=$((WIDTH * 1000)) REST=$(((WINDOW - WIDTH) * 1000))
# ns; an SMI takes 52
readonly THRESHOLD=40
readonly SHOTS=100
# Places of shots in their windows, in ticks: a window may have come late, and none
# is still going on at its end
readonly FIRST=600000 LAST=1700000
# How far the ends of a gap may lie from what took the time: the loop's own step, of
# up to 14 instructions, and where in it the interrupt came
readonly RESOLUTION=20

# The detector's thread is an ordinary one: what the tests run gives way to it
setup()
{
	needs_machine
	chrt -i -p 0 $$
	insert klat_inject
}

teardown()
{
	has_machine || return 0
	unload_if_loaded hwlat_detector klat_inject
}

# uneven smi|nmi: a schedule of SHOTS, each at another place in its window, and of
# another length, up to 200,000 ticks. 7919 and 31 are primes: the places have no
# period.
uneven()
{
	local i

	for (( i = 0; i < SHOTS; i++ )); do
		echo "$1 $((REST + FIRST + i * 7919 * 31 % (LAST - FIRST))) $((i * i * 20))"
	done
}

# looks_for SECONDS PARAMETERS...: the run, from begin to end, and its gaps in a file
looks_for()
{
	insert hwlat_detector window=$WINDOW width=$WIDTH threshold=$THRESHOLD runTime="$1" \
		"${@:2}"
	parts > "$BATS_TEST_TMPDIR/gaps"
	wait_until is_done
}

# match: shots and gaps beside each other in the file "found", a line "KIND AT LENGTH
# GAP GAP_LENGTH SMI NMI" each, if each gap is an event of CPU 0's by itself
match()
{
	shots > "$BATS_TEST_TMPDIR/shots"
	paste -d ' ' <(cut -d ' ' -f 1,2,4 "$BATS_TEST_TMPDIR/shots") \
		<(cut -d ' ' -f 2,3,6,7 "$BATS_TEST_TMPDIR/gaps") > "$BATS_TEST_TMPDIR/found"
	cat "$BATS_TEST_TMPDIR/found"
	same $SHOTS "$(wc -l < "$BATS_TEST_TMPDIR/shots")"
	same $SHOTS "$(wc -l < "$BATS_TEST_TMPDIR/gaps")"
	same $SHOTS "$(seen)"
	awk '$1 != NR - 1 || $4 != 0 || $5 > 1 || $8 != 1 { print "not by itself:", $0; bad = 1 }
		END { exit bad }' "$BATS_TEST_TMPDIR/gaps"
}

# each_is EMPTY SMI NMI: each gap takes the shot's length and EMPTY ticks more,
# begins when the shot came, and has these counts
each_is()
{
	awk -v empty="$1" -v smi="$2" -v nmi="$3" -v near=$RESOLUTION '
	function far(a, b) { return a - b > near || b - a > near }
	far($2, $4) || far($3 + empty, $5) || $6 != smi || $7 != nmi {
		print "not as injected:", $0, "empty", empty
		bad = 1
	}
	END { exit bad || NR == 0 }' "$BATS_TEST_TMPDIR/found"
}

@test "SMIs: each is found where it was, as long as it was, and as an SMI" {
	empty=$(($(cost smi 2) - $(cost smi 3)))
	holds "$empty > 0"
	uneven smi | schedule $WIDTH_TICKS
	looks_for 1
	match
	each_is "$empty" 1 0
}

@test "NMIs: each is found where it was, as long as it was, and as an NMI" {
	empty=$(($(cost nmi 2) - $(cost nmi 3) - $(cost nmi 4)))
	holds "$empty > 0"
	uneven nmi | schedule $WIDTH_TICKS
	looks_for 1
	match
	each_is "$empty" 0 1
}

@test "nothing injected: nothing found in 10 s" {
	looks_for 10
	same 0 "$(seen)"
	same 0 "$(wc -l < "$BATS_TEST_TMPDIR/gaps")"
	# two thirds, but for windows that came late
	looked=$(result Looked)
	holds "${looked% ns} > 6000000000"
}

# The kernel says, in the NMI itself, that its handler took too long: MESSAGE ticks
@test "a gap of more than 2^32 ticks" {
	long=4500000000 message=50000
	schedule $WIDTH_TICKS <<< "nmi $((REST + FIRST)) $long"
	looks_for 6
	same 1 "$(wc -l < "$BATS_TEST_TMPDIR/gaps")"
	read -r _ _ begin spun < <(shots)
	read -r _ from gap _ _ smi nmi _ < "$BATS_TEST_TMPDIR/gaps"
	holds "$long <= $spun && $spun < $gap && $gap < $spun + $message"
	holds "$from < $begin && $begin < $from + 1000"
	same "0 1" "$smi $nmi"
}
