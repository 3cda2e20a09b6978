#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -d igb -t 1200
# klat-vm sanitized on all:bookworm/amd64: --sanitize -m 1024 -c 2 -d igb -t 2400
# klat-kernels: bookworm/amd64 trixie/rt-amd64
# klat-needs: tool=msi_lat nic cpus=2
#
# The tool, on one emulated NIC.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_lat
load lib/klat

mapfile -t named < <(nic_options)
subject msi-lat msi_lat "${named[@]}"

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded msi_lat
	echo 1 > "$TRACING_ON"
}

@test "an ordinary run is COMPLETE, and labelled as emulated" {
	runs_complete --cpu 1 --trigger-cpu 0
	json '.run.seen == 500 and (.settings | length) > 4' <<< "$json"
}

@test "text: the label comes first, the verdict is there" {
	text_has_label latency
}

@test "json: histogram, percentiles and worst agree with the statistics" {
	json_agrees latency --period 200us
	json '.series[0].count == 1000' <<< "$json"
}

@test "csv: a line for each series" {
	csv_is_table
	contains "$output" $'\nmsi-lat,latency,ns,100,'
}

@test "hist: values ascend, counts add up" {
	hist_adds_up --no-user
	contains "$output" "# Total: 000000300"
}

@test "eci: the block" {
	eci_is_results
}

@test "ktap: three cases" {
	ktap_has_three_cases
}

@test "--output writes a file, and nothing elsewhere" {
	output_goes_to_file
}

@test "--mode thread: service is latency and thread together" {
	klat_json --count 500 --mode thread
	same 0 "$klat_status"
	json '.primary == "service"' <<< "$json"
	json '[.series[] | {key: .name, value: .}] | from_entries |
		.latency.count == 500 and .service.count == 500 and .thread.count == 500 and
		.service.min >= .latency.min and .thread.mean > 0 and
		((.latency.ticks.mean + .thread.ticks.mean - .service.ticks.mean) |
			fabs < 1)' <<< "$json"
	klat_json --count 100 --mode hard
	json '[.series[] | {key: .name, value: .count}] | from_entries |
		.service == 0 and .thread == 0 and .latency == 100' <<< "$json"
}

@test "--flush: measured only when asked" {
	klat_json --count 200 --flush --cpu 1 --trigger-cpu 0
	json '[.series[] | {key: .name, value: .}] | from_entries |
		.flush.count == 200 and .write.count == 200 and
		.flush.ticks.mean > .write.ticks.mean' <<< "$json"
	klat_json --count 200 --cpu 1 --trigger-cpu 0
	json '[.series[] | {key: .name, value: .count}] | from_entries |
		.flush == 0 and .write == 200' <<< "$json"
}

@test "--user: the woken task, or not" {
	klat_json --count 500 --period 2ms
	json '.series[-1] | .name == "user" and .count > 0 and .count <= 500' <<< "$json"
	json '.run.samples_read + .run.samples_lost == 500' <<< "$json"
	klat_json --count 100 --no-user
	json 'all(.series[]; .name != "user") and .run.samples_read == null' <<< "$json"
}

@test "--cpu and --trigger-cpu" {
	for cpu in 0 1; do
		klat_json --count 100 --cpu $cpu --trigger-cpu $((1 - cpu))
		same 0 "$klat_status"
		json "all(.series[0].worst[]; .cpu == $cpu)" <<< "$json"
		json "[.settings[] | {key: .name, value: .after}] | from_entries |
			.irq_cpu == $cpu and .trigger_cpu == $((1 - cpu))" <<< "$json"
	done
}

@test "--offset: published values go down, what is clipped is counted" {
	klat_json --count 200 --offset 1s
	json '.run.clipped == 200 and .series[0].max == 0' <<< "$json"
	klat_json --count 200
	json '.run.clipped == 0 and .series[0].max > 0' <<< "$json"
}

@test "--block: at least that on its own CPU" {
	klat_json --count 20 --period 10ms --cpu 1 --trigger-cpu 1 --block 4000000
	json '.series[0].ticks.min >= 4000000' <<< "$json"
}

@test "--allow-idle: without it the CPUs are kept awake" {
	allow_idle_is_heeded
}

@test "--duration ends a run, which is COMPLETE" {
	duration_ends_run
}

@test "--limit: exit 1, the run stopped, the trace frozen" {
	limit_stops_run
}

@test "--limit --no-freeze: the trace goes on" {
	limit_leaves_trace
}

@test "--limit that is kept: exit 0" {
	limit_is_kept
}

@test "^C and SIGTERM: what was measured so far, INCOMPLETE, exit 3" {
	signals_end_run
	json '.series[0].count == .run.seen' <<< "$json"
}

@test "kill -9 of klat ends its run, and leaves nothing behind" {
	for mode in hard thread; do
		kill_leaves_nothing --mode $mode
	done
}

@test "rmmod while klat measures is refused and harmless" {
	rmmod_is_refused
}

@test "the administrator moves the interrupt: noticed, INVALID" {
	insert msi_lat autostart=0
	measure_in_background --duration 1h --cpu 1 --trigger-cpu 0
	echo 0 > "/proc/irq/$(irq_number)/smp_affinity_list"
	before=$(irq_count 0)
	wait_until moved "$((before + 50))"
	kill -INT "$klat"
	klat_has_ended
	same 3 "$klat_status"
	json '.verdict == "INVALID" and .run.elsewhere >= 50' <<< "$json"
	json '.settings[] | select(.name == "irq_cpu") |
		.asked == 1 and .before == 1 and .after == 0' <<< "$json"
}

moved()
{
	holds "$(irq_count 0) >= $1"
}

@test "a run of insmod is not disturbed, and is a skip" {
	run_of_insmod_is_a_skip irqPeriod=1
}

@test "two of klat: the second is a skip" {
	second_is_a_skip
}

@test "the module stays if it was there, and leaves nothing behind if not" {
	module_stays_or_goes
}

@test "wrong usage: exit 2, in words, and nothing is done" {
	are_wrong <<-'END'
	|klat
	frobnicate|frobnicate
	--frobnicate|frobnicate
	msi-lat --frobnicate|frobnicate
	msi-lat operand|operand
	msi-lat --period|period
	msi-lat --period 10|10
	msi-lat --period 1us|period
	msi-lat --period 1fortnight|fortnight
	msi-lat --count 0|count
	msi-lat --count -1|count
	msi-lat --format xml|xml
	msi-lat --mode soft|soft
	msi-lat --cpu 99|99
	msi-lat --trigger-cpu 99|99
	msi-lat --limit 0|limit
	msi-lat --priority 100|priority
	msi-lat --output /nonexistent/file|/nonexistent/file
	info nonesuch|nonesuch
	END
	run -2 klat msi-lat --source foo
	contains "$output" "must be auto, igb"
	run -2 klat msi-lat --bdf 00:00.0
	contains "$output" "not supported"
}

@test "help and version are not errors" {
	for options in --help --version "msi-lat --help" "msi-jitter --help" \
		"mmio --help" "info --help"; do
		# shellcheck disable=SC2086 # several words
		run -0 --separate-stderr klat $options
		[[ -n $output ]]
	done
}

@test "an ordinary user: a skip, in words" {
	ordinary_user_is_a_skip
}

@test "root without CAP_SYS_RAWIO: a skip" {
	without_rawio_is_a_skip
}

@test "a live line on a terminal, and only there" {
	live_line_is_shown latency
}

@test "^C on a terminal" {
	insert msi_lat autostart=0
	in_background script -qec "klat msi-lat ${named[*]} --count 1000000" \
		"$BATS_TEST_TMPDIR/typescript" < /dev/null
	script=$!
	wait_until has_seen 20
	pkill -INT -x klat
	status=0
	wait "$script" || status=$?
	same 3 "$status"
	grep -q INCOMPLETE "$BATS_TEST_TMPDIR/typescript"
}

@test "klat info: of the machine, of a module that is loaded, and of one that is not" {
	run -0 klat info
	contains "$output" "$(uname -r)"
	contains "$output" "msi_lat: installed, not loaded"
	not is_loaded msi_lat
	measure irqPeriod=1 irqCount=20
	same loaded "$(module_info state)"
	same DONE "$(module_info run_state)"
	same 20 "$(module_info seen)"
	same "$SOURCE" "$(module_info source)"
	same "$(nic)" "$(module_info device)"
	same "latency service thread write flush" "$(module_info 'series | join(" ")')"
	run -0 klat info msi_lat
	contains "$output" "20 fired, 20 seen"
	is_done
}
