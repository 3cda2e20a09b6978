#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -t 1200
# klat-kernels: bookworm/amd64 bookworm/cloud-amd64 trixie/rt-amd64 sid/cloud-amd64 */arm64 */rt-arm64 debug/*
# klat-needs: tool=msi_lat cpus=2
#
# msi_lat and klat where there is no NIC: the refusal, and source=soft.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_lat
load lib/klat

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

# count_of WORDS CPU: of the line of /proc/interrupts that ends so; its name differs
# between architectures
count_of()
{
	awk -v words="$1" -v column="$(($2 + 2))" '$0 ~ words "$" { print $column }' \
		/proc/interrupts
}

@test "no NIC: ENODEV, and what to do" {
	needs_no_device
	remember_machine msi_lat
	run -1 insert msi_lat
	contains "$output" "No such device"
	refuses msi_lat -- "no supported device (" "82576" "was found" "source=soft"
	refuses msi_lat source=igb -- "no supported device" "source=soft"
	machine_is_as_before msi_lat
}

@test "source=soft: to another CPU, by its inter-processor interrupt" {
	before=$(count_of "Function call interrupts" 1)
	measure source=soft irqPeriod=1 irqCount=500 coreSpecIRQ=1 coreSpecWQ=0
	same 500 "$(result 'Interrupts asked')"
	same 500 "$(result 'Interrupts seen')"
	same 0 "$(result Unanswered)"
	holds "0 < $(result Max)"
	holds "$(result Min) <= $(result Avg)"
	holds "$(result Avg) <= $(result Max)"
	holds "$(count_of "Function call interrupts" 1) - $before >= 500"
	same 500 "$(raw_samples | awk '$4 == 1' | wc -l)"
}

@test "source=soft: to its own CPU, by irq_work" {
	before=$(count_of "IRQ work interrupts" 1)
	measure source=soft irqPeriod=1 irqCount=500 coreSpecIRQ=1 coreSpecWQ=1
	same 500 "$(result 'Interrupts seen')"
	holds "$(count_of "IRQ work interrupts" 1) - $before >= 500"
	same 500 "$(raw_samples | awk '$4 == 1' | wc -l)"
}

@test "source=soft: served by a thread on the chosen CPU" {
	for trigger in 0 1; do
		insert msi_lat source=soft irqSpec=0 irqPeriod=1 \
			coreSpecIRQ=1 coreSpecWQ=$trigger
		wait_until has_seen 20
		# the trigger's, and the one that serves
		same "$(printf '%s\n' msi_lat/$trigger msi_lat/1)" \
			"$(kernel_threads msi_lat | sort)"
		for thread in $(thread_pid msi_lat/1); do
			thread_is_on "$thread" 1
		done
		remove msi_lat
		measure source=soft irqSpec=0 irqPeriod=1 irqCount=200 \
			coreSpecIRQ=1 coreSpecWQ=$trigger
		contains "$(head -n 1 "$CURRENT_VALUE")" "request to interrupt thread"
		same 200 "$(result 'Interrupts seen')"
		same 200 "$(raw_samples | awk '$4 == 1' | wc -l)"
		remove msi_lat
	done
}

@test "source=soft uses no device and no interrupt of its own" {
	interrupt_names > "$BATS_TEST_TMPDIR/interrupts"
	pci_drivers > "$BATS_TEST_TMPDIR/drivers"
	insert msi_lat source=soft irqPeriod=1
	wait_until has_seen 20
	interrupt_names | diff "$BATS_TEST_TMPDIR/interrupts" -
	pci_drivers | diff "$BATS_TEST_TMPDIR/drivers" -
	same 0 "$(latency_qos | tr -d ' ')"
}

@test "source=soft: blockIRQ keeps the own CPU's interrupts off" {
	ticks=4000000
	measure source=soft irqPeriod=10 irqCount=20 coreSpecIRQ=1 coreSpecWQ=1 blockIRQ=$ticks
	raw_samples | awk -v ticks=$ticks '$3 < ticks { exit 1 }'
}

@test "source=soft: runs, and rmmod in the middle, leave nothing behind" {
	remember_machine msi_lat
	measure source=soft irqPeriod=1 irqCount=50
	remove msi_lat
	unload_during_run msi_lat 10 is_seen source=soft irqPeriod=1
	unload_during_run msi_lat 10 is_seen source=soft irqPeriod=1 irqSpec=0 \
		coreSpecIRQ=0 coreSpecWQ=0
	machine_is_as_before msi_lat
}

@test "source=soft: a CPU that goes offline ends the run" {
	needs disruptive
	for parameters in "coreSpecIRQ=1 coreSpecWQ=0" "coreSpecIRQ=0 coreSpecWQ=1" \
		"coreSpecIRQ=1 coreSpecWQ=1 irqSpec=0"; do
		# shellcheck disable=SC2086 # several parameters
		insert msi_lat source=soft irqPeriod=1 $parameters
		wait_until has_seen 20
		cpu_offline 1
		wait_until state_is FAILED
		contains "$(result State)" "CPU 1 went offline"
		same "" "$(kernel_threads msi_lat)"
		cpu_online 1
		remove msi_lat
	done
}

@test "a full ring loses samples but no statistics, and the numbers say which" {
	measure source=soft irqPeriod=1 irqCount=9000
	same 9000 "$(result 'Interrupts seen')"
	same "$(seq 0 8191)" "$(raw_samples | cut -d' ' -f1)"
}

@test "klat: a reader that sleeps loses samples but no statistics" {
	insert msi_lat autostart=0
	measure_in_background --source soft --period 50us --duration 1h
	kill -STOP "$klat"
	# more than the ring holds, from here on: how many it had read does not matter then
	wait_until has_seen $(($(seen) + 20000))
	kill -INT "$klat"
	kill -CONT "$klat"
	klat_has_ended
	json '.series[0].count == .run.seen' <<< "$json"
	json '.run.samples_lost > 0' <<< "$json"
	json '.run.samples_read + .run.samples_lost == .run.seen' <<< "$json"
}

@test "klat: the histogram holds every value" {
	klat msi-lat --source soft --count 10000 --period 100us --format json |
		json '.series[0] | (.histogram | map(.count) | add) == .count'
	not is_loaded msi_lat
}

@test "klat: no NIC is a skip, in words" {
	needs_no_device
	run --separate-stderr -4 klat msi-lat
	contains "$stderr" "no supported device"
	same "" "$output"
	run --separate-stderr -4 klat msi-lat --format ktap
	contains "$output" "# SKIP"
	not is_loaded msi_lat
}

@test "a refused insmod gives nobody a file to hold" {
	needs_no_device
	refused_beside_an_opener msi_lat source=igb
}

@test "source=soft: a thread that is kept from running is waited for" {
	needs disruptive
	throttling=$(cat /proc/sys/kernel/sched_rt_runtime_us)
	echo -1 > /proc/sys/kernel/sched_rt_runtime_us
	insert msi_lat autostart=0
	# shellcheck disable=SC2016 # for the inner shell
	in_background chrt -f 99 taskset -c 1 bash -c '
		end=$((SECONDS + 4))
		while ((SECONDS < end)); do :; done'
	run klat msi-lat --source soft --mode thread --cpu 1 --trigger-cpu 0 --no-user \
		--period 100ms --count 3 --format json
	echo "$throttling" > /proc/sys/kernel/sched_rt_runtime_us
	json '.run.seen + .run.unanswered <= .run.fired' <<< "$output"
	json '.series | map(select(.name == "service"))[0].count == 3' <<< "$output"
}
