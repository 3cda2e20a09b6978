#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -d igb -t 1200
# klat-kernels: bookworm/amd64
# klat-bench: an emulated NIC
#
# klat msi-jitter, on one emulated NIC.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/msi_lat
load lib/klat

# long enough a cycle for a machine that has other things to do, too
subject msi-jitter msi_jitter --period 5ms

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded msi_jitter
	echo 1 > "$TRACING_ON"
}

@test "an ordinary run is COMPLETE, and labelled as emulated" {
	runs_complete --cpu 1 --timer-cpu 0
	json '.benchmark == "msi-jitter" and .module.name == "msi_jitter"' <<< "$json"
	json '.run | .source == "igb" and .seen > 100' <<< "$json"
}

@test "text: the label, the series, the phase and the missed cycles" {
	text_has_label delta early late $'\nphase: ' $'\nmissed: '
}

@test "json: histogram, percentiles and worst agree with the statistics" {
	json_agrees delta --period 2ms
}

# bats test_tags=shared
@test "csv: a line for each series" {
	csv_is_table
	contains "$output" $'\nmsi-jitter,delta,ns,'
	contains "$output" $'\nmsi-jitter,early,ns,'
	contains "$output" $'\nmsi-jitter,late,ns,'
}

# bats test_tags=shared
@test "hist: values ascend, counts add up" {
	hist_adds_up --no-user
}

@test "eci: the block, with the jitter from one interrupt to the next" {
	eci_is_results
}

# bats test_tags=shared
@test "ktap: three cases" {
	ktap_has_three_cases
}

# bats test_tags=shared
@test "--output writes a file, and nothing elsewhere" {
	output_goes_to_file
}

@test "every interrupt is early or late, and every cycle has one or is missed" {
	klat_json --count 1000
	same 0 "$klat_status"
	# shellcheck disable=SC2016 # variables of jq
	json '([.series[] | {key: .name, value: .count}] | from_entries) as $n |
		($n.early + $n.late) as $all |
		$all >= $n.delta and $all - $n.delta <= 1 and
		$all + .run.missed + .run.late >= 1000' <<< "$json"
	json '[.settings[].name] | index("phase_ns") != null' <<< "$json"
}

@test "--count 1: one interrupt has no other to be compared with" {
	klat_json --count 1
	same 0 "$klat_status"
	json '.verdict == "COMPLETE" and .run.seen == 1 and .series[0].count == 0' <<< "$json"
}

@test "--period: the cycles take as long as they should" {
	klat_json --count 50 --period 20ms
	same 0 "$klat_status"
	# the last may be late, but not all of them
	json '.run.duration_ns | . >= 49 * 20e6 and . < 50 * 200e6' <<< "$json"
	json '.config.period_ns == 20000000' <<< "$json"
}

@test "--cpu and --timer-cpu: by default both on the same" {
	for cpu in 0 1; do
		klat_json --count 100 --cpu $cpu
		same 0 "$klat_status"
		json ".config.irq_cpu == $cpu and .config.timer_cpu == $cpu" <<< "$json"
		json "all(.series[0].worst[]; .cpu == $cpu)" <<< "$json"
		json ".settings[] | select(.name == \"irq_cpu\") | .after == $cpu" <<< "$json"
	done
	klat_json --count 100 --cpu 1 --timer-cpu 0
	same 0 "$klat_status"
	json '.config.irq_cpu == 1 and .config.timer_cpu == 0' <<< "$json"
}

@test "--source soft: no device" {
	klat_json --count 200 --source soft
	same 0 "$klat_status"
	json '.run | .source == "soft" and .device == null' <<< "$json"
}

@test "--timer that the device has not: refused, in words" {
	for timer in targettime tcptimer; do
		run -2 klat_run --count 10 --source soft --timer $timer
		contains "$output" timer
	done
	not is_loaded msi_jitter
}

@test "--user: the woken task, or not" {
	klat_json --count 500 --period 2ms
	json '.series[-1] | .name == "user" and .count > 0 and .count <= 500' <<< "$json"
	json '.run | .samples_read + .samples_lost >= .seen' <<< "$json"
	klat_json --count 100 --no-user
	json 'all(.series[]; .name != "user") and .run.samples_read == null' <<< "$json"
}

# bats test_tags=shared
@test "--allow-idle: without it the CPUs are kept awake" {
	allow_idle_is_heeded
}

# bats test_tags=shared
@test "--no-disturb: nothing is known of other interrupts" {
	klat_json --count 100 --no-disturb
	json '.series[0].worst | length > 0 and all(.disturbances.irq == null)' <<< "$json"
	klat_json --count 100
	json '.series[0].worst | any(.disturbances.irq != null)' <<< "$json"
}

# bats test_tags=shared
@test "--duration ends a run, which is COMPLETE" {
	duration_ends_run
}

@test "--limit: of early and late; exit 1, the run stopped, the trace frozen" {
	limit_stops_run
	json '.limit.of == "early and late"' <<< "$json"
}

# bats test_tags=shared
@test "--limit --no-freeze: the trace goes on" {
	limit_leaves_trace
}

# bats test_tags=shared
@test "--limit that is kept: exit 0" {
	limit_is_kept
}

@test "^C and SIGTERM: what was measured so far, INCOMPLETE, exit 3" {
	signals_end_run
}

# bats test_tags=shared
@test "kill -9 of klat ends its run, and leaves nothing behind" {
	kill_leaves_nothing
}

# bats test_tags=shared
@test "rmmod while klat measures is refused and harmless" {
	rmmod_is_refused
}

# bats test_tags=shared
@test "a run of insmod is not disturbed, and is a skip" {
	run_of_insmod_is_a_skip irqPeriod=1 runTime=3600
}

# bats test_tags=shared
@test "two of klat: the second is a skip" {
	second_is_a_skip
}

@test "msi-lat beside it: INVALID" {
	insert msi_jitter autostart=0
	measure_in_background --source soft --duration 1h
	run -3 klat msi-lat --source soft --count 100
	contains "$output" "msi_jitter was running beside this"
}

# bats test_tags=shared
@test "the module stays if it was there, and leaves nothing behind if not" {
	module_stays_or_goes
}

@test "wrong usage: exit 2, in words, and nothing is done" {
	are_wrong <<-'END'
	msi-jitter --frobnicate|frobnicate
	msi-jitter operand|operand
	msi-jitter --period 49us|50us .. 10s
	msi-jitter --period 11s|50us .. 10s
	msi-jitter --timer wheel|hrtimer targettime tcptimer
	msi-jitter --timer-cpu 99|99
	msi-jitter --cpu 99|99
	msi-jitter --count 0|count
	msi-jitter --mode thread|mode
	END
	is_refused 2 "msi-jitter --source foo" "must be auto"
}

# bats test_tags=shared
@test "an ordinary user: a skip, in words" {
	ordinary_user_is_a_skip
}

# bats test_tags=shared
@test "root without CAP_SYS_RAWIO: a skip" {
	without_rawio_is_a_skip
}

# bats test_tags=shared
@test "a live line on a terminal, and only there" {
	live_line_is_shown delta
}
