#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0 -d igb,id=n1
# klat-kernels: bookworm/rt-amd64 trixie/amd64 debug/*
# klat-bench: devices that can be unplugged
#
# mmio_latency on devices that come and go: n0 sits behind a root port, where it
# can be unplugged.

# shellcheck disable=SC2154 # set in lib/common.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/device
load lib/mmio_latency
load lib/klat

setup_file()
{
	load_once mmio_latency
}

setup()
{
	needs_machine
	plugged_in || plug_in
	# what is plugged in has its memory switched off until a driver wants it
	memory_on "$(hot_device)"
}

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded mmio_latency msi_lat igb
}

root_port()
{
	local path

	path=$(readlink -f "/sys/bus/pci/devices/$(hot_device)")
	basename "${path%/*}"
}

has_testdev()
{
	[[ -n $(testdev) ]]
}

@test "unplugged during a run: FAILED, and the next one can be measured" {
	run_begins "bdf=$(hot_device)" offset=8 loops=-1
	claimed_by_us
	log_mark
	unplug
	fails_with "device lost"
	wait_until log_has "State: FAILED (device lost"
	same "$(seen)" "$(text_value loops)"
	remove mmio_latency
	same "" "$(kernel_threads mmio_latency)"
	plug_in
	refuses mmio_latency "bdf=$(hot_device)" offset=8 -- "not enabled"
	memory_on "$(hot_device)"
	measure "bdf=$(hot_device)" offset=8 loops=100
}

@test "unplugged and plugged in again: not read" {
	run_begins "bdf=$(hot_device)" offset=8 loops=-1
	unplug
	fails_with "device lost"
	all=$(seen)
	plug_in
	memory_on "$(hot_device)"
	state_is FAILED
	same "$all" "$(seen)"
	not claimed_by_us
}

@test "unplugged during a run with force on its driver's BAR: FAILED" {
	modprobe -q igb || skip "this kernel has no igb"
	run_begins "bdf=$(hot_device)" offset=8 loops=-1 force=1
	unplug
	fails_with "device lost"
	remove mmio_latency
}

@test "unplugged while a run starts: refused or FAILED, never a hang" {
	for _ in 1 2 3 4; do
		address=$(hot_device)
		memory_on "$address"
		in_background bash -c "until ! insmod mmio_latency.ko bdf=$address offset=8 \
			loops=-1 verbosity=0 || ! rmmod mmio_latency; do :; done 2> /dev/null"
		unplug
		wait_until is_gone "${background[-1]}"
		unload_if_loaded mmio_latency
		plug_in
	done
}

@test "a driver that declines the device does not end the run" {
	run_begins "bdf=$(hot_device)" offset=8 loops=-1
	# msi_lat is offered every free device that it knows, and takes but one
	insmod msi_lat.ko "bdf=$(fixed_device)"
	same msi_lat "$(driver_of "$(fixed_device)")"
	same none "$(driver_of "$(hot_device)")"
	goes_on
	claimed_by_us
	rmmod msi_lat
	goes_on
}

@test "a bridge that lets no memory reads through: FAILED, and refused" {
	port=$(root_port)
	run_begins "bdf=$(hot_device)" offset=8 loops=-1
	memory_off "$port"
	fails_with "device lost: a bridge above it"
	remove mmio_latency
	refuses mmio_latency "bdf=$(hot_device)" offset=8 -- "a bridge above it"
	memory_on "$port"
	measure "bdf=$(hot_device)" offset=8 loops=100
}

@test "a device that leaves D0: FAILED, and refused" {
	device=$(hot_device)
	run_begins "bdf=$device" offset=8 loops=-1
	setpci -s "$device" CAP_PM+4.w=3:3
	fails_with "device lost: it is not in power state D0"
	remove mmio_latency
	refuses mmio_latency "bdf=$device" offset=8 -- "$device" "power state D0"
	setpci -s "$device" CAP_PM+4.w=0:3
}

@test "a BAR without an address is refused" {
	unplug
	# more than the window of the port has room for
	vm-host device_add pci-testdev,id=t0,bus=rp0,membar=64G
	wait_until has_testdev
	memory_on "$(testdev)"
	refuses mmio_latency "bdf=$(testdev)" bar=2 -- \
		"$(testdev)" "BAR 2" "no address assigned"
	vm-host device_del t0
}
