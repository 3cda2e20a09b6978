#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm: -c 2 -d igb -t 600
#
# The tool, on one emulated NIC.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_lat
load lib/klat

readonly TRACING_ON=/sys/kernel/tracing/tracing_on

teardown()
{
	end_background
	unload_if_loaded msi_lat
	echo 1 > "$TRACING_ON"
}

@test "an ordinary run is COMPLETE, and labelled as emulated" {
	klat_json --count 500 --cpu 1 --trigger-cpu 0
	json '.verdict == "COMPLETE" and .reasons == []' <<< "$json"
	same 0 "$klat_status"
	json '.environment.emulated and (.environment.label | contains("emulated"))' <<< "$json"
	json '.module.clock_stable' <<< "$json"
	json '.run | .state == "DONE" and .asked == 500 and .seen == 500 and .elsewhere == 0' \
		<<< "$json"
	json '[.settings[] | select(.asked != null)] |
		length > 4 and all(.asked == .before and .asked == .after)' <<< "$json"
	not is_loaded msi_lat
}

@test "text: the label comes first, the verdict is there" {
	run -0 klat msi-lat --count 100
	contains "${lines[0]}" emulated
	contains "$output" COMPLETE
	contains "$output" latency
}

@test "json: histogram, percentiles and worst agree with the statistics" {
	klat_json --count 1000 --period 200us
	json '[.series[] | select(.count > 0) |
		(.histogram | map(.count) | add) == .count and
		.min <= .mean and .mean <= .max and
		(.percentiles | [.["50"], .["90"], .["99"], .["99.9"], .["99.9999"]] |
			. == sort) and
		.percentiles["99.9999"] == .max and .percentiles["50"] >= .min and
		(.worst == [] or .worst[0].ticks == .ticks.max) and (.worst | length) <= 16 and
		([.worst[].ticks] | . == (sort | reverse))] | length >= 2 and all' <<< "$json"
	json '.series[0] | .count == 1000 and (.worst | length) == 16' <<< "$json"
	json '.primary == "latency"' <<< "$json"
}

@test "csv: a line for each series" {
	run -0 --separate-stderr klat msi-lat --count 100 --format csv
	same "benchmark,series,unit,count,min,mean,stddev,max" "$(cut -d, -f1-8 <<< "${lines[0]}")"
	contains "$output" $'\nmsi-lat,latency,ns,100,'
	# as many fields in every line
	same 1 "$(awk -F, '{ print NF }' <<< "$output" | sort -u | wc -l)"
}

@test "hist: values ascend, counts add up" {
	run -0 --separate-stderr klat msi-lat --count 300 --format hist --no-user
	contains "$output" "#"
	same 300 "$(awk '!/^#/ && NF { sum += $2 } END { print sum }' <<< "$output")"
	awk '!/^#/ && NF { if ($1 <= last) exit 1; last = $1 }' <<< "$output"
}

@test "eci: the block" {
	run -0 --separate-stderr klat msi-lat --count 100 --format eci
	contains "$output" "************ RESULTS (ns) ************"
	same 3 "$(grep -cE '^\* (Max|Avg|Min): [0-9]+$' <<< "$output")"
}

@test "ktap: three cases" {
	run -0 --separate-stderr klat msi-lat --count 100 --format ktap
	same "KTAP version 1" "${lines[0]}"
	same "1..3" "${lines[1]}"
	same 3 "$(grep -c '^ok [123] ' <<< "$output")"
	run -1 --separate-stderr klat msi-lat --count 100 --format ktap --limit 1ns
	contains "$output" "not ok 3 "
}

@test "--output writes a file, and nothing elsewhere" {
	run -0 klat msi-lat --count 50 --format json --output "$BATS_TEST_TMPDIR/json"
	same "" "$output"
	json '.run.seen == 50' < "$BATS_TEST_TMPDIR/json"
}

@test "--mode thread: service is latency and thread together" {
	klat_json --count 500 --mode thread
	same 0 "$klat_status"
	json '.primary == "service"' <<< "$json"
	json '[.series[] | {key: .name, value: .}] | from_entries |
		.latency.count == 500 and .service.count == 500 and .thread.count == 500 and
		.service.min > .latency.min and
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
	json '.run.clipped == 0 and .series[0].min > 0' <<< "$json"
}

@test "--block: at least that on its own CPU" {
	klat_json --count 20 --period 10ms --cpu 1 --trigger-cpu 1 --block 4000000
	json '.series[0].ticks.min >= 4000000' <<< "$json"
}

@test "--allow-idle: without it the CPUs are kept awake" {
	insert msi_lat autostart=0
	measure_in_background --duration 1h
	same 0 "$(latency_qos | tr -d ' ')"
	kill -INT "$klat"
	klat_has_ended
	same 2000000000 "$(latency_qos | tr -d ' ')"
	measure_in_background --duration 1h --allow-idle
	same 2000000000 "$(latency_qos | tr -d ' ')"
}

@test "--duration ends a run, which is COMPLETE" {
	klat_json --duration 1s
	same 0 "$klat_status"
	json '.verdict == "COMPLETE" and .run.duration_ns >= 1e9 and .run.asked == null' \
		<<< "$json"
}

@test "--limit: exit 1, the run stopped, the trace frozen" {
	echo 1 > "$TRACING_ON"
	klat_json --count 100000 --limit 1ns
	same 1 "$klat_status"
	same 0 "$(cat "$TRACING_ON")"
	json '.limit.exceeded and .run.state == "STOPPED" and .verdict == "COMPLETE"' <<< "$json"
	json '.run.message | contains("above the limit")' <<< "$json"
}

@test "--limit --no-freeze: the trace goes on" {
	echo 1 > "$TRACING_ON"
	klat_json --count 100000 --limit 1ns --no-freeze
	same 1 "$klat_status"
	same 1 "$(cat "$TRACING_ON")"
}

@test "--limit that is kept: exit 0" {
	echo 1 > "$TRACING_ON"
	klat_json --count 100 --limit 1h
	same 0 "$klat_status"
	same 1 "$(cat "$TRACING_ON")"
	json '.limit.exceeded == false' <<< "$json"
}

@test "^C and SIGTERM: what was measured so far, INCOMPLETE, exit 3" {
	insert msi_lat autostart=0
	for signal in INT TERM HUP; do
		measure_in_background --count 1000000
		kill -s $signal "$klat"
		klat_has_ended
		same 3 "$klat_status"
		json '.verdict == "INCOMPLETE" and .run.seen >= 20 and
			.series[0].count == .run.seen' <<< "$json"
		not is_running
		same none "$(driver_of "$(nic)")"
	done
}

@test "kill -9 of klat ends its run, and leaves nothing behind" {
	insert msi_lat autostart=0
	remember_machine msi_lat
	for mode in hard thread; do
		measure_in_background --count 1000000 --mode $mode
		kill -KILL "$klat"
		wait_until state_is STOPPED
		wait_until machine_is_as_before msi_lat
	done
	# and somebody else can have the device
	klat_json --count 20
	same 0 "$klat_status"
}

@test "rmmod while klat measures is refused and harmless" {
	insert msi_lat autostart=0
	measure_in_background --count 1000000
	run -1 rmmod msi_lat
	contains "$output" "in use"
	seen=$(result 'Interrupts seen')
	wait_until has_seen $((seen + 50))
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
	insert msi_lat irqPeriod=1
	wait_until has_seen 20
	run -4 klat msi-lat --count 10
	contains "$output" "in use"
	is_running
}

@test "two of klat: the second is a skip" {
	insert msi_lat autostart=0
	measure_in_background --duration 1h
	run -4 klat msi-lat --count 10
	contains "$output" "in use"
	is_running
}

@test "the module stays if it was there, and leaves nothing behind if not" {
	remember_machine msi_lat
	klat_json --count 50
	machine_is_as_before msi_lat
	insert msi_lat autostart=0
	klat_json --count 50
	is_loaded msi_lat
}

@test "wrong usage: exit 2, in words, and nothing is done" {
	while IFS='|' read -r options words; do
		# shellcheck disable=SC2086 # several options
		run -2 klat $options
		contains "$output" "$words"
		not is_loaded msi_lat
	done <<-'END'
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
	for options in --help --version "msi-lat --help" "info --help"; do
		# shellcheck disable=SC2086 # several words
		run -0 --separate-stderr klat $options
		[[ -n $output ]]
	done
}

@test "an ordinary user: a skip, in words" {
	user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	run -4 "${user[@]}" klat msi-lat --count 10
	contains "$output" root
	insert msi_lat autostart=0
	run -4 "${user[@]}" klat msi-lat --count 10
	contains "$output" root
	same IDLE "$(result State)"
	run -0 "${user[@]}" klat info
}

@test "root without CAP_SYS_RAWIO: a skip" {
	insert msi_lat autostart=0
	run -4 setpriv --bounding-set=-sys_rawio klat msi-lat --count 10
	contains "$output" CAP_SYS_RAWIO
	not is_running
}

@test "a live line on a terminal, and only there" {
	script -qec "klat msi-lat --count 2000" "$BATS_TEST_TMPDIR/typescript" < /dev/null
	grep -qE $'\r.*/2000  latency min .* max ' "$BATS_TEST_TMPDIR/typescript"
	script -qec "klat msi-lat --count 2000 --quiet" "$BATS_TEST_TMPDIR/quiet" < /dev/null
	not grep -q '/2000  latency min' "$BATS_TEST_TMPDIR/quiet"
	run -0 --separate-stderr klat msi-lat --count 2000
	same "" "$stderr"
}

@test "^C on a terminal" {
	insert msi_lat autostart=0
	in_background script -qec "klat msi-lat --count 1000000" "$BATS_TEST_TMPDIR/typescript" \
		< /dev/null
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
	same igb "$(module_info source)"
	same "$(nic)" "$(module_info device)"
	same "latency service thread write flush" "$(module_info 'series | join(" ")')"
	run -0 klat info msi_lat
	contains "$output" "20 fired, 20 seen"
	is_done
}
