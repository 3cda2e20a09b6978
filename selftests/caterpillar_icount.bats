#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm: --icount --cmdline nolapic_timer -t 600
#
# caterpillar on the deterministic machine, where a tick is an instruction: equal
# work takes equal time, to the tick, and what is taken from it shows to the tick.

# shellcheck disable=SC2154 # set in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/caterpillar
load lib/inject
load lib/klat

teardown()
{
	unload_if_loaded caterpillar klat_inject
}

# times PARAMETERS...: the different values of 1,000 cycles, and how many of each
times()
{
	measure core=0 verbosity=0 cycles=100 samples=10 "$@"
	raw_samples | cut -d' ' -f3 | sort -n | uniq -c | xargs -n 2
	remove caterpillar
}

# time_of PARAMETERS...: what each of the cycles takes
time_of()
{
	local found

	found=$(times "$@")
	same 1 "$(wc -l <<< "$found")" >&2 || return 1
	same 1000 "${found% *}" >&2 || return 1
	echo "${found#* }"
}

@test "1,000 cycles vary by 0 ticks" {
	for walk in permuted stride; do
		# a cycle is less than the buffer, and the buffer several times over
		for buffer in 4K 256K 8M; do
			time_of operations=5000 walk=$walk buffer=$buffer
		done
	done
}

@test "the table says so" {
	measure core=0 verbosity=0 cycles=100 samples=10 operations=5000
	found=$(raw_samples | cut -d' ' -f3 | sort -u)
	same "$(for i in {1..10}; do echo "$found $found 0 $found $found 0 $i 0 0"; done)" \
		"$(table_rows)"
}

# At least the load, the store and the loop; and no operation is left out
@test "every operation is done: each takes the same" {
	one=$(time_of operations=1000)
	two=$(time_of operations=2000)
	three=$(time_of operations=3000)
	same $((two - one)) $((three - two))
	same 0 $(((two - one) % 1000))
	holds "$((two - one)) >= 3000"
	# and what is not an operation is next to nothing: the loop's begin, the stamps
	holds "$one - ($two - $one) <= 10"
}

@test "the way through the buffer costs nothing by itself" {
	same "$(time_of operations=3000 walk=stride)" "$(time_of operations=3000 walk=permuted)"
}

# A cycle of 20,000 operations takes 100,000 ticks; a shot comes in each, at another
# place and of another length, as long as there are any.
readonly OPERATIONS=20000 WIDTH=100000 SHOTS=50

uneven()
{
	local i

	for (( i = 0; i < SHOTS; i++ )); do
		echo "nmi $((30000 + i * 7919 % 60000)) $((i * i * 100))"
	done
}

# What an NMI takes besides what it was asked to, by its own stamps and a loop of
# nothing but stamps, give or take a step of that loop
nmi_itself()
{
	echo $(($(cost nmi 2) - $(cost nmi 3) - $(cost nmi 4)))
}

@test "a cycle that is delayed takes exactly that much longer" {
	insert klat_inject
	itself=$(nmi_itself)
	usual=$(time_of operations=$OPERATIONS)
	insert caterpillar core=0 verbosity=0 cycles=1000 samples=5 operations=$OPERATIONS
	uneven | schedule $WIDTH
	wait_until is_done
	shots_came $SHOTS
	raw_samples | awk -v usual="$usual" '$3 != usual { print $2 - $3, $2, $3 - usual }' \
		> "$BATS_TEST_TMPDIR/longer"
	# BEGIN END LONGER of the cycle, AT LENGTH of the shot
	paste -d' ' "$BATS_TEST_TMPDIR/longer" <(shots | cut -d' ' -f2,4) |
		awk -v shots=$SHOTS -v itself="$itself" '
		NF != 5 || $4 < $1 || $4 > $2 { print "another one:", $0; wrong = 1 }
		NR == 1 { more = $3 - $5 }
		$3 - $5 != more { print "not by as much:", $0; wrong = 1 }
		END {
			off = more - itself
			print "an NMI itself takes", more, "and should", itself
			exit wrong || NR != shots || off < -20 || off > 20
		}'
}

@test "the worst cycles are those that were delayed the most" {
	subject caterpillar caterpillar
	insert klat_inject
	insert caterpillar autostart=0
	uneven | schedule $WIDTH
	klat_json --cpu 0 --operations $OPERATIONS --cycles 1000 --samples 3
	shots_came $SHOTS
	# the 16 that are kept: longest last, by what each is longer than the next
	jq -r '.series[0].worst[].ticks' <<< "$json" | sort -n > "$BATS_TEST_TMPDIR/worst"
	shots | cut -d' ' -f4 | sort -n | tail -n 16 > "$BATS_TEST_TMPDIR/longest"
	paste -d' ' "$BATS_TEST_TMPDIR/worst" "$BATS_TEST_TMPDIR/longest" | awk '
		{ itself = $1 - $2 }
		NF != 2 || (NR > 1 && itself != last) { print; wrong = 1 }
		{ last = itself }
		END { exit wrong || NR != 16 }'
	same "$(tail -n 1 "$BATS_TEST_TMPDIR/worst")" "$(jq '.series[0].ticks.max' <<< "$json")"
	json '[.series[0].worst[].disturbances.nmi] | all(. == 1)' <<< "$json"
}
