#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm igb on */amd64: -c 2 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0 -d igb,id=n1
# klat-vm e1000e on all:bookworm/rt-amd64: -c 2 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d e1000e,id=n0,bus=rp0 -d e1000e,id=n1
# klat-vm edu on all:bookworm/rt-amd64: -c 2 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d edu,id=n0,bus=rp0 -d edu,id=n1
# klat-kernels: bookworm/amd64 bookworm/rt-amd64 sid/amd64 debug/*
# klat-bench: two NICs, one of which can be unplugged
#
# msi_lat between devices: several of a kind, devices that belong to others,
# devices that come and go. n0 sits behind a root port, where it can be unplugged.

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

setup()
{
	needs_machine
	plugged_in || plug_in
}

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded msi_lat ${DRIVER:+"$DRIVER"}
	for address in $(devices); do
		override "$address" ""
	done
}

interface_of()
{
	ls "/sys/bus/pci/devices/$1/net"
}

is_up()
{
	[[ $(cat "/sys/class/net/$1/flags") == *[13579bdf] ]]
}

# The interface can still be used as one uses interfaces
works()
{
	ip link set dev "$1" up && is_up "$1" &&
		ethtool -i "$1" | grep -q "^driver: $DRIVER" &&
		ip link set dev "$1" down
}

@test "two devices: refused with both addresses, until bdf names one" {
	remember_machine msi_lat
	refuses msi_lat -- "several devices are free" "$(hot_device)" "$(fixed_device)" "bdf"
	refuses msi_lat "source=$SOURCE" -- "$(hot_device)" "$(fixed_device)" "bdf"
	machine_is_as_before msi_lat
	for address in $(devices); do
		insert msi_lat irqPeriod=1 "bdf=$address"
		wait_until has_seen 20
		same msi_lat "$(driver_of "$address")"
		for other in $(devices); do
			[[ $other == "$address" ]] || same none "$(driver_of "$other")"
		done
		remove msi_lat
	done
	machine_is_as_before msi_lat
}

@test "klat: two devices: the one that was named is measured" {
	run -2 klat msi-lat --count 10
	contains "$output" "$(hot_device)"
	klat_json --count 100 --bdf "$(hot_device)"
	same 0 "$klat_status"
	json ".run.device == \"$(hot_device)\"" <<< "$json"
}

@test "devices that their driver holds are not taken, and go on working" {
	load_driver
	for address in $(devices); do
		same "$DRIVER" "$(driver_of "$address")"
	done
	remember_machine msi_lat
	refuses msi_lat -- "no free device" "$(hot_device) is held by driver $DRIVER" "source=soft"
	refuses msi_lat "bdf=$(hot_device)" -- "$(hot_device)" "held by driver $DRIVER"
	machine_is_as_before msi_lat
	for address in $(devices); do
		same "$DRIVER" "$(driver_of "$address")"
		works "$(interface_of "$address")"
	done
	# the tool could take one, but is not told which
	run -2 klat msi-lat --count 10
	contains "$output" "$(hot_device) ("
	contains "$output" "$(fixed_device) ("
	contains "$output" "held by driver $DRIVER"
}

@test "one of two is its driver's: the other is taken" {
	load_driver
	put "/sys/bus/pci/drivers/$DRIVER/unbind" "$(hot_device)"
	measure irqPeriod=1 irqCount=50
	same 50 "$(result 'Interrupts seen')"
	same "$DRIVER" "$(driver_of "$(fixed_device)")"
	works "$(interface_of "$(fixed_device)")"
	remove msi_lat
	# and its driver can have it back
	put "/sys/bus/pci/drivers/$DRIVER/bind" "$(hot_device)"
	works "$(interface_of "$(hot_device)")"
	# what the driver leaves behind in the device does not disturb
	put "/sys/bus/pci/drivers/$DRIVER/unbind" "$(hot_device)"
	measure irqPeriod=1 irqCount=200
	same 200 "$(result 'Interrupts seen')"
	same 0 "$(result Unanswered)"
	klat_json --count 200 --bdf "$(hot_device)"
	json ".run.seen >= 200 and ($SPURIOUS == 1 or .run.unexpected == 0)" <<< "$json"
}

@test "a device reserved for another driver is not taken" {
	override "$(hot_device)" vfio-pci
	refuses msi_lat "bdf=$(hot_device)" -- "$(hot_device)" "reserved for driver vfio-pci"
	insert msi_lat irqPeriod=1
	wait_until has_seen 20
	same msi_lat "$(driver_of "$(fixed_device)")"
	same none "$(driver_of "$(hot_device)")"
	remove msi_lat
	override "$(fixed_device)" vfio-pci
	refuses msi_lat -- "no free device" "reserved for driver vfio-pci"
	same vfio-pci "$(cat "/sys/bus/pci/devices/$(fixed_device)/driver_override")"
}

@test "a device reserved for msi_lat is taken" {
	override "$(hot_device)" msi_lat
	insert msi_lat irqPeriod=1 "bdf=$(hot_device)"
	wait_until has_seen 20
	remove msi_lat
	same msi_lat "$(cat "/sys/bus/pci/devices/$(hot_device)/driver_override")"
}

@test "unplugged during a run: FAILED; the module unloads" {
	removal_fails unplug irqPeriod=1 "bdf=$(hot_device)"
}

@test "unplugged and plugged in again: not grabbed" {
	replacement_is_not_taken irqPeriod=1 "bdf=$(hot_device)"
}

@test "plugged in beside a run on another device: not grabbed" {
	unplug
	insert msi_lat irqPeriod=1
	wait_until has_seen 20
	plug_in
	same none "$(driver_of "$(hot_device)")"
	goes_on
	# nor is it by asking the bus again
	put /sys/bus/pci/drivers_probe "$(hot_device)"
	same none "$(driver_of "$(hot_device)")"
	is_running
}

@test "unplugged during a run of klat: INVALID" {
	insert msi_lat autostart=0
	measure_in_background --bdf "$(hot_device)" --duration 1h
	unplug
	klat_has_ended
	same 3 "$klat_status"
	json '.verdict == "INVALID" and .run.state == "FAILED"' <<< "$json"
	json '.reasons | any(contains("device lost"))' <<< "$json"
	json '.series[0].count > 0' <<< "$json"
}
