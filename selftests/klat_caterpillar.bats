#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -t 1200
# klat-kernels: bookworm/amd64
# klat-needs: tool=caterpillar cpus=2
#
# klat caterpillar. One test cycle is one sample here, unless a test says otherwise.

# shellcheck disable=SC2154,SC2034 # set by bats and in lib/klat.bash, and for that
# shellcheck disable=SC2016 # jq has variables, too

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/klat

subject caterpillar caterpillar --cycles 1 --operations 100 --buffer 4K
# a long run has no line for each of its cycles
klat_long=(--cycles 10000 --count 1000000)

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded caterpillar
	echo 1 > "$TRACING_ON"
}

# rows: those of the table in $output, without what is said of some behind them
rows()
{
	awk 'NF >= 9 && $7 ~ /^[0-9]+$/ && $1 ~ /^([0-9]+|-)$/' <<< "$output"
}

# deviates VALUE EXPECTED: two standard deviations, one of them rounded
deviates()
{
	awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d <= 0.51 && d >= -0.51) }' ||
		{ echo "$1 is not $2"; return 1; }
}

@test "an ordinary run is COMPLETE, and labelled as emulated" {
	runs_complete --cpu 1
	json '.benchmark == "caterpillar" and .module.name == "caterpillar"' <<< "$json"
	json '.run.seen == 500 and .series[0].name == "cycle" and .series[0].count == 500' \
		<<< "$json"
	json 'all(.series[0].worst[]; .cpu == 1)' <<< "$json"
	json '.config | .samples == 500 and .cycles == 1 and .operations == 100 and
		.buffer == 4096 and .walk == "permuted" and .prefetch' <<< "$json"
	json '.settings | any(.name == "warm_ticks") and any(.name == "huge_pages")' <<< "$json"
}

@test "text: the label, the table, then the statistics" {
	text_has_label SampleMin SessionJitter Hz cycle
	same 100 "$(rows | wc -l)"
	holds "$(grep -n SampleMin <<< "$output" | cut -d: -f1) <
		$(grep -n '^cycle ' <<< "$output" | cut -d: -f1)"
}

@test "eci: the table, whose session is what the module counted" {
	run_fine --cycles 50 --samples 8 --format eci
	contains "${lines[0]}" emulated
	contains "${lines[1]}" ticks
	same "SampleMin SampleMax SmplJitter SessionMin SessionMax SessionJitter Sample" \
		"$(awk '/SampleMin/ { print $1, $2, $3, $4, $5, $6, $7 }' <<< "$output")"
	same "1 2 3 4 5 6 7 8" "$(rows | awk '{ print $7 }' | xargs)"
	# running extremes, and a spread that is theirs
	rows | awk '{ if ($1 < min || NR == 1) min = $1
		      if ($2 > max) max = $2
		      exit_now = $4 != min || $5 != max || $8 != $2 - $1 || $9 != $5 - $4 ||
				 $3 > $8 || $6 > $9
		      if (exit_now) exit 1 }'
	not contains "$output" verdict:
}

@test "json: the table agrees with the series, and nothing was lost" {
	klat_json --cycles 50 --samples 8
	same 0 "$klat_status"
	json '.table | .unit == "ticks" and .cycles_per_sample == 50 and
		.samples_left_out == 0 and (.samples | length) == 8' <<< "$json"
	json '.table.samples | all(.state == "whole" and .cycles == 50 and
		.sample.spread == .sample.max - .sample.min and
		.session.spread == .session.max - .session.min and
		.sample.jitter <= .sample.spread)' <<< "$json"
	json '.table.samples[-1].session as $s | .series[0].ticks |
		.min == $s.min and .max == $s.max' <<< "$json"
	deviates "$(jq '.table.samples[-1].session.jitter' <<< "$json")" \
		"$(jq '.series[0].ticks.stddev' <<< "$json")"
	json '.series[0] | .count == 400 and (.histogram | map(.count) | add) == 400' <<< "$json"
}

# bats test_tags=shared
@test "csv: a line for each series" {
	csv_is_table
	contains "$output" $'\ncaterpillar,cycle,ns,100,'
}

# bats test_tags=shared
@test "hist: values ascend, counts add up" {
	hist_adds_up
}

# bats test_tags=shared
@test "ktap: three cases" {
	ktap_has_three_cases
}

# bats test_tags=shared
@test "--output writes a file, and nothing elsewhere" {
	output_goes_to_file
}

@test "--buffer, --walk: in effect, and refused in words" {
	klat_json --samples 20 --buffer 4M --walk stride
	same 0 "$klat_status"
	json '.config.buffer == 4194304 and .config.walk == "stride"' <<< "$json"
}

@test "--no-prefetch: a CPU without the switch is refused, with its reason" {
	needs_bench "a CPU without the switch"
	run -2 klat_run --samples 20 --no-prefetch
	contains "$output" prefetch
	not is_loaded caterpillar
}

@test "a cycle that would take longer than 10 ms is refused, in words" {
	run -2 klat_run --samples 2 --operations 10000000
	contains "$output" operations
	not is_loaded caterpillar
}

# bats test_tags=shared
@test "--allow-idle: without it the CPUs are kept awake" {
	allow_idle_is_heeded
}

# bats test_tags=shared
@test "--no-disturb: nothing is known of other interrupts" {
	klat_json --samples 100 --no-disturb
	json '.series[0].worst | length > 0 and all(.disturbances.irq == null)' <<< "$json"
	klat_json --samples 100
	json '.series[0].worst | any(.disturbances.irq != null)' <<< "$json"
}

# bats test_tags=shared
@test "--duration ends a run, which is COMPLETE" {
	duration_ends_run
}

@test "a sample that the end of the run cuts is marked" {
	klat_json --duration 200ms --cycles 10000000
	same 0 "$klat_status"
	json '.table.samples | length == 1 and .[0].number == 1 and
		(.[0].state == "cut" or .[0].state == "lost")' <<< "$json"
	json '.table.samples[0].cycles <= .run.seen' <<< "$json"
}

@test "--limit: exit 1, the run stopped, the trace frozen" {
	limit_stops_run
	json '.limit.of == "cycle"' <<< "$json"
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
	run_of_insmod_is_a_skip samples=-1 cycles=1 operations=100
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
	caterpillar --cycles 0|1 .. 10000000
	caterpillar --operations 10000001|1 .. 10000000
	caterpillar --samples 0|1 ..
	caterpillar --samples -1|whole number
	caterpillar --buffer 2047|4K .. 1G
	caterpillar --buffer 6000|multiple of 4K
	caterpillar --buffer 2G|4K .. 1G
	caterpillar --buffer 4Q|size
	caterpillar --walk zigzag|permuted stride
	caterpillar --cpu 99|99
	caterpillar --user|user
	caterpillar operand|operand
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

@test "a live line on a terminal: the latest sample" {
	terminal_shows "  sample [0-9]+: .* session: " "  sample [0-9]*:" \
		"klat caterpillar --cycles 100 --operations 100 --buffer 4K --duration 3s"
}
