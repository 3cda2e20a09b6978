#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -d igb -t 1200
# klat-kernels: bookworm/amd64
# klat-bench: an emulated NIC with known registers
#
# klat mmio, on one emulated NIC. What is read there: an entry of its MSI-X table
# (BAR 3), whose mask bit is set while no driver uses it, and the device's status
# (BAR 0, 0x8). Neither cares about being read.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/msi_lat
load lib/klat

readonly MASK=(--bar 3 --offset 0xc)
readonly STATUS=(--bar 0 --offset 0x8)

subject mmio mmio_latency --bdf "$(nic)" "${MASK[@]}"

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded mmio_latency
	echo 1 > "$TRACING_ON"
	nic_to none
	command_of_nic "$command_before"
}

setup()
{
	needs_machine
	command_before=$(setpci -s "$(nic)" COMMAND)
	nic_to none
}

# nic_to DRIVER: igb, or none
nic_to()
{
	local now

	now=$(driver_of "$(nic)")
	[[ $now != "$1" ]] || return 0
	[[ $now == none ]] || put "/sys/bus/pci/drivers/$now/unbind" "$(nic)"
	[[ $1 == none ]] && return
	# it may bind the device by itself
	modprobe "$1"
	[[ $(driver_of "$(nic)") == "$1" ]] || put "/sys/bus/pci/drivers/$1/bind" "$(nic)"
}

# command_of_nic HEX: its command register
command_of_nic()
{
	setpci -s "$(nic)" COMMAND="$1"
}

# address_of BAR OFFSET
address_of()
{
	local start

	read -r start _ < <(sed -n "$(($1 + 1))p" "/sys/bus/pci/devices/$(nic)/resource")
	printf '0x%x\n' $((start + $2))
}

# setting NAME: what was in effect in the end
setting()
{
	jq -r ".settings[] | select(.name == \"$1\") | .after" <<< "$json"
}

# outliers_fit SETTING SERIES NS: as many were counted as SERIES has values above NS, by
# its histogram: exactly so below 128 ticks, and up to the bucket of NS elsewhere.
# That all values are above 0, or below some time, is nothing to count on: QEMU
# keeps its TSC from going back with the host's, so that two stamps can be the
# same, and a CPU can stand still between them.
outliers_fit()
{
	json "(.module.clock_hz * $3 / 1e9 | round) as \$ticks |
		(.settings[] | select(.name == \"$1\").after) as \$found |
		(.series[] | select(.name == \"$2\").histogram) as \$histogram |
		([\$histogram[] | select(.lower_ticks > \$ticks).count] | add // 0) <= \$found and
		([\$histogram[] | select(.upper_ticks > \$ticks).count] | add // 0) >= \$found" \
		<<< "$json"
}

# mmio OPTION...: without the subject's own
mmio()
{
	klat_status=0
	json=$(klat mmio --format json "$@") || klat_status=$?
}

@test "an ordinary run is COMPLETE, and labelled as emulated" {
	runs_complete --cpu 1
	json '.benchmark == "mmio" and .module.name == "mmio_latency"' <<< "$json"
	json '.run.seen == 500 and .series[0].name == "read" and .series[1].name == "gap"' \
		<<< "$json"
	same "$(nic)" "$(jq -r .run.device <<< "$json")"
	json 'all(.series[0].worst[]; .cpu == 1)' <<< "$json"
}

@test "text: the label, the device, the BAR, the offset, the width and the value" {
	text_has_label read gap \
		"reads:  $(nic) BAR 3 offset 0xc, 4 bytes each, the last one gave 0x00000001"
	not contains "$output" "a driver holds"
	not contains "$output" "prefetchable:"
}

@test "json: histogram, percentiles and worst agree with the statistics" {
	json_agrees read
	json '.series[0].count == 1000' <<< "$json"
}

# bats test_tags=shared
@test "csv: a line for each series" {
	csv_is_table
	contains "$output" $'\nmmio,read,ns,100,'
}

# bats test_tags=shared
@test "hist: values ascend, counts add up" {
	hist_adds_up
	contains "$output" "# Total: 000000300"
}

@test "eci: the block" {
	run -0 --separate-stderr klat_run --count 160 --format eci --mmio-threshold 1ns
	same "RT Core Module" "${lines[1]}"
	same " Stats:" "${lines[3]}"
	same 4 "$(grep -cE '^  (max|avg|min|total)= [0-9]+$' <<< "$output")"
	contains "$output" $'\n  loops= 160\n\n mmio-outliers: '
	contains "$output" $'\n sched-outliers: '
	# total is loops times avg, but for rounding; and all are above 1 ns if the least is
	awk -F'[=:] ' '{ v[$1] = $2 }
		END { d = v["  total"] - v["  loops"] * v["  avg"]
		      out = v[" mmio-outliers"]
		      exit !(v["  min"] <= v["  avg"] && v["  avg"] <= v["  max"] &&
			     d >= -v["  loops"] && d <= v["  loops"] &&
			     out > 0 && (out == 160 || v["  min"] <= 1)) }' <<< "$output"
}

# bats test_tags=shared
@test "ktap: three cases" {
	ktap_has_three_cases
}

# bats test_tags=shared
@test "--output writes a file, and nothing elsewhere" {
	output_goes_to_file
}

@test "the value that is read, in each width" {
	klat_json --count 16
	same 0 "$klat_status"
	same 1 "$(setting value)"
	# QEMU's MSI-X table answers no read below 4 bytes
	mmio --bdf "$(nic)" "${STATUS[@]}" --count 16 --width 4
	same 0 "$klat_status"
	status_now=$(setting value)
	holds "($status_now & 0xff) != 0 && $status_now > 0xffff"
	for width in 1 2; do
		mmio --bdf "$(nic)" "${STATUS[@]}" --count 16 --width $width
		same 0 "$klat_status"
		same $width "$(setting width)"
		same $((status_now & ((1 << 8 * width) - 1))) "$(setting value)"
	done
	# the entry's data, and its mask in the upper half
	mmio --bdf "$(nic)" --bar 3 --offset 0x8 --count 16 --width 8
	same 0 "$klat_status"
	same $((1 << 32)) "$(setting value)"
	same 3 "$(setting bar)"
	same 8 "$(setting offset)"
}

@test "--address: the same register by its physical address" {
	mmio --address "$(address_of 3 0xc)" --count 16
	same 0 "$klat_status"
	same 3 "$(setting bar)"
	same 12 "$(setting offset)"
	same 1 "$(setting value)"
	same "$(nic)" "$(jq -r .run.device <<< "$json")"
}

@test "--burst: a gap between two reads of the same burst" {
	klat_json --count 160 --burst 16
	json '.series[0].count == 160 and .series[1].count == 150' <<< "$json"
	klat_json --count 50 --burst 1
	json '.series[0].count == 50 and .series[1].count == 0' <<< "$json"
	same 0 "$klat_status"
}

@test "--pause: between the bursts" {
	klat_json --count 80 --burst 4 --pause 20ms
	json '.run.duration_ns >= 19 * 20e6' <<< "$json"
}

@test "--block-irq" {
	klat_json --count 160 --block-irq
	same 0 "$klat_status"
	json '.config.block_irq and .series[0].count == 160' <<< "$json"
}

@test "--mmio-threshold and --sched-threshold: what is above them is counted" {
	klat_json --count 160 --mmio-threshold 1ns --sched-threshold 1s
	outliers_fit mmio_outliers read 1
	outliers_fit sched_outliers gap 1e9
	holds "$(setting mmio_outliers) > $(setting sched_outliers)"
	klat_json --count 160 --mmio-threshold 1s --sched-threshold 1ns
	outliers_fit mmio_outliers read 1e9
	outliers_fit sched_outliers gap 1
	holds "$(setting sched_outliers) > $(setting mmio_outliers)"
	# an outlier is a value like any other
	json '.series[0].count == 160 and .series[0].worst[0].ticks == .series[0].ticks.max' \
		<<< "$json"
}

@test "--force: a device that a driver holds is read only when asked, and left to it" {
	nic_to igb
	run -4 klat mmio --bdf "$(nic)" "${STATUS[@]}" --count 16
	contains "$output" igb
	mmio --bdf "$(nic)" "${STATUS[@]}" --count 16 --force
	same 0 "$klat_status"
	same 1 "$(setting bound)"
	json '.notes | any(contains("a driver holds the device"))' <<< "$json"
	same igb "$(driver_of "$(nic)")"
}

@test "a register that is none: refused, in words" {
	run -2 klat mmio --bdf "$(nic)" --bar 3 --offset 0x100000 --count 16
	contains "$output" offset
	run -2 klat mmio --bdf "$(nic)" --bar 3 --offset 0xe --count 16
	contains "$output" offset
	run -2 klat mmio --bdf "$(nic)" --bar 5 --offset 0x0 --count 16
	contains "$output" BAR
	# 82576: BAR 2 is of I/O ports
	run -2 klat mmio --bdf "$(nic)" --bar 2 --offset 0x0 --count 16
	contains "$output" BAR
	run -2 klat mmio --address 0x100000 --count 16
	contains "$output" 0x100000
	run -4 klat mmio --bdf 00:1e.7 --bar 0 --offset 0x0 --count 16
	contains "$output" 00:1e.7
	not is_loaded mmio_latency
}

@test "a BAR that is not enabled: a skip, in words" {
	command_of_nic 0000
	run -4 klat_run --count 16
	contains "$output" "not enabled"
	same 0000 "$(setpci -s "$(nic)" COMMAND)"
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

@test "--limit: exit 1, the run stopped, the trace frozen" {
	limit_stops_run
	json '.limit.of == "read"' <<< "$json"
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
	json '.series[0].count == .run.seen' <<< "$json"
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
	run_of_insmod_is_a_skip bdf="$(nic)" bar=3 offset=12 loops=-1
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
	mmio|which register
	mmio --bdf 01:00.0|which register
	mmio --bdf 01:00.0 --bar 0|which register
	mmio --bdf 01:00.0 --offset 0x0|which register
	mmio --bar 0 --offset 0x0|which register
	mmio --address 0xfebc0000 --bar 0|which register
	mmio --address 80002000|hexadecimal
	mmio --bdf 01:00.0 --bar 0 --offset 12|hexadecimal
	mmio --bdf 01:00.0 --bar 6 --offset 0x0|0 .. 5
	mmio --address 0xfebc0000 --width 3|1 2 4 8
	mmio --address 0xfebc0000 --burst 65|1 .. 64
	mmio --address 0xfebc0000 --burst 0|1 .. 64
	mmio --address 0xfebc0000 --pause 9us|10us .. 1h
	mmio --address 0xfebc0000 --mmio-threshold 2s|1ns .. 1s
	mmio --address 0xfebc0000 --cpu 99|99
	mmio --address 0xfebc0000 --user|user
	mmio operand|operand
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
	live_line_is_shown read --pause 20ms
}
