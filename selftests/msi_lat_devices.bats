#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm: -c 2 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0 -d igb,id=n1
#
# msi_lat between devices: several NICs, NICs that belong to others, NICs that
# come and go. n0 sits behind a root port, where it can be unplugged.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/msi_lat
load lib/klat

setup_file()
{
	insert msi_lat autostart=0
	remove msi_lat
}

setup()
{
	plugged_in || plug_in
}

teardown()
{
	end_background
	unload_if_loaded msi_lat igb
	for address in $(nics); do
		override "$address" ""
	done
}

# The NIC behind the root port, which has a bus of its own, and the other
hot_nic()
{
	nics | grep -v '^0000:00:'
}

fixed_nic()
{
	nics | grep '^0000:00:'
}

plugged_in()
{
	[[ -n $(hot_nic) ]]
}

plug_in()
{
	vm-host device_add igb,id=n0,bus=rp0
	wait_until plugged_in
}

unplug()
{
	vm-host device_del n0
	wait_until not plugged_in
}

# override ADDRESS DRIVER: "" for none
override()
{
	echo "$2" > "/sys/bus/pci/devices/$1/driver_override"
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
		ethtool -i "$1" | grep -q '^driver: igb' &&
		ip link set dev "$1" down
}

@test "two NICs: refused with both addresses, until bdf names one" {
	remember_machine msi_lat
	refuses msi_lat -- "several devices are free" "$(hot_nic)" "$(fixed_nic)" "bdf"
	refuses msi_lat source=igb -- "$(hot_nic)" "$(fixed_nic)" "bdf"
	machine_is_as_before msi_lat
	for address in $(nics); do
		insert msi_lat irqPeriod=1 "bdf=$address"
		wait_until has_seen 20
		same msi_lat "$(driver_of "$address")"
		for other in $(nics); do
			[[ $other == "$address" ]] || same none "$(driver_of "$other")"
		done
		remove msi_lat
	done
	machine_is_as_before msi_lat
}

@test "klat: two NICs: the one that was named is measured" {
	run -2 klat msi-lat --count 10
	contains "$output" "$(hot_nic)"
	klat_json --count 100 --bdf "$(hot_nic)"
	same 0 "$klat_status"
	json ".run.device == \"$(hot_nic)\"" <<< "$json"
}

@test "NICs that igb holds are not taken, and go on working" {
	modprobe igb
	for address in $(nics); do
		same igb "$(driver_of "$address")"
	done
	remember_machine msi_lat
	refuses msi_lat -- "no free device" "$(hot_nic) is held by driver igb" "source=soft"
	refuses msi_lat "bdf=$(hot_nic)" -- "$(hot_nic)" "held by driver igb"
	machine_is_as_before msi_lat
	for address in $(nics); do
		same igb "$(driver_of "$address")"
		works "$(interface_of "$address")"
	done
	# the tool could take one, but is not told which
	run -2 klat msi-lat --count 10
	contains "$output" "$(hot_nic) (82576, held by driver igb"
	contains "$output" "$(fixed_nic) (82576, held by driver igb"
}

@test "one NIC of two is igb's: the other is taken" {
	modprobe igb
	put /sys/bus/pci/drivers/igb/unbind "$(hot_nic)"
	measure irqPeriod=1 irqCount=50
	same 50 "$(result 'Interrupts seen')"
	same igb "$(driver_of "$(fixed_nic)")"
	works "$(interface_of "$(fixed_nic)")"
	remove msi_lat
	# and igb can have it back
	put /sys/bus/pci/drivers/igb/bind "$(hot_nic)"
	works "$(interface_of "$(hot_nic)")"
	# what igb leaves behind in the device does not disturb
	put /sys/bus/pci/drivers/igb/unbind "$(hot_nic)"
	measure irqPeriod=1 irqCount=200
	same 200 "$(result 'Interrupts seen')"
	same 0 "$(result Unanswered)"
}

@test "a NIC reserved for another driver is not taken" {
	override "$(hot_nic)" vfio-pci
	refuses msi_lat "bdf=$(hot_nic)" -- "$(hot_nic)" "reserved for driver vfio-pci"
	insert msi_lat irqPeriod=1
	wait_until has_seen 20
	same msi_lat "$(driver_of "$(fixed_nic)")"
	same none "$(driver_of "$(hot_nic)")"
	remove msi_lat
	override "$(fixed_nic)" vfio-pci
	refuses msi_lat -- "no free device" "reserved for driver vfio-pci"
	same vfio-pci "$(cat "/sys/bus/pci/devices/$(fixed_nic)/driver_override")"
}

@test "a NIC reserved for msi_lat is taken" {
	override "$(hot_nic)" msi_lat
	insert msi_lat irqPeriod=1 "bdf=$(hot_nic)"
	wait_until has_seen 20
	remove msi_lat
	same msi_lat "$(cat "/sys/bus/pci/devices/$(hot_nic)/driver_override")"
}

@test "unplugged during a run: FAILED; the module unloads" {
	insert msi_lat irqPeriod=1 "bdf=$(hot_nic)"
	wait_until has_seen 20
	log_mark
	unplug
	wait_until state_is FAILED
	contains "$(result State)" "device lost"
	log_has "State: FAILED (device lost"
	same "" "$(irq_number)"
	same 2000000000 "$(latency_qos | tr -d ' ')"
	remove msi_lat
	same "" "$(kernel_threads msi_lat)"
	plug_in
	measure irqPeriod=1 irqCount=20 "bdf=$(hot_nic)"
}

@test "unplugged and plugged in again: not grabbed" {
	insert msi_lat irqPeriod=1 "bdf=$(hot_nic)"
	wait_until has_seen 20
	unplug
	wait_until state_is FAILED
	plug_in
	same none "$(driver_of "$(hot_nic)")"
	state_is FAILED
}

@test "plugged in beside a run on another NIC: not grabbed" {
	unplug
	insert msi_lat irqPeriod=1
	wait_until has_seen 20
	plug_in
	same none "$(driver_of "$(hot_nic)")"
	seen=$(result 'Interrupts seen')
	wait_until has_seen $((seen + 20))
	# nor is it by asking the bus again
	put /sys/bus/pci/drivers_probe "$(hot_nic)"
	same none "$(driver_of "$(hot_nic)")"
	is_running
}

@test "unplugged during a run of klat: INVALID" {
	insert msi_lat autostart=0
	measure_in_background --bdf "$(hot_nic)" --duration 1h
	unplug
	klat_has_ended
	same 3 "$klat_status"
	json '.verdict == "INVALID" and .run.state == "FAILED"' <<< "$json"
	json '.reasons | any(contains("device lost"))' <<< "$json"
	json '.series[0].count > 0' <<< "$json"
}
