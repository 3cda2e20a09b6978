#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: --icount --cmdline nolapic_timer -t 1200
# klat-kernels: bookworm/amd64
# klat-bench: the deterministic machine
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
	has_machine || return 0
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

# What an NMI takes besides the length that its own stamps say, by a loop of nothing
# but stamps. It is not to the tick: that loop has steps, and the kernel's way into an
# NMI is now and then a few instructions shorter or longer.
readonly NEAR=20

nmi_itself()
{
	echo $(($(cost nmi 2) - $(cost nmi 3) - $(cost nmi 4)))
}

# Shots that come between two cycles, or while the thread sleeps, delay none
@test "a cycle that is delayed takes exactly that much longer, and no other does" {
	insert klat_inject
	itself=$(nmi_itself)
	usual=$(time_of operations=$OPERATIONS)
	uneven | schedule $WIDTH
	measure core=0 verbosity=0 cycles=1000 samples=2 operations=$OPERATIONS
	wait_until shots_came $SHOTS
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	shots | awk -v usual="$usual" -v itself="$itself" -v near=$NEAR '
		# of each shot: when, how long; both are in the order of time
		NR == FNR { at[NR] = $2; takes[NR] = $4; nr = NR; next }
		FNR == 1 { i = 1 }
		{
			while (i <= nr && at[i] < $2 - $3)
				i++
			longer = $3 - usual
			if (i > nr || at[i] > $2) {
				if (longer) { print "longer by itself:", $0; wrong = 1 }
				next
			}
			more = longer - takes[i]
			if (more < itself - near || more > itself + near) {
				print "by", longer, "for", takes[i], "in", $0
				wrong = 1
			}
			hits++
			if (++times[more] > most)
				most = times[more]
		}
		# nearly always it is the very same
		END {
			print hits + 0, "of", nr, "hit,", most + 0, "alike"
			exit wrong || hits < nr / 2 || most < hits * 0.9
		}' - "$BATS_TEST_TMPDIR/raw"
	# the longest of all is the sample's and the session's
	same "$(cut -d' ' -f3 "$BATS_TEST_TMPDIR/raw" | sort -n | tail -n 1)" \
		"$(table_rows | tail -n 1 | cut -d' ' -f5)"
}

@test "the worst list has the cycles that were delayed, and why" {
	subject caterpillar caterpillar
	insert klat_inject
	itself=$(nmi_itself)
	usual=$(time_of operations=$OPERATIONS)
	insert caterpillar autostart=0
	uneven | schedule $WIDTH
	klat_json --cpu 0 --operations $OPERATIONS --cycles 1000 --samples 2
	wait_until shots_came $SHOTS
	jq -r '.series[0].worst[].ticks' <<< "$json" > "$BATS_TEST_TMPDIR/worst"
	same 16 "$(sort -u "$BATS_TEST_TMPDIR/worst" | wc -l)"
	same "$(jq '.series[0].ticks.max' <<< "$json")" "$(head -n 1 "$BATS_TEST_TMPDIR/worst")"
	# each is as long as one of the shots makes it
	shots | awk -v usual="$usual" -v itself="$itself" -v near=$NEAR '
		NR == FNR { takes[NR] = $4; nr = NR; next }
		{
			for (i = 1; i <= nr; i++) {
				more = $1 - usual - takes[i]
				if (more >= itself - near && more <= itself + near)
					break
			}
			if (i > nr) { print "of no shot:", $0; exit 1 }
		}' - "$BATS_TEST_TMPDIR/worst"
	json '[.series[0].worst[].disturbances.nmi] | all(. == 1)' <<< "$json"
}
