#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -t 1200
# klat-vm sanitized on all:bookworm/amd64: --sanitize -m 1024 -c 2 -t 2400
# klat-kernels: bookworm/amd64
# klat-needs: tool=hwlat_detector cpus=2
#
# klat hwlat. An emulated CPU stands still at times: above a low threshold there
# are always gaps.

# shellcheck disable=SC2154,SC2034 # set by bats and in lib/klat.bash, and for that
# shellcheck disable=SC2016 # jq has variables, too

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/klat

subject hwlat hwlat_detector --window 100ms --width 10ms --threshold 5us
# two CPUs, however many a user's machine has
on_bench || klat_options+=(--cpus 0-1)
klat_short=(--duration 200ms)
klat_long=(--duration 1h)
klat_progress=fired

teardown()
{
	has_machine || return 0
	end_background
	cpu_online 1
	unload_if_loaded hwlat_detector
	echo 1 > "$TRACING_ON"
}

# with_events OPTION...: a run that found something; in $json and $klat_status
with_events()
{
	needs gaps
	wait_until found_something "$@"
}

found_something()
{
	klat_json --duration 200ms "$@"
	json '.events_seen > 0' <<< "$json"
}

# measured OPTION...: a run for its $output; on a busy machine the CPUs may have been
# looked at for less than was asked, which some tests do not care about.
measured()
{
	run --separate-stderr klat_run "$@"
	[[ $status == 0 || $status == 3 ]]
}

@test "an ordinary run is COMPLETE, and labelled as emulated" {
	klat_json --duration 1s
	json '.verdict == "COMPLETE" and .reasons == []' <<< "$json"
	same 0 "$klat_status"
	json '.benchmark == "hwlat" and .module.name == "hwlat_detector"' <<< "$json"
	is_labelled
	json '.run | .state == "DONE" and .duration_ns >= 1e9 and .fired > 0' <<< "$json"
	json '[.settings[] | select(.asked != null)] |
		length > 0 and all(.asked == .before and .asked == .after)' <<< "$json"
	json '[.series[].name] == ["gap", "step", "looked"] and .primary == "gap"' <<< "$json"
	json '.step_ticks > 0 and .share_asked == 0.1' <<< "$json"
	not is_loaded hwlat_detector
}

@test "each CPU: how long it was really looked at, and its share of the run" {
	klat_json --duration 1s
	same 0 "$klat_status"
	json '[.cpus[].cpu] == [0, 1]' <<< "$json"
	json '.run.duration_ns as $d | .cpus | all(.state == "used" and .absences == 0 and
		.windows > 0 and .share > 0 and .share < 1 and
		(.looked_ns / $d - .share | fabs) < 1e-6)' <<< "$json"
	json '(.series[] | select(.name == "looked") | .count) == ([.cpus[].windows] | add)' \
		<<< "$json"
	json '.series[0].count == ([.cpus[].gaps] | add)' <<< "$json"
}

@test "text: the lines of hwlatdetect, then CPUs, events and their cause" {
	with_events
	measured --duration 200ms
	! on_bench || contains "${lines[0]}" emulated
	contains "$output" "test duration 0.2 seconds"
	contains "$output" "        Latency threshold: 5us
        Sample window:     100000us
        Sample width:      10000us
     Non-sampling period:  90000us
        Output File:       None

Starting test
test finished
Max Latency: "
	same 1 "$(grep -cE '^Samples recorded: [0-9]+$' <<< "$output")"
	same "$(sed -n 's/^Samples recorded: //p' <<< "$output")" \
		"$(grep -cE '^ts: [0-9]+\.[0-9]{9}, inner:[0-9]+, outer:[0-9]+$' <<< "$output")"
	contains "$output" "SMIs during run: "
	contains "$output" "verdict: "
	same 2 "$(grep -cE '^ +[01] +[0-9]+ +[0-9.]+ +[0-9.]+% +10.00% ' <<< "$output")"
}

@test "eci: only the lines of hwlatdetect" {
	measured --duration 200ms --format eci
	contains "$output" "test finished"
	not contains "$output" verdict:
	not contains "$output" share
}

@test "json: the events agree with the series and the CPUs" {
	with_events
	json '.events_seen == (.events | length) and .run.samples_lost == 0' <<< "$json"
	json '.events | to_entries | all(.key == .value.seq)' <<< "$json"
	json '[.cpus[].cpu] as $all | .events | all(.records_lost == 0 and
		(.records | length) > 0 and (.cpus | length) > 0 and
		(.cpus + .quiet + .not_looking | sort) == $all)' <<< "$json"
	json 'def largest($kind): [.records[] | select(.kind == $kind) | .value] + [0] | max;
		.events | all(.inner == largest("inner") and .outer == largest("outer") and
		.start_monotonic_ns == ([.records[].start_monotonic_ns] | min))' <<< "$json"
	json '([.events[].records[] | select(.kind != "quiet")] | length) == .run.seen' <<< "$json"
	json '([.events[] | .inner, .outer] | max) == .series[0].max' <<< "$json"
	json '.config.threshold_ns as $t | .series[0].min >= $t' <<< "$json"
	json '.run as $run | .events | all(.start_monotonic_ns >= $run.start_monotonic_ns and
		.start_realtime_ns >= $run.start_realtime_ns)' <<< "$json"
	json '.events | all(.cause as $c | ["SMI", "NMI", "SMI and NMI", "hypervisor",
		"unexplained"] | index($c))' <<< "$json"
}

@test "an emulator without a counter that moved is the likely cause" {
	with_events --no-disturb
	json '.smi.sum == null and .smi.distinct == null and .smi.cpus_unknown == 2' <<< "$json"
	json '.events | all(.cause == "hypervisor" and (.cause_text | contains("QEMU")))' \
		<<< "$json"
	json '.cpus | all(.disturbances.smi == null)' <<< "$json"
}

# bats test_tags=shared
@test "csv: a line for each series" {
	measured --duration 200ms --format csv
	same "hwlat,gap hwlat,step hwlat,looked" \
		"$(sed 1d <<< "$output" | cut -d, -f1,2 | xargs)"
	same 1 "$(awk -F, '{ print NF }' <<< "$output" | sort -u | wc -l)"
}

@test "hist: gaps, with --steps also the steps, and nothing else" {
	with_events
	measured --duration 200ms --steps --format hist
	contains "$output" "step"
	not contains "$output" looked
	same "$(awk '/^# Total:/ { print $NF + 0 }' <<< "$output")" \
		"$(awk '!/^#/ && NF { sum += $NF } END { print sum }' <<< "$output")"
}

# bats test_tags=shared
@test "ktap: three cases" {
	run_fine --duration 200ms --format ktap
	same 3 "$(grep -c '^ok [123] ' <<< "$output")"
	contains "$output" "ok 3 hwlat: no value was above the limit # SKIP"
	with_events --hardlimit 5us
	run --separate-stderr klat_run --duration 1s --format ktap --limit 5us
	contains "$output" "not ok 3 "
}

@test "--steps: statistics of the loop's steps, which are otherwise not kept" {
	klat_json --duration 200ms
	same 0 "$klat_status"
	json '.series[1].count == 0' <<< "$json"
	klat_json --duration 200ms --steps
	json '.series[1] | .count > 0 and .min <= .mean' <<< "$json"
}

# bats test_tags=shared
@test "--output writes a file, and nothing elsewhere" {
	measured --duration 200ms --format json --output "$BATS_TEST_TMPDIR/json"
	same "" "$output"
	json '.config.duration_ns == 200000000' < "$BATS_TEST_TMPDIR/json"
}

@test "--report: the text, besides what is printed; a wrong path costs no run" {
	measured --duration 200ms --report "$BATS_TEST_TMPDIR/report"
	contains "$output" "Output File:       $BATS_TEST_TMPDIR/report"
	contains "$output" "report saved to $BATS_TEST_TMPDIR/report ("
	same "$(grep -v '^report saved' <<< "$output")" "$(< "$BATS_TEST_TMPDIR/report")"
	klat_json --duration 200ms --report "$BATS_TEST_TMPDIR/report"
	json '.report | endswith("/report")' <<< "$json"
	grep -q '^Starting test$' "$BATS_TEST_TMPDIR/report"
	run -2 klat_run --duration 200ms --report /nowhere/report
	contains "$output" /nowhere/report
	run -2 klat_run --duration 200ms --report "$BATS_TEST_TMPDIR/one" \
		--output "$BATS_TEST_TMPDIR/one"
	contains "$output" "a file of its own"
	not is_loaded hwlat_detector
}

@test "--report to a full disk: exit 3, and not said to be saved" {
	run -3 klat_run --duration 200ms --report /dev/full
	contains "$output" "could not be written"
	not contains "$output" "report saved"
}

@test "--cpus: only those are looked at" {
	klat_json --duration 200ms --cpus 1
	same 0 "$klat_status"
	json '[.cpus[].cpu] == [1] and all(.events[]; .cpus == [1])' <<< "$json"
	klat_json --duration 200ms --cpu-list 0-1 --aligned
	json '[.cpus[].cpu] == [0, 1] and .config.aligned' <<< "$json"
	run -2 klat_run --duration 200ms --cpus 0,8191
	contains "$output" 8191
	run -2 klat_run --duration 200ms --cpus 1-
	contains "$output" cpus
}

@test "--window without --width: half of it" {
	local file=$BATS_TEST_TMPDIR/json

	klat hwlat --duration 200ms --window 40ms --format json --output "$file" || :
	json '.config | .width_ns == 20000000 and .window_ns == 40000000 and
		.threshold_ns == 10000' < "$file"
}

@test "a threshold that the loop's own steps would exceed is refused, in words" {
	run klat_run --duration 200ms --threshold 20ns
	[[ $status == 2 ]] || skip "two of them take less than 20 ns on this machine"
	contains "$output" threshold
}

@test "--hardlimit: exit 1, but the run goes on to its end" {
	with_events --hardlimit 5us
	same 1 "$klat_status"
	json '.hard_limit.exceeded and .run.state == "DONE" and .limit == null' <<< "$json"
	klat_json --duration 200ms --hardlimit 1h
	same 0 "$klat_status"
	json '.hard_limit.exceeded == false' <<< "$json"
}

@test "--limit: exit 1, the run stopped, the trace frozen" {
	needs gaps
	insert hwlat_detector autostart=0
	echo 1 > /sys/kernel/tracing/events/hwlat_detector/hwlat_detector_gap/enable
	echo 1 > "$TRACING_ON"
	klat_json --duration 1h --limit 5us
	same 1 "$klat_status"
	same 0 "$(cat "$TRACING_ON")"
	# it has the gap that it was frozen for
	sed -n 's/.*hwlat_detector_gap: .* value=\([0-9]*\) .*/\1/p' /sys/kernel/tracing/trace |
		awk -v hz="$(jq .module.clock_hz <<< "$json")" '$1 * 1e9 / hz > 5000 { found = 1 }
			END { exit !found }'
	json '.limit.exceeded and .limit.of == "gap" and .run.state == "STOPPED"' <<< "$json"
	json '.run.message | contains("above the limit")' <<< "$json"
	echo 1 > "$TRACING_ON"
	klat_json --duration 1h --limit 5us --no-freeze
	same 1 "$klat_status"
	same 1 "$(cat "$TRACING_ON")"
}

@test "a CPU that goes away is missing, and the result says since when" {
	needs disruptive
	insert hwlat_detector autostart=0
	measure_in_background "${klat_long[@]}"
	cpu_offline 1
	kill -INT "$klat"
	klat_has_ended
	same 3 "$klat_status"
	json '.verdict == "INCOMPLETE" and (.reasons | any(contains("CPU 1 was missing for")))' \
		<<< "$json"
	json '.cpus[1] | .state == "missing" and .absences == 1 and .missing_ns > 0' <<< "$json"
	json '.run.start_monotonic_ns as $s | .cpus[1].missing_since_ns > $s' <<< "$json"
	json '.cpus[0] | .state == "used" and .absences == 0 and .missing_since_ns == null' \
		<<< "$json"
}

# bats test_tags=shared
@test "--allow-idle: without it the CPUs are kept awake" {
	allow_idle_is_heeded
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
	run_of_insmod_is_a_skip window=100000 width=10000
}

# bats test_tags=shared
@test "two of klat: the second is a skip" {
	second_is_a_skip
}

# bats test_tags=shared
@test "the module stays if it was there, and leaves nothing behind if not" {
	module_stays_or_goes
}

@test "wrong usage: exit 2, in words, and nothing is done" {
	are_wrong <<-'END'
	hwlat --threshold 10|units
	hwlat --duration 60|units
	hwlat --threshold 19ns|20ns .. 1s
	hwlat --window 999us|1ms .. 10s
	hwlat --width 99us|100us .. 2s
	hwlat --width 1s|at least 50us below
	hwlat --window 10ms --width 9960us|at least 50us below
	hwlat --duration 366d|1ms .. 365d
	hwlat --hardlimit 0|1ns .. 1h
	hwlat --hardlimit 9us|at least --threshold 10us
	hwlat --limit 9us|at least --threshold 10us
	hwlat --count 5|count
	hwlat --user|user
	hwlat operand|operand
	END
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
	local part=" s  [0-9]+  (gap min|none above)"

	terminal_shows "[0-9.]+$part" "$part" "klat hwlat ${klat_options[*]} --duration 3s"
	measured --duration 200ms
	same "" "$stderr"
}
