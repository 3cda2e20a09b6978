#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm: -c 2 -d igb -t 900
#
# msi_lat on one emulated NIC: parameters, results, refusals, coming and going.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_lat
load lib/klat

# The first load of all makes the kernel say that it is tainted.
setup_file()
{
	insert msi_lat autostart=0
	remove msi_lat
}

teardown()
{
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
	holds "0 < $(result Min)"
	holds "$(result Min) <= $(result Avg)"
	holds "$(result Avg) <= $(result Max)"
	same 444 "$(stat -c %a "$CURRENT_VALUE")"
}

@test "the results are those of the samples" {
	measure irqPeriod=1 irqCount=300
	hz=$(module_info clock_hz)
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
	grep -H . "$PARAMETERS"/* | sed 's|.*/||' > "$BATS_TEST_TMPDIR/found"
	diff - "$BATS_TEST_TMPDIR/found" <<-'END'
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
	# at the default of 10 ms it would take 20 s
	start=$(monotonic_ms)
	measure irqPeriod=1 irqCount=2000
	holds "$(monotonic_ms) - $start < 20000"
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
	seen=$(result 'Interrupts seen')
	wait_until has_seen $((seen + 100))
	is_running
	log_mark
	remove msi_lat
	log_has "State: STOPPED (the module was unloaded)"
	same 1 "$(log_count '^\* Max: [0-9]+$')"
}

@test "blockIRQ raises the latency of its own CPU by that, and of no other" {
	ticks=4000000
	measure irqPeriod=10 irqCount=20 coreSpecIRQ=1 coreSpecWQ=1
	least=$(raw_samples | awk '{ print $3 }' | sort -n | head -n 1)
	holds "$least < $ticks"
	remove msi_lat
	measure irqPeriod=10 irqCount=20 coreSpecIRQ=1 coreSpecWQ=1 blockIRQ=$ticks
	least=$(raw_samples | awk '{ print $3 }' | sort -n | head -n 1)
	holds "$least >= $ticks"
	remove msi_lat
	measure irqPeriod=10 irqCount=20 coreSpecIRQ=1 coreSpecWQ=0 blockIRQ=$ticks
	least=$(raw_samples | awk '{ print $3 }' | sort -n | head -n 1)
	holds "$least < $ticks"
}

@test "offsetStart is taken off what is published, not off the samples" {
	offset=5000
	measure irqPeriod=1 irqCount=200 offsetStart=$offset
	hz=$(module_info clock_hz)
	raw_samples | awk -v hz="$hz" -v offset=$offset -v max="$(result Max)" '
		$3 > most { most = $3 }
		END {
			expected = most * 1e9 / hz - offset
			print "Max:", max, "expected:", expected
			exit !(max - expected < 2 && expected - max < 2)
		}'
}

@test "offsetStart: what it clips is 0 and counted" {
	measure irqPeriod=1 irqCount=200 offsetStart=1000000000
	same 0 "$(result Min)"
	same 0 "$(result Max)"
	same 200 "$(result 'Clipped to 0 by offsetStart')"
	raw_samples | awk '$3 <= 0 { exit 1 }'
	remove msi_lat
	measure irqPeriod=1 irqCount=200
	same "" "$(result 'Clipped to 0 by offsetStart')"
}

@test "verbosity=0: nothing" {
	log_mark
	measure verbosity=0 irqPeriod=1 irqCount=1500
	remove msi_lat
	same 0 "$(log_count 'msi_lat|^\*')"
}

@test "verbosity=1: the results as in current_value, once, at the end" {
	log_mark
	insert msi_lat verbosity=1 irqPeriod=1 irqCount=1500
	wait_until has_seen 100
	same 0 "$(log_count 'msi_lat:|^\*')"
	wait_until is_done
	wait_until log_has "State: DONE"
	same "$(grep . "$CURRENT_VALUE")" "$(log_since | grep '^\*')"
	remove msi_lat
	same 1 "$(log_count RESULTS)"
	same 0 "$(log_count 'msi_lat: (seen|sample)')"
}

@test "verbosity=2: also a line a second" {
	log_mark
	start=$(monotonic_ms)
	insert msi_lat verbosity=2 irqPeriod=1
	wait_until log_has "msi_lat: seen"
	same 0 "$(log_count RESULTS)"
	wait_until has_seen 3000
	remove msi_lat
	holds "$(log_count 'msi_lat: seen [0-9]+, ns: max [0-9]+, avg [0-9]+, min [0-9]+') >= 2"
	holds "$(log_count 'msi_lat: seen') * 1000 <= $(monotonic_ms) - $start"
	same 0 "$(log_count 'msi_lat: sample')"
	same 1 "$(log_count RESULTS)"
}

@test "verbosity=3: also samples, not all of them" {
	log_mark
	insert msi_lat verbosity=3 irqPeriod=1
	wait_until has_seen 2000
	seen=$(result 'Interrupts seen')
	remove msi_lat
	told=$(log_count 'msi_lat: sample [0-9]+: [0-9]+ ns')
	holds "$told > 1"
	holds "$told < $seen / 2"
	holds "$(log_count 'msi_lat: seen') >= 1"
	same 1 "$(log_count RESULTS)"
}

@test "source=igb and bdf name the device" {
	measure irqPeriod=1 irqCount=20 source=igb
	remove msi_lat
	address=$(nic)
	measure irqPeriod=1 irqCount=20 "bdf=$address"
	remove msi_lat
	measure irqPeriod=1 irqCount=20 source=igb "bdf=${address#0000:}"
	same 20 "$(result 'Interrupts seen')"
}

@test "autostart=0 touches nothing" {
	hardware_state > "$BATS_TEST_TMPDIR/before"
	insert msi_lat autostart=0
	hardware_state | diff "$BATS_TEST_TMPDIR/before" -
	same IDLE "$(result State)"
	grep -q "no data" "$CURRENT_VALUE"
	same none "$(driver_of "$(nic)")"
	[[ -c $MSI_LAT_DEVICE ]]
	same 600 "$(stat -c %a "$MSI_LAT_DEVICE")"
	same "" "$(kernel_threads msi_lat)"
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
	local value

	for value in 0 -5 3600001 4294967296 "" 1x one; do
		refuses_value msi_lat irqPeriod "$value" "1 .. 3600000 ms"
	done
	for value in 0 9223372036854775808; do
		refuses_value msi_lat irqCount "$value" "1 .. 9223372036854775807, or below 0"
	done
	for value in 999 -1 2 4294967296; do
		refuses_value msi_lat coreSpecIRQ "$value" "an online CPU (online: 0-1)"
		refuses_value msi_lat coreSpecWQ "$value" "an online CPU (online: 0-1)"
	done
	cpu_offline 1
	refuses_value msi_lat coreSpecIRQ 1 "an online CPU (online: 0)"
	refuses_value msi_lat coreSpecWQ 1 "an online CPU (online: 0)"
	cpu_online 1
	for value in 2 -1; do
		refuses_value msi_lat irqSpec "$value" "0 (thread) or 1 (hard interrupt)"
	done
	for value in 4 -1; do
		refuses_value msi_lat verbosity "$value" "0 (nothing), 1 ("
	done
	for value in -1 1000000001; do
		refuses_value msi_lat offsetStart "$value" "0 .. 1000000000 ns"
	done
	for value in -1 10000001; do
		refuses_value msi_lat blockIRQ "$value" "0 .. 10000000 clock ticks"
	done
	for value in foo IGB igbx; do
		refuses_value msi_lat source "$value" "must be auto, igb"
	done
	for value in zz 00:02 00:02.8 00:20.0 100:00.0 00:02.0x; do
		refuses_value msi_lat bdf "$value" "[DDDD:]BB:DD.F"
	done
	refuses_value msi_lat bdf 0000:00:02.000000 "at most 15 characters"
	refuses_value msi_lat bdf 00:00.0 "not supported"
	refuses_value msi_lat bdf 00:1e.7 "no such device"
	refuses msi_lat source=soft bdf=00:02.0 -- "bdf = 00:02.0: " "no device"
}

@test "bad values are refused in words, and sixty and more leave nothing behind" {
	remember_machine msi_lat
	refuse_all
	refuse_all
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
	unload_with_reader msi_lat "$MSI_LAT_DEVICE" is_running irqPeriod=3600000
	machine_is_as_before msi_lat
}

@test "a blocked reader gets the end of the run" {
	insert msi_lat irqPeriod=3600000
	in_background cat "$MSI_LAT_DEVICE"
	reader=$!
	wait_until reads_asleep "$reader" "$MSI_LAT_DEVICE"
	unbind "$(nic)"
	wait "$reader"
	state_is FAILED
}

@test "a reader gets every sample of a run, in order" {
	insert msi_lat irqPeriod=1 irqCount=1000
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	is_done
	same "$(seq 0 999)" "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/raw")"
	awk '$2 <= last { exit 1 } { last = $2 }' "$BATS_TEST_TMPDIR/raw"
}

# offline_fails PARAMETERS...: CPU 1 goes while it is in use.
offline_fails()
{
	remember_machine msi_lat
	insert msi_lat irqPeriod=1 "$@"
	wait_until has_seen 20
	log_mark
	cpu_offline 1
	wait_until state_is FAILED
	contains "$(result State)" "CPU 1 went offline"
	log_has "State: FAILED (CPU 1 went offline)"
	same none "$(driver_of "$(nic)")"
	same "" "$(kernel_threads msi_lat)"
	cpu_online 1
	remove msi_lat
	machine_is_as_before msi_lat
}

@test "the interrupt's CPU goes offline: FAILED" {
	offline_fails coreSpecIRQ=1 coreSpecWQ=0
}

@test "the interrupt thread's CPU goes offline: FAILED" {
	offline_fails coreSpecIRQ=1 coreSpecWQ=0 irqSpec=0
}

@test "the trigger's CPU goes offline: FAILED" {
	offline_fails coreSpecIRQ=0 coreSpecWQ=1
}

@test "another CPU goes offline: the run goes on" {
	insert msi_lat irqPeriod=1 coreSpecIRQ=0 coreSpecWQ=0
	wait_until has_seen 20
	cpu_offline 1
	seen=$(result 'Interrupts seen')
	wait_until has_seen $((seen + 50))
	is_running
}

@test "the administrator unbinds the device: FAILED" {
	remember_machine msi_lat
	insert msi_lat irqPeriod=1
	wait_until has_seen 20
	unbind "$(nic)"
	wait_until state_is FAILED
	contains "$(result State)" "device lost"
	remove msi_lat
	machine_is_as_before msi_lat
}
