# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # for the tests, and from them
#
# The tool's runs, and what is asked of every benchmark alike. A test file says
# once, with subject, which benchmark it is about; a test calls one of the
# functions below.

readonly TRACING_ON=/sys/kernel/tracing/tracing_on

# subject COMMAND MODULE [OPTION...]: the options are given to every run.
subject()
{
	klat_command=$1 klat_module=$2
	shift 2
	klat_options=("$@")
	# of a run that is short, and of one that somebody has to end
	klat_short=(--count 10) klat_long=(--count 1000000)
	# which of klat info's counters shows that it measures
	klat_progress=seen
	# where a device is taken, who has it is seen before the module is asked
	klat_busy="being measured"
	[[ $klat_command == msi-* ]] || klat_busy="in use"
}

subject msi-lat msi_lat

# klat_run OPTION...: of the subject
klat_run()
{
	klat "$klat_command" ${klat_options[0]+"${klat_options[@]}"} "$@"
}

# klat_json OPTION...: a run; its result is in $json, its exit status in
# $klat_status. An emulated CPU on a busy machine stands still at times, and more
# than a tenth of the cycles of a short run can then have no interrupt, or of the
# windows not be looked at: such a run is made again.
klat_json()
{
	local try

	for try in {1..5}; do
		klat_status=0
		json=$(klat_run --format json "$@") || klat_status=$?
		cycles_are_missing || return 0
	done
}

# That is the only thing that is wrong with the run in $json
cycles_are_missing()
{
	[[ $klat_status == 3 ]] && jq -e '.verdict == "INCOMPLETE" and (.reasons | length) > 0 and
		all(.reasons[]; contains("cycles had an interrupt") or contains("looked at"))' \
		<<< "$json" > /dev/null
}

# run_fine OPTION...: a run of which all is as it should be, for its $output;
# made again as those of klat_json are.
run_fine()
{
	local try

	for try in {1..5}; do
		run --separate-stderr klat_run "$@"
		[[ $status == 3 && $klat_command == @(msi-jitter|hwlat) ]] || break
	done
	same 0 "$status"
}

# measure_in_background OPTION...: the run has been seen to measure; its process
# is $klat. The module must be loaded.
measure_in_background()
{
	in_background klat "$klat_command" ${klat_options[0]+"${klat_options[@]}"} \
		--format json --output "$BATS_TEST_TMPDIR/json" "$@"
	klat=$!
	wait_until run_is RUNNING
	wait_until has_measured 20
}

# klat_has_ended: fills $json and $klat_status as klat_json does.
klat_has_ended()
{
	# kept from being waited for without a bound
	wait_until is_gone "$klat"
	klat_status=0
	wait "$klat" || klat_status=$?
	json=$(cat "$BATS_TEST_TMPDIR/json")
}

is_gone()
{
	[[ ! -e /proc/$1 || $(ps -o stat= -p "$1") == Z* ]]
}

# module_info FILTER: what klat info knows of the module
module_info()
{
	klat info --format json "$klat_module" | jq -r ".modules[0].$1"
}

# module_now NAME: a value of its run. Without jq, for it is asked again and again.
module_now()
{
	local text pattern="\"$1\": \"?([^\",]*)"

	text=$(klat info --format json "$klat_module") && [[ $text =~ $pattern ]] &&
		echo "${BASH_REMATCH[1]}"
}

# run_is STATE
run_is()
{
	[[ $(module_now run_state) == "$1" ]]
}

# has_measured NUMBER: at least so many
has_measured()
{
	holds "$(module_now "$klat_progress") >= $1"
}

# runs_complete OPTION...: with --count 500
runs_complete()
{
	klat_json --count 500 "$@"
	json '.verdict == "COMPLETE" and .reasons == []' <<< "$json" || return 1
	same 0 "$klat_status" || return 1
	is_labelled || return 1
	json '.module | .clock_stable and .clock_cost_subtracted == false' <<< "$json" || return 1
	json '.run | .state == "DONE" and .asked == 500 and .elsewhere == 0' <<< "$json" ||
		return 1
	json '[.settings[] | select(.asked != null)] |
		length > 0 and all(.asked == .before and .asked == .after)' <<< "$json" || return 1
	not is_loaded "$klat_module"
}

# is_labelled: where it was measured; a user's machine may be hardware
is_labelled()
{
	! on_bench || json '.environment.emulated and
		(.environment.label | contains("emulated"))' <<< "$json"
}

# text_has_label PART...
text_has_label()
{
	local part

	run_fine --count 100 || return 1
	! on_bench || contains "${lines[0]}" emulated || return 1
	for part in "verdict: COMPLETE" "never subtracted" "$@"; do
		contains "$output" "$part" || return 1
	done
}

# json_agrees SERIES OPTION...: histogram, percentiles and worst against the
# statistics; SERIES is the one that the run is about.
json_agrees()
{
	local primary=$1

	shift
	klat_json --count 1000 "$@"
	json '[.series[] | select(.count > 0) |
		(.histogram | map(.count) | add) == .count and
		.min <= .mean and .mean <= .max and
		(.percentiles | [.["50"], .["90"], .["99"], .["99.9"], .["99.9999"]] |
			. == sort) and
		.percentiles["99.9999"] == .max and .percentiles["50"] >= .min and
		(.worst == [] or .worst[0].ticks == .ticks.max) and (.worst | length) <= 16 and
		([.worst[].ticks] | . == (sort | reverse))] | length >= 2 and all' \
		<<< "$json" || return 1
	json ".primary == \"$primary\" and .series[0].name == .primary" <<< "$json" || return 1
	json '.series[0] | .count >= 100 and (.worst | length) == 16' <<< "$json"
}

# csv_is_table: a line for each series, with as many fields each
csv_is_table()
{
	run_fine --count 100 --format csv || return 1
	same "benchmark,series,unit,count,min,mean,stddev,max" \
		"$(cut -d, -f1-8 <<< "${lines[0]}")" || return 1
	same "$klat_command" "$(sed 1d <<< "$output" | cut -d, -f1 | sort -u)" || return 1
	same 1 "$(awk -F, '{ print NF }' <<< "$output" | sort -u | wc -l)"
}

# hist_adds_up OPTION...: values ascend; the counts of a column are its total
hist_adds_up()
{
	run_fine --count 300 --format hist "$@" || return 1
	same "$(awk '/^# Total:/ { print $3 + 0 }' <<< "$output")" \
		"$(awk '!/^#/ && NF { sum += $2 } END { print sum }' <<< "$output")" || return 1
	awk '!/^#/ && NF { if (rows++ && $1 <= last) exit 1; last = $1 }' <<< "$output"
}

eci_is_results()
{
	run_fine --count 100 --format eci || return 1
	contains "$output" "************ RESULTS (ns) ************" || return 1
	same 3 "$(grep -cE '^\* (Max|Avg|Min): [0-9]+$' <<< "$output")"
}

ktap_has_three_cases()
{
	run_fine --count 100 --format ktap || return 1
	same "KTAP version 1" "${lines[0]}" || return 1
	same "1..3" "${lines[1]}" || return 1
	same 3 "$(grep -c '^ok [123] ' <<< "$output")" || return 1
	run -1 --separate-stderr klat_run --count 100 --format ktap --limit 1ns
	contains "$output" "not ok 3 "
}

output_goes_to_file()
{
	run_fine --count 50 --format json --output "$BATS_TEST_TMPDIR/json" || return 1
	same "" "$output" || return 1
	json '.run.asked == 50' < "$BATS_TEST_TMPDIR/json"
}

duration_ends_run()
{
	klat_json --duration 1s
	same 0 "$klat_status" || return 1
	json '.verdict == "COMPLETE" and .run.duration_ns >= 1e9 and .run.asked == null' \
		<<< "$json"
}

allow_idle_is_heeded()
{
	insert "$klat_module" autostart=0
	measure_in_background --duration 1h
	same 0 "$(latency_qos | tr -d ' ')" || return 1
	kill -INT "$klat"
	klat_has_ended
	same 2000000000 "$(latency_qos | tr -d ' ')" || return 1
	measure_in_background --duration 1h --allow-idle
	same 2000000000 "$(latency_qos | tr -d ' ')"
}

limit_stops_run()
{
	echo 1 > "$TRACING_ON"
	klat_json --count 100000 --limit 1ns
	same 1 "$klat_status" || return 1
	same 0 "$(cat "$TRACING_ON")" || return 1
	json '.limit.exceeded and .run.state == "STOPPED" and .verdict == "COMPLETE"' \
		<<< "$json" || return 1
	json '.run.message | contains("above the limit")' <<< "$json"
}

limit_leaves_trace()
{
	echo 1 > "$TRACING_ON"
	klat_json --count 100000 --limit 1ns --no-freeze
	same 1 "$klat_status" || return 1
	same 1 "$(cat "$TRACING_ON")"
}

limit_is_kept()
{
	echo 1 > "$TRACING_ON"
	klat_json --count 100 --limit 1h
	same 0 "$klat_status" || return 1
	same 1 "$(cat "$TRACING_ON")" || return 1
	json '.limit.exceeded == false' <<< "$json"
}

signals_end_run()
{
	insert "$klat_module" autostart=0
	for signal in INT TERM HUP; do
		measure_in_background "${klat_long[@]}"
		kill -s $signal "$klat"
		klat_has_ended
		same 3 "$klat_status" || return 1
		# the first interrupt has no other to be compared with
		json '.verdict == "INCOMPLETE" and .run.'"$klat_progress"' >= 20 and
			.run.seen - .series[0].count <= 1 and .series[0].count <= .run.seen' \
			<<< "$json" || return 1
		not run_is RUNNING || return 1
		! declare -F nic > /dev/null || same none "$(driver_of "$(nic)")" || return 1
	done
}

# kill_leaves_nothing [OPTION...]: and somebody else can measure
kill_leaves_nothing()
{
	insert "$klat_module" autostart=0
	remember_machine "$klat_module"
	measure_in_background "${klat_long[@]}" "$@"
	kill -KILL "$klat"
	wait_until run_is STOPPED || return 1
	wait_until machine_is_as_before "$klat_module" || return 1
	klat_json "${klat_short[@]}" "$@"
	same 0 "$klat_status" || return 1
	remove "$klat_module"
}

rmmod_is_refused()
{
	local seen

	insert "$klat_module" autostart=0
	measure_in_background "${klat_long[@]}"
	run -1 rmmod "$klat_module"
	contains "$output" "in use" || return 1
	seen=$(module_now "$klat_progress")
	wait_until has_measured $((seen + 50))
}

# run_of_insmod_is_a_skip PARAMETER...: of a run without end
run_of_insmod_is_a_skip()
{
	insert "$klat_module" "$@"
	wait_until has_measured 20
	run -4 klat_run "${klat_short[@]}"
	contains "$output" "$klat_busy" || return 1
	run_is RUNNING
}

second_is_a_skip()
{
	insert "$klat_module" autostart=0
	measure_in_background --duration 1h
	run -4 klat_run "${klat_short[@]}"
	contains "$output" "$klat_busy" || return 1
	run_is RUNNING
}

module_stays_or_goes()
{
	remember_machine "$klat_module"
	klat_json "${klat_short[@]}"
	machine_is_as_before "$klat_module" || return 1
	insert "$klat_module" autostart=0
	klat_json "${klat_short[@]}"
	is_loaded "$klat_module"
}

# is_refused STATUS OPTIONS WORDS: OPTIONS are split at blanks
is_refused()
{
	# shellcheck disable=SC2086 # several options
	run "-$1" klat $2 || return 1
	contains "$output" "$3" || return 1
	not is_loaded "$klat_module"
}

# are_wrong < LINES "OPTIONS|WORDS": exit 2, in words, and nothing is done
are_wrong()
{
	local options words

	while IFS='|' read -r options words; do
		is_refused 2 "$options" "$words" || return 1
	done
}

ordinary_user_is_a_skip()
{
	local user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	local measure=("${user[@]}" klat "$klat_command"
		${klat_options[0]+"${klat_options[@]}"} "${klat_short[@]}")

	run -4 "${measure[@]}"
	contains "$output" root || return 1
	insert "$klat_module" autostart=0
	run -4 "${measure[@]}"
	contains "$output" root || return 1
	run_is IDLE || return 1
	run -0 "${user[@]}" klat info
}

without_rawio_is_a_skip()
{
	insert "$klat_module" autostart=0
	run -4 setpriv --bounding-set=-sys_rawio klat "$klat_command" \
		${klat_options[0]+"${klat_options[@]}"} "${klat_short[@]}"
	contains "$output" CAP_SYS_RAWIO || return 1
	not run_is RUNNING
}

# terminal_shows LINE PART COMMAND: a live line that matches LINE, and with --quiet none
# that matches PART. The run must last for some seconds.
terminal_shows()
{
	script -qec "$3" "$BATS_TEST_TMPDIR/typescript" < /dev/null
	grep -qE $'\r.*'"$1" "$BATS_TEST_TMPDIR/typescript" || return 1
	script -qec "$3 --quiet" "$BATS_TEST_TMPDIR/quiet" < /dev/null
	not grep -qE "$2" "$BATS_TEST_TMPDIR/quiet"
}

# live_line_is_shown SERIES OPTION...: on a terminal, and only there
live_line_is_shown()
{
	terminal_shows "/2000  $1 min .* max " "/2000  $1 min" \
		"klat $klat_command ${klat_options[*]} --count 2000 ${*:2}" || return 1
	run_fine --count 2000 || return 1
	same "" "$stderr"
}
