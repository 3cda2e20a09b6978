#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0 --native-hotplug -t 1800
# klat-kernels: bookworm/amd64 bookworm/rt-amd64 trixie/amd64 sid/rt-amd64 */arm64 */rt-arm64 debug/*
# klat-needs: tool=msi_jitter nic cpus=2
#
# msi_jitter on one emulated NIC: parameters, results, refusals, coming and
# going. The NIC sits in a slot with PCI Express' own hotplug, where it can also
# be torn out. pciehp polls: where interrupts are threads, its own way of waking its
# thread five seconds after the button wakes another one (seen in 6.1), and the
# device stays where it is.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_jitter

# A run that goes on until it is ended
readonly ENDLESS=(irqPeriod=1 runTime=-1)

# The first load of all makes the kernel say that it is tainted.
setup_file()
{
	load_once msi_jitter
}

setup()
{
	needs_machine
	! on_bench || plugged_in || plug_in
}

teardown()
{
	has_machine || return 0
	end_background
	cpu_online 1
	unload_if_loaded msi_jitter
}

# Every cycle was measured, or is said to have been missed
adds_up()
{
	same "$1" "$(result 'Interrupts asked')"
	same "$1" "$(($(seen) + $(result 'Missed periods')))"
	same 0 "$(result Unanswered)"
}

@test "the results: Max, Avg and Min; 2000 asked, and seen or missed" {
	insert msi_jitter irqPeriod=1 runTime=2 coreSpecIRQ=1
	wait_until is_done
	same "************ RESULTS (ns) ************" "$(head -n 1 "$CURRENT_VALUE")"
	adds_up 2000
	holds "$(seen) > 2"
	holds "0 <= $(result Min)"
	holds "$(result Min) <= $(result Avg)"
	holds "$(result Avg) <= $(result Max)"
	holds "0 < $(result Max)"
}

# An interval strays from its cycles by the difference of its ends' deviations
@test "the results are those of the samples" {
	measure irqPeriod=1 runTime=1
	hz=$(clock_hz)
	deviations > "$BATS_TEST_TMPDIR/deviations"
	same "$(seen)" "$(wc -l < "$BATS_TEST_TMPDIR/deviations")"
	awk -v hz="$hz" -v min="$(result Min)" -v avg="$(result Avg)" -v max="$(result Max)" '
		function ns(ticks) { return ticks * 1e9 / hz }
		function is(name, found, expected) {
			if (found - expected < 2 && expected - found < 2)
				return
			print name, "is", found, "but from the samples", expected
			wrong = 1
		}
		NR > 1 {
			delta = $3 > last ? $3 - last : last - $3
			if (NR == 2 || delta < least)
				least = delta
			if (delta > most)
				most = delta
			sum += delta
		}
		{ last = $3 }
		END {
			is("Min", min, ns(least))
			is("Avg", avg, ns(sum / (NR - 1)))
			is("Max", max, ns(most))
			exit wrong
		}' "$BATS_TEST_TMPDIR/deviations"
}

@test "each sample has its cycle's number, and what has none was missed" {
	insert msi_jitter irqPeriod=1 runTime=2
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	is_done
	adds_up 2000
	same "$(seen)" "$(wc -l < "$BATS_TEST_TMPDIR/raw")"
	# each once and ascending, 0 .. 1999, of early or late, on the chosen CPU
	awk 'NR > 1 && ($1 <= seq || $2 <= time) { exit 1 }
	     $1 > 1999 || $4 != 1 || ($5 != 1 && $5 != 2) { exit 1 }
	     { seq = $1; time = $2 }' "$BATS_TEST_TMPDIR/raw"
}

# The machine may stop for a while at any moment, but half of the time it does not
@test "a cycle's number and its deviation say when it came" {
	measure irqPeriod=2 runTime=2
	hz=$(clock_hz)
	deviations | awk -v period=$((2 * hz / 1000)) '
		{ print $2 - $3 - $1 * period }' | sort -n > "$BATS_TEST_TMPDIR/starts"
	# all count from the same start; a busy host stops the machine now and then
	# between two of its clocks, so the middle half is looked at
	awk -v bound=$((hz / 10000)) '
		{ start[NR] = $1 }
		END { spread = start[int(NR * 3 / 4)] - start[int(NR / 4) + 1]
		      print NR, "starts, spread over", spread
		      exit !(NR > 10 && spread < bound) }' "$BATS_TEST_TMPDIR/starts"
}

@test "every parameter has its documented default" {
	insert msi_jitter
	wait_until has_seen 3
	parameters_are <<-'END'
	autostart:Y
	coreSpecIRQ:1
	irqPeriod:1
	runTime:60
	source:auto
	timer:hrtimer
	verbosity:1
	END
	irq_is_on 1
	same 60000 "$(result 'Interrupts asked')"
}

@test "the interrupt is the module's by name, and the device is held" {
	insert msi_jitter
	same msi_jitter "$(driver_of "$(device)")"
	same "$MESSAGES" "$(messages_of "$(device)")"
	holds "$(irq_number) > 0"
	grep -q msi_jitter /proc/iomem
	same 0 "$(latency_qos | tr -d ' ')"
}

@test "coreSpecIRQ: on that CPU, from the first interrupt on" {
	for cpu in 0 1; do
		run_begins "${ENDLESS[@]}" coreSpecIRQ=$cpu
		irq_is_on $cpu
		holds "$(irq_count $cpu) >= 20"
		same 0 "$(irq_count $((1 - cpu)))"
		same "" "$(kernel_threads msi_jitter)"
		remove msi_jitter
	done
}

@test "irqPeriod and runTime: as many cycles as fit, at least one" {
	while read -r period time cycles; do
		start=$(monotonic_ms)
		measure irqPeriod="$period" runTime="$time"
		adds_up "$cycles"
		holds "$(monotonic_ms) - $start >= $period * $cycles"
		same none "$(driver_of "$(device)")"
		same "" "$(irq_number)"
		remove msi_jitter
	done <<-'END'
	3 1 333
	500 2 4
	1500 1 1
	END
}

@test "runTime below 0: until rmmod, which gives the results" {
	run_begins "${ENDLESS[@]}"
	same without\ end "$(result 'Interrupts asked')"
	goes_on
	log_mark
	remove msi_jitter
	log_has "State: STOPPED (the module was unloaded)"
	same 1 "$(log_count '^\* Max: [0-9]+$')"
}

@test "a timer that the device does not have: EOPNOTSUPP, in words" {
	run -1 insert msi_jitter timer=targettime
	contains "$output" "Operation not supported"
	for timer in targettime tcptimer; do
		refuses msi_jitter timer=$timer -- "timer = $timer: " "$(device)" "hrtimer"
		refuses msi_jitter timer=$timer source=soft -- "timer = $timer: " "hrtimer"
		same none "$(driver_of "$(device)")"
	done
}

@test "source and bdf name the device" {
	address=$(device)
	for parameters in "source=$SOURCE" "bdf=$address" "source=$SOURCE bdf=${address#0000:}"; do
		# shellcheck disable=SC2086 # several parameters
		run_begins "${ENDLESS[@]}" $parameters
		same msi_jitter "$(driver_of "$address")"
		remove msi_jitter
	done
}

@test "source=soft: to its own CPU, without a device" {
	interrupt_names > "$BATS_TEST_TMPDIR/interrupts"
	run_begins "${ENDLESS[@]}" source=soft
	interrupt_names | diff "$BATS_TEST_TMPDIR/interrupts" -
	same none "$(driver_of "$(device)")"
	remove msi_jitter
	measure source=soft irqPeriod=1 runTime=1
	adds_up 1000
}

@test "verbosity=0: nothing" {
	prints_nothing irqPeriod=1 runTime=2
}

@test "verbosity=1: the results as in current_value, once, at the end" {
	prints_the_results irqPeriod=1 runTime=3
}

@test "verbosity=2: also a line a second" {
	prints_each_second "${ENDLESS[@]}"
}

@test "verbosity=3: also samples, not all of them" {
	prints_samples "${ENDLESS[@]}"
}

@test "autostart=0 touches nothing" {
	touches_nothing
}

# Each with the parameter, the value, and what is allowed, in one line
refuse_all()
{
	refuse_each irqPeriod "1 .. 10000 ms" 0 -5 10001 4294967296 "" 1x one &&
	refuse_each runTime "s, or below 0" 0 9223372036854775808 1x &&
	refuse_cpus coreSpecIRQ &&
	refuse_each timer "must be hrtimer, targettime or tcptimer" 0 foo HRTIMER &&
	refuse_each verbosity "0 (nothing), 1 (" 4 -1 &&
	refuse_sources
}

@test "bad values are refused in words, and sixty and more leave nothing behind" {
	remember_machine msi_jitter
	refuse_all
	refuse_again 30 runTime=0
	refuse_again 10 bdf=00:1e.7
	machine_is_as_before msi_jitter
}

@test "good runs leave nothing behind" {
	remember_machine msi_jitter
	measure irqPeriod=1 runTime=1
	remove msi_jitter
	measure irqPeriod=1 runTime=1 source=soft coreSpecIRQ=0
	remove msi_jitter
	insert msi_jitter autostart=0
	remove msi_jitter
	machine_is_as_before msi_jitter
}

@test "rmmod during a run, 50 times, leaves nothing behind" {
	remember_machine msi_jitter
	unload_during_run msi_jitter 34 is_seen "${ENDLESS[@]}" verbosity=2
	unload_during_run msi_jitter 16 is_seen "${ENDLESS[@]}" source=soft verbosity=3
	machine_is_as_before msi_jitter
}

@test "rmmod with a reader blocked in read is refused and harmless" {
	remember_machine msi_jitter
	unload_with_reader msi_jitter "$MODULE_DEVICE" is_running irqPeriod=10000 runTime=-1
	machine_is_as_before msi_jitter
}

take_the_device()
{
	unbind "$(device)"
}

@test "a blocked reader gets the end of the run" {
	blocked_reader_gets_the_end take_the_device irqPeriod=10000 runTime=-1
	state_is FAILED
}

@test "the interrupt's CPU goes offline: FAILED" {
	offline_fails "${ENDLESS[@]}" coreSpecIRQ=1
}

@test "another CPU goes offline: the run goes on" {
	offline_of_another "${ENDLESS[@]}" coreSpecIRQ=0
}

@test "the administrator unbinds the device: FAILED" {
	unbinding_fails "$(device)" "${ENDLESS[@]}"
}

@test "unplugged during a run: FAILED; the module unloads" {
	needs_bench "a device that can be unplugged"
	removal_fails unplug "${ENDLESS[@]}"
}

@test "torn out during a run: FAILED; the module unloads" {
	needs_bench "a device that can be torn out"
	removal_fails tear_out "${ENDLESS[@]}"
}

@test "unplugged and plugged in again: not grabbed" {
	needs_bench "a device that can be unplugged"
	replacement_is_not_taken "${ENDLESS[@]}"
}

@test "a refused insmod gives nobody a file to hold" {
	refused_beside_an_opener msi_jitter timer=targettime
}
