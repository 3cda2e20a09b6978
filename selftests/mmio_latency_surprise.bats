#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 --native-hotplug -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0
# klat-kernels: bookworm/rt-amd64 sid/rt-amd64 debug/*
# klat-bench: devices that can be torn out
#
# mmio_latency on a device that is gone before anybody is told. QEMU answers reads
# of what is not there with zeros, hardware with ones; the register that is read
# here is neither.

# shellcheck disable=SC2154 # set by bats

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/device
load lib/mmio_latency

setup()
{
	needs_machine
	plugged_in || plug_in
	memory_on "$(hot_device)"
}

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded mmio_latency
}

# slot_off: the device is away, and the kernel does not hear of it
slot_off()
{
	setpci -s "$(hot_port)" CAP_EXP+18.w=0700:0700
}

# lost_by HOW: nothing is counted that was read when it was gone
lost_by()
{
	run_begins "bdf=$(hot_device)" offset=8 loops=-1 pause=10
	log_mark
	"$1"
	fails_with "device lost"
	wait_until log_has "State: FAILED (device lost"
	all=$(seen)
	same "$all" "$(text_value loops)"
	holds "$(result Unanswered) <= 64"
	remove mmio_latency
}

@test "torn out during a run: FAILED" {
	lost_by tear_out
}

@test "torn out at the very next run: FAILED again" {
	lost_by tear_out
}

# The value of the setting in the tool's result
last_value()
{
	jq '.settings[] | select(.name == "value") | .after' "$BATS_TEST_TMPDIR/json"
}

@test "klat: the last value that counts is the device's, not that of nothing" {
	insert mmio_latency autostart=0
	klat mmio --bdf "$(hot_device)" --bar 0 --offset 0x8 --count 100 --format json \
		> "$BATS_TEST_TMPDIR/json"
	value=$(last_value)
	holds "$value != 0 && $value != 0xffffffff"
	in_background klat mmio --bdf "$(hot_device)" --bar 0 --offset 0x8 --duration 1h \
		--format json --output "$BATS_TEST_TMPDIR/json"
	klat=$!
	# more than the run before has
	wait_until has_seen 200
	tear_out
	status=0
	wait "$klat" || status=$?
	same 3 "$status"
	json '.run.state == "FAILED" and .verdict == "INVALID"' < "$BATS_TEST_TMPDIR/json"
	json '.reasons | any(contains("device lost"))' < "$BATS_TEST_TMPDIR/json"
	same "$value" "$(last_value)"
}

# The last test: the kernel does not look at the slot again, whatever is plugged in.
@test "its slot is switched off during a run, and nobody is told: FAILED" {
	device=$(hot_device)
	lost_by slot_off
	wait_until log_has "State: FAILED (device lost: it does not answer)"
	refuses mmio_latency "bdf=$device" offset=8 -- "$device" "does not answer"
}
