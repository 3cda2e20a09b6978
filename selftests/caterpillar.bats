#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -t 1800
# klat-kernels: bookworm/rt-amd64 trixie/amd64 sid/rt-amd64 */arm64 */rt-arm64 debug/*
# klat-needs: module=caterpillar klat cpus=2
#
# caterpillar: parameters, results, refusals, and what it leaves behind.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/caterpillar

setup_file()
{
	load_once caterpillar
}

teardown()
{
	has_machine || return 0
	end_background
	cpu_online 1
	unload_if_loaded caterpillar
}

@test "the table is that of the raw samples" {
	for walk in permuted stride; do
		measure cycles=100 operations=500 samples=40 walk=$walk buffer=64K
		raw_samples > "$BATS_TEST_TMPDIR/raw"
		same "$(seq 0 3999)" "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/raw")"
		table_from_raw 100 < "$BATS_TEST_TMPDIR/raw" > "$BATS_TEST_TMPDIR/expected"
		table_rows > "$BATS_TEST_TMPDIR/found"
		same 40 "$(wc -l < "$BATS_TEST_TMPDIR/found")"
		same_table "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/found"
		remove caterpillar
	done
}

@test "samples of one cycle have no deviation, the session has" {
	measure cycles=1 operations=500 samples=30
	raw_samples | table_from_raw 1 > "$BATS_TEST_TMPDIR/expected"
	table_rows > "$BATS_TEST_TMPDIR/found"
	same_table "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/found"
	same 0 "$(cut -d' ' -f3 "$BATS_TEST_TMPDIR/found" | sort -u)"
	holds "$(tail -n 1 "$BATS_TEST_TMPDIR/found" | cut -d' ' -f6) > 0"
}

@test "the table says its unit, and has the seed's columns first" {
	measure cycles=10 operations=500 samples=3
	same "Timings are in TSC ticks, $(clock_hz) a second" "$(head -n 1 "$TABLE")"
	same "$COLUMNS SmplSpread SessionSpread" "$(sed -n 2p "$TABLE" | xargs)"
	same 444 "$(stat -c %a "$TABLE")"
}

@test "the table keeps the last 64 lines" {
	measure cycles=2 operations=500 samples=100
	same "$(seq 37 100)" "$(table_rows | cut -d' ' -f7)"
	# the session is all of them
	raw_samples | table_from_raw 2 | tail -n 64 > "$BATS_TEST_TMPDIR/expected"
	table_rows > "$BATS_TEST_TMPDIR/found"
	same_table "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/found"
}

@test "no line for a sample that is not complete" {
	run_begins cycles=10000000 operations=500
	same "" "$(table_rows)"
	not grep -q SampleMin "$CURRENT_VALUE"
}

@test "current_value: the block, and the latest line of the table" {
	measure cycles=50 operations=1000 samples=4
	same 200 "$(result 'Cycles asked')"
	same 200 "$(seen)"
	same "$(table_rows | tail -n 1)" \
		"$(grep -A1 SampleMin "$CURRENT_VALUE" | tail -n 1 | tr -s ' ' | sed 's/^\* //')"
	same "$COLUMNS SmplSpread SessionSpread" \
		"$(grep SampleMin "$CURRENT_VALUE" | sed 's/^\* //' | xargs)"
	# ns there, ticks in the table
	raw_samples | awk -v hz="$(clock_hz)" -v min="$(result Min)" -v max="$(result Max)" '
		function is(ns, ticks) { ns -= ticks * 1e9 / hz; return ns > -1 && ns < 1 }
		NR == 1 || $3 < least { least = $3 }
		$3 > most { most = $3 }
		END { exit !(NR == 200 && is(min, least) && is(max, most)) }'
	same 444 "$(stat -c %a "$CURRENT_VALUE")"
}

# Only a stall of the host makes any, or none
@test "cycles above 10 ms are counted" {
	measure cycles=400 operations=100000 samples=1
	same "$(raw_samples | awk -v hz="$(clock_hz)" '$3 > int(hz / 100 + 0.5)' | wc -l)" \
		"$(result 'Cycles above 10 ms')"
}

@test "every parameter has its documented default" {
	insert caterpillar autostart=0
	parameters_are <<-'END'
	autostart:N
	buffer:2097152
	core:1
	cycles:10000
	operations:50000
	prefetch:1
	samples:200
	verbosity:1
	walk:permuted
	END
}

@test "buffer takes K, M and G" {
	for value in 4096:4096 0x2000:8192 8K:8192 12k:12288 3M:3145728 3m:3145728 1G:1073741824; do
		insert caterpillar autostart=0 "buffer=${value%:*}"
		same "${value#*:}" "$(cat "$PARAMETERS/buffer")"
		remove caterpillar
	done
}

@test "buffers of all kinds of size can be worked on" {
	for buffer in 4K 12K 1028K 2M 5M 64M; do
		measure operations=2000 cycles=20 samples=2 buffer=$buffer
		same 40 "$(seen)"
		remove caterpillar
	done
}

@test "core: the thread works on that CPU, as an ordinary one" {
	for cpu in 0 1; do
		run_begins samples=-1 operations=1000 core=$cpu
		thread_is_on "$(thread_pid caterpillar/$cpu)" $cpu
		same "TS 0" "$(ps -o cls=,ni= -p "$(thread_pid caterpillar/$cpu)" | xargs)"
		same 0 "$(latency_qos | tr -d ' ')"
		remove caterpillar
		measure operations=1000 cycles=50 samples=2 core=$cpu
		raw_samples | awk -v cpu=$cpu '$4 != cpu || $5 != 0 { exit 1 }'
		remove caterpillar
	done
}

@test "others on its CPU get their turn, also those that only want what is left" {
	run_begins samples=-1 operations=20000 core=1
	for policy in -o -i; do
		timeout 60 taskset -c 1 chrt $policy 0 sh -c ':'
	done
	goes_on
}

@test "cycles do not overlap, and no time of theirs is counted twice" {
	measure operations=1000 cycles=2000 samples=1
	raw_samples | awk '
		NR > 1 && $2 - $3 < last { print "overlaps:", $0; wrong = 1 }
		{ last = $2 }
		END { exit wrong || NR != 2000 }'
}

@test "samples=-1: until rmmod, which gives the results" {
	run_begins samples=-1 operations=1000
	goes_on
	same "without end" "$(result 'Cycles asked')"
	log_mark
	remove caterpillar
	log_has "State: STOPPED (the module was unloaded)"
	same 1 "$(log_count '^\* Max: [0-9]+$')"
}

@test "verbosity" {
	prints_nothing operations=1000 cycles=100 samples=2
	prints_the_results operations=5000 cycles=1000 samples=3
	prints_each_second operations=20000 cycles=100 samples=-1
	prints_samples operations=1000 samples=-1
}

# told: the rows in the log
told()
{
	log_since | sed -n 's/^caterpillar:  *\([0-9][0-9 ]*\)$/\1/p' | tr -s ' '
}

has_told()
{
	holds "$(told | wc -l) >= $1"
}

@test "verbosity=2: lines of the table, one a second at the most" {
	log_mark
	start=$(monotonic_ms)
	insert caterpillar verbosity=2 operations=1000 cycles=1 samples=-1
	wait_until has_told 3
	remove caterpillar
	holds "($(told | wc -l) - 1) * 1000 <= $(monotonic_ms) - $start"
	same 1 "$(log_count '^caterpillar:  *SampleMin')"
	# one at a time, of growing numbers
	told | awk 'NF != 9 || $7 <= last { exit 1 } { last = $7 }'
	# slow ones are all told; they are those of the table
	log_mark
	measure verbosity=2 operations=20000 cycles=10 samples=1
	same "$(table_rows)" "$(told)"
}

@test "autostart=0 touches nothing" {
	touches_nothing
	insert caterpillar autostart=0
	same "" "$(table_rows)"
}

@test "a trace event for every cycle" {
	events=/sys/kernel/tracing/events/caterpillar/caterpillar_cycle
	echo > /sys/kernel/tracing/trace
	echo 1 > /sys/kernel/tracing/tracing_on
	insert caterpillar operations=20000 cycles=8000 samples=1
	echo 1 > $events/enable
	wait_until is_done
	grep -o 'caterpillar_cycle: seq=[0-9]* stamp=[0-9]* value=[0-9]*' \
		/sys/kernel/tracing/trace |
		sed 's/.*seq=\(.*\) stamp=\(.*\) value=\(.*\)/\1 \2 \3/' > "$BATS_TEST_TMPDIR/events"
	echo > /sys/kernel/tracing/trace
	nr=$(wc -l < "$BATS_TEST_TMPDIR/events")
	holds "$nr > 100"
	# all from the first one on, with the samples' figures
	raw_samples | tail -n "$nr" | cut -d' ' -f1-3 | diff - "$BATS_TEST_TMPDIR/events"
}

# half_available: bytes
half_available()
{
	awk '/^MemAvailable:/ { printf "%d\n", $2 * 512 }' /proc/meminfo
}

# may_refuse BYTES: that much is more than is refused
may_refuse()
{
	on_bench || (( $(half_available) < $1 )) ||
		skip "half of the memory that is available is more than $1 bytes"
	holds "$(half_available) < $1"
}

refuse_values()
{
	refuse_each cycles "1 .. 10000000" 0 -1 10000001 4294967297 x
	refuse_each operations "1 .. 10000000" 0 -1 10000001 4294967297 x
	refuse_each samples "1 .. 9223372036854775807, or below 0" 0 9223372036854775808 x
	refuse_each buffer "a multiple of 4096 bytes, 4K .. 1G" 0 4095 4097 1000000 -4096 1025M \
		2G 18014398509481985K 17179869185G 99999999999999999999 K 4Kx 4KK "" x
	refuse_each walk "permuted or stride" "" x PERMUTED permute 0
	refuse_each prefetch "0 or 1" -1 2
	refuse_each verbosity "0 (nothing), 1 (" -1 4
	refuse_cpus core
}

@test "values are refused in words, and nothing is left behind" {
	remember_machine caterpillar
	refuse_values
	machine_is_as_before caterpillar
}

@test "a buffer of more than half of the memory is refused" {
	remember_machine caterpillar
	may_refuse $((1000 * 1048576))
	refuses caterpillar buffer=1000M -- \
		"buffer = 1048576000: " "half of the memory that is available" "bytes"
	machine_is_as_before caterpillar
}

@test "a cycle of more than 10 ms is refused, with the time it takes" {
	remember_machine caterpillar
	for walk in permuted stride; do
		refuses caterpillar operations=10000000 walk=$walk -- \
			"operations = 10000000: a cycle takes about" "at most 10000 us"
		holds "$(log_since | sed -n 's/.*takes about \([0-9]*\) us.*/\1/p') > 10000"
	done
	machine_is_as_before caterpillar
}

# QEMU's CPU is no model of Intel's that is known, and has no such register
@test "prefetch=0 is refused where the CPU has no switch" {
	needs_bench "a CPU without the switch"
	remember_machine caterpillar
	refuses caterpillar prefetch=0 -- "no prefetch: " "CPU"
	machine_is_as_before caterpillar
}

# The machine has memory for a few of these buffers, not for all of each kind
@test "the memory is given back, after runs and after refusals" {
	buffer=(walk=stride buffer=128M)
	needs_bench "a CPU without a switch for the prefetchers"
	holds "$(half_available) < 3 * 134217728"
	for _ in {1..8}; do
		measure operations=1000 cycles=10 samples=1 "${buffer[@]}"
		remove caterpillar
		run_begins operations=1000 samples=-1 "${buffer[@]}"
		remove caterpillar
		refuses caterpillar operations=10000000 "${buffer[@]}" -- "takes about"
		refuses caterpillar prefetch=0 "${buffer[@]}" -- "no prefetch"
	done
}

@test "rmmod during a run, 50 times, leaves nothing behind" {
	remember_machine caterpillar
	unload_during_run caterpillar 30 is_seen samples=-1 operations=1000
	unload_during_run caterpillar 20 is_seen samples=-1 operations=5000 walk=stride \
		verbosity=3 cycles=1 buffer=8M
	machine_is_as_before caterpillar
}

@test "readers that are killed leave the run alone, and rmmod waits for them" {
	remember_machine caterpillar
	run_begins samples=-1 operations=5000
	for _ in {1..10}; do
		in_background od -An -v -td8 -w32 "$MODULE_DEVICE" > /dev/null
		wait_until fuser_of "$MODULE_DEVICE"
		not rmmod caterpillar 2> /dev/null
		end_background
		goes_on
	done
	remove caterpillar
	machine_is_as_before caterpillar
}

# fuser_of FILE: somebody has it open
fuser_of()
{
	find /proc/[0-9]*/fd -lname "$1" 2> /dev/null | grep -q .
}

@test "good runs leave nothing behind" {
	remember_machine caterpillar
	measure operations=1000 cycles=100 samples=2
	remove caterpillar
	measure operations=1000 cycles=100 samples=2 core=0 walk=stride buffer=64M
	remove caterpillar
	machine_is_as_before caterpillar
}

@test "the CPU goes offline: FAILED" {
	offline_fails samples=-1 operations=5000 core=1
}

@test "the CPU does not go offline after all: the thread is back on it" {
	stays_pinned samples=-1 operations=5000 core=1
}

@test "another CPU goes offline: the run goes on" {
	offline_of_another samples=-1 operations=5000 core=0
}

@test "a CPU that is gone is not worked on" {
	needs disruptive
	insert caterpillar autostart=0 core=1
	remove caterpillar
	cpu_offline 1
	measure operations=1000 cycles=10 samples=1
	same 0 "$(cat "$PARAMETERS/core")"
}

@test "an opener at the wrong moment gets nothing of a module that fails to load" {
	refused_beside_an_opener caterpillar operations=10000000
}
