#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm igb: -c 2 -d igb -t 1800
# klat-vm e1000e on all:bookworm/rt-amd64: -c 2 -d e1000e -t 1800
# klat-vm edu on all:bookworm/rt-amd64: -c 2 -d edu -t 1800
# klat-kernels: */amd64 */rt-amd64 */arm64 */rt-arm64 debug/*
# klat-needs: tool=msi_lat nic cpus=2
#
# msi_lat on one emulated device: parameters, results, refusals, coming and going.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_lat

# The first load of all makes the kernel say that it is tainted.
setup_file()
{
	load_once msi_lat
}

teardown()
{
	has_machine || return 0
	end_background
	cpu_online 1
	unload_if_loaded msi_lat
}

@test "the results: Max, Avg and Min, 500 asked and 500 seen" {
	measure irqPeriod=1 irqCount=500 coreSpecIRQ=1 irqSpec=1
	same "************ RESULTS (ns) ************" "$(head -n 1 "$CURRENT_VALUE")"
	same 500 "$(result 'Interrupts asked')"
	same 500 "$(result 'Interrupts seen')"
	same 0 "$(result Unanswered)"
	holds "0 < $(result Max)"
	holds "$(result Min) <= $(result Avg)"
	holds "$(result Avg) <= $(result Max)"
	same 444 "$(stat -c %a "$CURRENT_VALUE")"
}

@test "the results are those of the samples" {
	measure irqPeriod=1 irqCount=300
	hz=$(clock_hz)
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	same 300 "$(wc -l < "$BATS_TEST_TMPDIR/raw")"
	awk -v hz="$hz" -v min="$(result Min)" -v avg="$(result Avg)" -v max="$(result Max)" '
		function ns(ticks) { return ticks * 1e9 / hz }
		function is(name, found, expected) {
			if (found - expected < 2 && expected - found < 2)
				return
			print name, "is", found, "but from the samples", expected
			wrong = 1
		}
		$1 != NR - 1 { print "number", $1, "in line", NR; wrong = 1 }
		NR == 1 || $3 < least { least = $3 }
		$3 > most { most = $3 }
		{ sum += $3 }
		END {
			is("Min", min, ns(least))
			is("Avg", avg, ns(sum / NR))
			is("Max", max, ns(most))
			exit wrong
		}' "$BATS_TEST_TMPDIR/raw"
}

@test "every parameter has its documented default" {
	insert msi_lat
	wait_until has_seen 3
	parameters_are <<-'END'
	autostart:Y
	blockIRQ:0
	coreSpecIRQ:1
	coreSpecWQ:0
	irqCount:-1
	irqPeriod:10
	irqSpec:1
	offsetStart:0
	source:auto
	verbosity:1
	END
	irq_is_on 1
	same without\ end "$(result 'Interrupts asked')"
}

@test "the interrupt is the module's by name, and the device is held" {
	insert msi_lat
	same msi_lat "$(driver_of "$(nic)")"
	same "$MESSAGES" "$(messages_of "$(nic)")"
	holds "$(irq_number) > 0"
	grep -q msi_lat /proc/iomem
	same 0 "$(latency_qos | tr -d ' ')"
}

@test "coreSpecIRQ and coreSpecWQ: each on its CPU, from the first interrupt on" {
	for irq in 0 1; do
		for trigger in 0 1; do
			insert msi_lat irqPeriod=1 coreSpecIRQ=$irq coreSpecWQ=$trigger
			wait_until has_seen 50
			irq_is_on $irq
			holds "$(irq_count $irq) >= 50"
			same 0 "$(irq_count $((1 - irq)))"
			thread_is_on "$(thread_pid msi_lat/$trigger)" $trigger
			same "" "$(thread_pid msi_lat/$((1 - trigger)))"
			remove msi_lat
		done
	done
}

@test "irqSpec=1: no interrupt thread" {
	insert msi_lat irqPeriod=1 irqSpec=1
	wait_until has_seen 10
	same "" "$(thread_pid "irq/$(irq_number)-msi_lat")"
}

@test "irqSpec=0: a thread on the chosen CPU, and the results say so" {
	for cpu in 0 1; do
		insert msi_lat irqPeriod=1 irqSpec=0 coreSpecIRQ=$cpu coreSpecWQ=$((1 - cpu))
		wait_until has_seen 20
		thread=$(thread_pid "irq/$(irq_number)-msi_lat")
		wait_until thread_is_on "$thread" $cpu
		contains "$(head -n 1 "$CURRENT_VALUE")" "request to interrupt thread"
		remove msi_lat
		measure irqPeriod=1 irqCount=50 irqSpec=0 coreSpecIRQ=$cpu
		raw_samples | awk -v cpu=$cpu '$4 != cpu { exit 1 }'
		remove msi_lat
	done
}

@test "irqPeriod is the time from one to the next" {
	start=$(monotonic_ms)
	measure irqPeriod=200 irqCount=5
	holds "$(monotonic_ms) - $start >= 1000"
	remove msi_lat
	# what a busy machine has made too late is no period that was too long
	measure irqPeriod=1 irqCount=2000
	raw_samples | awk -v hz="$(clock_hz)" -v missed="$(result 'Missed periods')" '
		NR == 1 { first = $2 }
		{ ms = ($2 - first) / hz * 1000 }
		END {
			print ms, "ms for", NR - 1 + missed, "periods"
			exit !(NR == 2000 && ms < 5 * (NR - 1 + missed))
		}'
}

@test "irqCount=N: that many, then the device is free again" {
	measure irqPeriod=1 irqCount=7
	same 7 "$(result 'Interrupts asked')"
	same 7 "$(result 'Interrupts seen')"
	same none "$(driver_of "$(nic)")"
	same "" "$(irq_number)"
	same 7 "$(raw_samples | wc -l)"
}

@test "irqCount=-1: until rmmod, which gives the results" {
	insert msi_lat irqPeriod=1 irqCount=-1
	wait_until has_seen 300
	goes_on
	log_mark
	remove msi_lat
	log_has "State: STOPPED (the module was unloaded)"
	same 1 "$(log_count '^\* Max: [0-9]+$')"
}

@test "blockIRQ raises the latency of its own CPU by that, and of no other" {
	ticks=10000000
	measure irqPeriod=10 irqCount=50 coreSpecIRQ=1 coreSpecWQ=1
	least=$(raw_samples | awk '{ print $3 }' | sort -n | head -n 1)
	holds "$least < $ticks"
	remove msi_lat
	measure irqPeriod=10 irqCount=20 coreSpecIRQ=1 coreSpecWQ=1 blockIRQ=$ticks
	least=$(raw_samples | awk '{ print $3 }' | sort -n | head -n 1)
	holds "$least >= $ticks"
	remove msi_lat
	measure irqPeriod=10 irqCount=50 coreSpecIRQ=1 coreSpecWQ=0 blockIRQ=$ticks
	least=$(raw_samples | awk '{ print $3 }' | sort -n | head -n 1)
	holds "$least < $ticks"
}

@test "offsetStart is taken off what is published, not off the samples" {
	offset=5000
	measure irqPeriod=1 irqCount=200 offsetStart=$offset
	hz=$(clock_hz)
	# the offset is one in ticks
	raw_samples | awk -v hz="$hz" -v offset=$offset -v max="$(result Max)" '
		$3 > most { most = $3 }
		END {
			expected = most * 1e9 / hz - offset
			most_off = 1e9 / hz / 2 + 1
			print "Max:", max, "expected:", expected
			exit !(max - expected < most_off && expected - max < most_off)
		}'
}

@test "offsetStart: what it clips is 0 and counted" {
	measure irqPeriod=1 irqCount=200 offsetStart=1000000000
	same 0 "$(result Min)"
	same 0 "$(result Max)"
	same 200 "$(result 'Clipped to 0 by offsetStart')"
	raw_samples | awk '$3 > 0 { raw++ } END { exit !(raw > 100) }'
	remove msi_lat
	measure irqPeriod=1 irqCount=200
	same "" "$(result 'Clipped to 0 by offsetStart')"
}

@test "verbosity=0: nothing" {
	prints_nothing irqPeriod=1 irqCount=1500
}

@test "verbosity=1: the results as in current_value, once, at the end" {
	prints_the_results irqPeriod=1 irqCount=5000
}

@test "verbosity=2: also a line a second" {
	prints_each_second irqPeriod=1
}

@test "verbosity=3: also samples, not all of them" {
	prints_samples irqPeriod=1
}

@test "source and bdf name the device" {
	measure irqPeriod=1 irqCount=20 "source=$SOURCE"
	remove msi_lat
	address=$(nic)
	measure irqPeriod=1 irqCount=20 "bdf=$address"
	remove msi_lat
	measure irqPeriod=1 irqCount=20 "source=$SOURCE" "bdf=${address#0000:}"
	same 20 "$(result 'Interrupts seen')"
}

@test "autostart=0 touches nothing" {
	touches_nothing
}

@test "one interrupt for each request, and none besides" {
	(( ! SPURIOUS )) || skip "QEMU's $SOURCE sends messages of itself"
	insert msi_lat autostart=0
	for mode in hard thread; do
		klat msi-lat --count 1000 --mode $mode --format json \
			> "$BATS_TEST_TMPDIR/json" || :
		json '.run.seen == 1000 and .run.fired == 1000' < "$BATS_TEST_TMPDIR/json"
		json '.run.unexpected == 0 and .run.unanswered == 0' < "$BATS_TEST_TMPDIR/json"
	done
}

@test "a trace event for every sample" {
	insert msi_lat autostart=0
	events=/sys/kernel/tracing/events/msi_lat/msi_lat_sample
	echo > /sys/kernel/tracing/trace
	echo 1 > /sys/kernel/tracing/tracing_on
	echo 1 > $events/enable
	klat msi-lat --count 200 --format json > "$BATS_TEST_TMPDIR/json" || :
	echo 0 > $events/enable
	grep -o 'msi_lat_sample: seq=[0-9]* stamp=[0-9]* value=[0-9]*' \
		/sys/kernel/tracing/trace > "$BATS_TEST_TMPDIR/events"
	same 200 "$(wc -l < "$BATS_TEST_TMPDIR/events")"
	# each has its number, and the largest is the series' largest
	same "$(seq 0 199)" "$(sed 's/.*seq=\([0-9]*\).*/\1/' "$BATS_TEST_TMPDIR/events")"
	same "$(jq '.series[0].ticks.max' "$BATS_TEST_TMPDIR/json")" \
		"$(sed 's/.*value=//' "$BATS_TEST_TMPDIR/events" | sort -n | tail -n 1)"
	echo > /sys/kernel/tracing/trace
}

# Each with the parameter, the value, and what is allowed, in one line
refuse_all()
{
	refuse_each irqPeriod "1 .. 3600000 ms" 0 -5 3600001 4294967296 "" 1x one &&
	refuse_each irqCount "1 .. 9223372036854775807, or below 0" 0 9223372036854775808 &&
	refuse_cpus coreSpecIRQ coreSpecWQ &&
	refuse_each irqSpec "0 (thread) or 1 (hard interrupt)" 2 -1 &&
	refuse_each verbosity "0 (nothing), 1 (" 4 -1 &&
	refuse_each offsetStart "0 .. 1000000000 ns" -1 1000000001 &&
	refuse_each blockIRQ "0 .. 10000000 clock ticks" -1 10000001 &&
	refuse_sources
}

@test "bad values are refused in words, and sixty and more leave nothing behind" {
	remember_machine msi_lat
	refuse_all
	refuse_again 30 irqCount=0
	refuse_again 10 bdf=00:1e.7
	machine_is_as_before msi_lat
}

@test "good runs leave nothing behind" {
	remember_machine msi_lat
	measure irqPeriod=1 irqCount=100
	remove msi_lat
	measure irqPeriod=1 irqCount=100 irqSpec=0 coreSpecIRQ=0
	remove msi_lat
	insert msi_lat autostart=0
	remove msi_lat
	machine_is_as_before msi_lat
}

@test "rmmod during a run, 50 times, leaves nothing behind" {
	remember_machine msi_lat
	unload_during_run msi_lat 34 is_seen irqPeriod=1 verbosity=2
	unload_during_run msi_lat 16 is_seen irqPeriod=1 irqSpec=0 verbosity=3
	machine_is_as_before msi_lat
}

@test "rmmod with a reader blocked in read is refused and harmless" {
	remember_machine msi_lat
	unload_with_reader msi_lat "$MODULE_DEVICE" is_running irqPeriod=3600000
	machine_is_as_before msi_lat
}

take_the_device()
{
	unbind "$(nic)"
}

@test "a blocked reader gets the end of the run" {
	blocked_reader_gets_the_end take_the_device irqPeriod=3600000
	state_is FAILED
}

@test "a reader gets every sample of a run, in order" {
	insert msi_lat irqPeriod=1 irqCount=1000
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	is_done
	same "$(seq 0 999)" "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/raw")"
	awk '$2 < last { exit 1 } { last = $2 }' "$BATS_TEST_TMPDIR/raw"
}

@test "the interrupt's CPU goes offline: FAILED" {
	offline_fails irqPeriod=1 coreSpecIRQ=1 coreSpecWQ=0
}

@test "the interrupt thread's CPU goes offline: FAILED" {
	offline_fails irqPeriod=1 coreSpecIRQ=1 coreSpecWQ=0 irqSpec=0
}

@test "the trigger's CPU goes offline: FAILED" {
	offline_fails irqPeriod=1 coreSpecIRQ=0 coreSpecWQ=1
}

@test "the trigger's CPU does not go offline after all: the thread is back on it" {
	stays_pinned irqPeriod=1 coreSpecIRQ=0 coreSpecWQ=1
}

@test "another CPU goes offline: the run goes on" {
	offline_of_another irqPeriod=1 coreSpecIRQ=0 coreSpecWQ=0
}

@test "the administrator unbinds the device: FAILED" {
	unbinding_fails "$(nic)" irqPeriod=1
}
