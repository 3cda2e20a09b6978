#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm: --icount
#
# caterpillar on the deterministic machine, where a tick is an instruction: equal
# work takes equal time, to the tick.

bats_require_minimum_version 1.5.0
load lib/common
load lib/caterpillar

teardown()
{
	unload_if_loaded caterpillar
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
