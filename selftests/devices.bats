#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -t 1800 -q -netdev -q hubport,id=h0,hubid=0 -q -netdev -q hubport,id=h1,hubid=0 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0,netdev=h0 -d igb,id=n1,netdev=h1
# klat-vm sanitized on all:bookworm/amd64: --sanitize -m 1024 -c 2 -t 3600 -q -netdev -q hubport,id=h0,hubid=0 -q -netdev -q hubport,id=h1,hubid=0 -d pcie-root-port,id=rp0,slot=1,chassis=1 -d igb,id=n0,bus=rp0,netdev=h0 -d igb,id=n1,netdev=h1
# klat-kernels: bookworm/amd64 trixie/rt-amd64
# klat-bench: two NICs that are joined, and may be taken from igb
#
# NICs that igb has, taken and given back by the tool. Two of them are joined: the
# one behind the root port is measured, the other one is its peer, in a network
# namespace of its own.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash
# shellcheck disable=SC2030,SC2031 # each test is a subshell

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/msi_lat
load lib/klat

readonly STATE=/run/klat
readonly LAN=lan7
readonly LAN_MAC=02:00:00:00:07:01
readonly NEAR=192.0.2.1 FAR=192.0.2.2

setup()
{
	needs_machine
	modinfo igb > /dev/null 2>&1 || skip "this kernel has no igb"
	modprobe igb
	ip netns add near
	ip netns add far
	mine=$(hot_device)
	peer=$(fixed_device)
	ip link set dev "$(interface_of "$mine")" down
	ip link set dev "$(interface_of "$mine")" name "$LAN"
	ip link set dev "$LAN" address "$LAN_MAC" mtu 1400
}

teardown()
{
	has_machine || return 0
	end_background
	for link in bond7 br7 lan7.5; do
		ip link del "$link" 2> /dev/null || :
	done
	ip netns del near 2> /dev/null || :
	ip netns del far 2> /dev/null || :
	unload_if_loaded msi_lat igb
	for address in $(devices); do
		echo > "/sys/bus/pci/devices/$address/driver_override"
		echo 1 > "/sys/bus/pci/devices/$address/msi_bus"
	done
	rm -rf "$STATE"
}

# As seen from the first namespace: "" if it is not there
interface_of()
{
	ls "/sys/bus/pci/devices/$1/net" 2> /dev/null
}

# What of the interface and its device is to be put back. The link takes its time
# to come, and to come back: it is no part of it, nor what routes say of it.
lan_state()
{
	driver_of "$mine"
	cat "/sys/bus/pci/devices/$mine/driver_override"
	interface_of "$mine"
	cat "/sys/class/net/$LAN/address" "/sys/class/net/$LAN/mtu"
	grep -c . "/sys/class/net/$LAN/address"
	is_up && echo up || echo down
	ip -o address show dev "$LAN" scope global | sed 's/^[0-9]*: //'
	{
		ip route show dev "$LAN"
		ip -6 route show dev "$LAN" proto static
	} | sed 's/ linkdown//'
}

is_up()
{
	[[ $(cat "/sys/class/net/$LAN/flags") == *[13579bdf] ]]
}

# remember_lan, and later
lan_is_as_before()
{
	same "$before" "$(lan_state)"
	same "" "$(ls -A "$STATE" 2> /dev/null)"
}

remember_lan()
{
	before=$(lan_state)
}

# The peer goes to its namespace, for the whole test
peer_in_place()
{
	local interface

	interface=$(interface_of "$peer")
	[[ -z $interface ]] || ip link set dev "$interface" netns far name peer
	ip -n far address replace "$FAR/24" dev peer
	ip -n far link set dev peer up
}

to_near()
{
	ip link set dev "$LAN" netns near
	ip -n near link set dev "$LAN" up
}

to_first()
{
	ip -n near address flush dev "$LAN"
	ip -n near link set dev "$LAN" netns 1
}

reaches_peer()
{
	ip netns exec near ping -q -c 1 -W 1 "$FAR"
}

can_reach_peer()
{
	peer_in_place
	[[ -z $(interface_of "$mine") ]] || to_near
	ip -n near address replace "$NEAR/24" dev "$LAN"
	wait_until reaches_peer
}

# Up, without an address
idle_lan()
{
	ip link set dev "$LAN" up
	ip -6 address flush dev "$LAN" scope global
	remember_lan
}

state_file()
{
	echo "$STATE/$mine.json"
}

@test "a NIC that igb has is measured, and works again afterwards" {
	can_reach_peer
	to_first
	idle_lan
	klat_json --count 200 --bdf "$mine"
	same 0 "$klat_status"
	json ".run.device == \"$mine\" and .run.seen == 200 and .verdict == \"COMPLETE\"" \
		<<< "$json"
	lan_is_as_before
	is_up
	can_reach_peer
}

@test "an interface that is down is measured, and is down afterwards" {
	ip link set dev "$LAN" down
	remember_lan
	klat_json --count 50 --bdf "$mine"
	same 0 "$klat_status"
	lan_is_as_before
	not is_up
}

@test "with the default route: refused, and nothing is changed" {
	idle_lan
	ip address add 192.0.2.1/24 dev "$LAN"
	ip route add default via 192.0.2.254 dev "$LAN"
	remember_lan
	remember_machine msi_lat
	run -2 klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "$mine: $LAN carries the default route"
	contains "$output" "$LAN has the address 192.0.2.1/24"
	contains "$output" --force
	lan_is_as_before
	machine_is_as_before msi_lat
}

# refused_for WORDS
refused_for()
{
	remember_lan
	run -2 klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "$1"
	lan_is_as_before
}

@test "with a route, an address of IPv6: refused" {
	idle_lan
	ip route add 198.51.100.0/24 dev "$LAN"
	refused_for "$LAN carries the route to 198.51.100.0/24"
	ip route del 198.51.100.0/24 dev "$LAN"
	ip address add 2001:db8::1/64 dev "$LAN" nodad
	refused_for "$LAN has the address 2001:db8::1/64"
	# the address that IPv6 makes by itself is none
	ip address del 2001:db8::1/64 dev "$LAN"
	remember_lan
	klat_json --count 20 --bdf "$mine"
	same 0 "$klat_status"
	lan_is_as_before
}

@test "in a bridge, in a bond, with a VLAN: refused" {
	modprobe -a bridge bonding 8021q
	ip link add br7 type bridge
	ip link set dev "$LAN" master br7
	refused_for "$LAN is a port of bridge br7"
	ip link del br7
	ip link add bond7 type bond mode active-backup
	ip link set dev "$LAN" down
	ip link set dev "$LAN" master bond7
	refused_for "$LAN is a port of bond bond7"
	ip link del bond7
	ip link add link "$LAN" name lan7.5 type vlan id 5
	refused_for "$LAN carries VLAN lan7.5"
}

@test "in another network namespace: refused, and it goes on working there" {
	can_reach_peer
	run -2 klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "$mine: driver igb has it"
	contains "$output" "another network namespace"
	same igb "$(driver_of "$mine")"
	wait_until reaches_peer
	# nor does klat take what would come back where it does not see it
	ip -n near address flush dev "$LAN"
	run -2 ip netns exec near klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "$LAN would come back in the first network namespace"
	can_reach_peer
}

@test "--force: addresses and routes are put back" {
	idle_lan
	ip address add 192.0.2.1/24 dev "$LAN"
	ip address add 192.0.2.7/24 dev "$LAN"
	ip address add 2001:db8::1/64 dev "$LAN" nodad
	ip route add 203.0.113.0/24 via 192.0.2.254 dev "$LAN"
	ip route add default via 192.0.2.254 dev "$LAN" metric 7
	ip route add 198.51.100.0/24 via 198.18.0.1 dev "$LAN" onlink
	ip -6 route add default via 2001:db8::2 dev "$LAN" proto static
	remember_lan
	klat_json --count 50 --bdf "$mine" --force
	same 0 "$klat_status"
	json '.run.seen == 50' <<< "$json"
	lan_is_as_before
}

@test "--force: a route that somebody else made meanwhile stays" {
	insert msi_lat autostart=0
	idle_lan
	ip route add 203.0.113.0/24 dev "$LAN"
	measure_in_background --duration 1h --bdf "$mine" --force
	other=$(interface_of "$peer")
	ip link set dev "$other" up
	ip route add 203.0.113.0/24 dev "$other"
	kill -INT "$klat"
	klat_has_ended
	run -0 ip route show 203.0.113.0/24
	contains "$output" "dev $other "
	contains "$output" "dev $LAN "
}

@test "--force: what is lost is said" {
	modprobe bridge
	ip link add br7 type bridge
	ip link set dev "$LAN" master br7
	klat_json --count 20 --bdf "$mine" --force
	same 0 "$klat_status"
	json ".notes | any(contains(\"lost: $LAN as a port of bridge br7\"))" <<< "$json"
	same "$LAN" "$(interface_of "$mine")"
}

@test "--force: reserved for another driver, and so again" {
	put /sys/bus/pci/drivers/igb/unbind "$mine"
	put "/sys/bus/pci/devices/$mine/driver_override" vfio-pci
	run -2 klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "reserved for driver vfio-pci"
	klat_json --count 20 --bdf "$mine" --force
	same 0 "$klat_status"
	same none "$(driver_of "$mine")"
	same vfio-pci "$(cat "/sys/bus/pci/devices/$mine/driver_override")"
}

@test "without --bdf the only one that is down is taken, and given back" {
	idle_lan
	ip address add 192.0.2.9/24 dev "$(interface_of "$peer")"
	ip link set dev "$LAN" down
	remember_lan
	klat_json --count 20
	same 0 "$klat_status"
	json ".run.device == \"$mine\"" <<< "$json"
	json '.notes | any(contains("taken from driver igb"))' <<< "$json"
	lan_is_as_before
}

@test "without --bdf nothing that is up is taken from anybody" {
	idle_lan
	run -2 klat msi-lat --count 10
	contains "$output" "$mine (82576, held by driver igb, $LAN up"
	contains "$output" "$peer (82576, held by driver igb"
	contains "$output" "--bdf"
	# one of them is in use: there is but one to be had
	ip address add 192.0.2.9/24 dev "$(interface_of "$peer")"
	run -2 klat msi-lat --count 10
	contains "$output" "say --bdf $mine"
	# and now none: a skip
	ip address add 192.0.2.1/24 dev "$LAN"
	run -4 klat msi-lat --count 10
	contains "$output" "none can be taken"
	contains "$output" "--source soft"
	same igb "$(driver_of "$mine")"
	# what needs no device is not kept from running
	klat_json --count 10 --source soft
	same 0 "$klat_status"
}

@test "^C, SIGTERM and SIGHUP: given back" {
	insert msi_lat autostart=0
	idle_lan
	for signal in INT TERM HUP; do
		measure_in_background --count 1000000 --bdf "$mine"
		same msi_lat "$(driver_of "$mine")"
		kill -s $signal "$klat"
		klat_has_ended
		same 3 "$klat_status"
		json '.verdict == "INCOMPLETE"' <<< "$json"
		lan_is_as_before
	done
}

@test "a probe that fails: given back" {
	idle_lan
	# no MSI for this device, and so no vector for the module
	put "/sys/bus/pci/devices/$mine/msi_bus" 0
	run ! klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "no MSI vector to be had"
	lan_is_as_before
	put "/sys/bus/pci/devices/$mine/msi_bus" 1
	klat_json --count 20 --bdf "$mine"
	same 0 "$klat_status"
	lan_is_as_before
}

@test "a run that is refused: given back" {
	idle_lan
	insert msi_lat autostart=0
	# what the module itself asks for: not to be had without it
	run -4 setpriv --bounding-set=-sys_rawio klat msi-lat --count 10 --bdf "$mine"
	contains "$output" CAP_SYS_RAWIO
	lan_is_as_before
}

# The file of a run that is under way or was killed
killed_run()
{
	measure_in_background --count 1000000 --bdf "$mine"
	[[ -s $(state_file) ]]
	same msi_lat "$(driver_of "$mine")"
	kill -KILL "$klat"
	wait_until is_gone "$klat"
	wait_until not driver_is msi_lat
	same none "$(driver_of "$mine")"
	same "" "$(interface_of "$mine")"
	[[ -s $(state_file) ]]
}

driver_is()
{
	[[ $(driver_of "$mine") == "$1" ]]
}

@test "kill -9: klat devices --restore gives back" {
	can_reach_peer
	to_first
	idle_lan
	insert msi_lat autostart=0
	killed_run
	run -0 klat devices
	contains "$output" "--restore"
	same none "$(driver_of "$mine")"
	run -0 klat devices --restore
	contains "$output" "$mine: given back to igb"
	lan_is_as_before
	run -0 klat devices --restore
	not grep -q "given back to" <<< "$output"
	can_reach_peer
}

@test "kill -9: the next run gives back, and takes it again" {
	insert msi_lat autostart=0
	idle_lan
	killed_run
	klat_json --count 20 --bdf "$mine"
	same 0 "$klat_status"
	json '.notes | any(contains("given back to igb"))' <<< "$json"
	lan_is_as_before
	killed_run
	# a run without any device does not
	klat_json --count 20 --source soft
	same none "$(driver_of "$mine")"
	# one that is refused does
	run -2 klat msi-lat --count 20 --bdf "$mine" --period 1ns
	same none "$(driver_of "$mine")"
	run -2 klat msi-lat --count 20
	contains "$output" "given back to igb"
	lan_is_as_before
}

@test "kill -9: the module that the killed run had loaded is taken out" {
	idle_lan
	in_background klat msi-lat --count 1000000 --bdf "$mine"
	klat=$!
	wait_until is_seen
	kill -KILL "$klat"
	wait_until is_gone "$klat"
	wait_until not driver_is msi_lat
	is_loaded msi_lat
	run -0 klat devices --restore
	not is_loaded msi_lat
	lan_is_as_before
}

@test "what a living klat has taken is left alone" {
	insert msi_lat autostart=0
	idle_lan
	measure_in_background --duration 1h --bdf "$mine"
	run -0 klat devices --restore
	same msi_lat "$(driver_of "$mine")"
	[[ -s $(state_file) ]]
	run -4 klat msi-lat --count 10 --bdf "$mine"
	contains "$output" "in use"
	seen=$(result 'Interrupts seen')
	wait_until has_seen $((seen + 50))
	kill -INT "$klat"
	klat_has_ended
	lan_is_as_before
}

@test "igb is unloaded meanwhile: said; loading it gives it the device, --restore the rest" {
	insert msi_lat autostart=0
	idle_lan
	measure_in_background --duration 1h --bdf "$mine"
	rmmod igb
	kill -INT "$klat"
	klat_has_ended
	same 3 "$klat_status"
	json '.notes | any(contains("its driver igb is no longer loaded"))' <<< "$json"
	json '.reasons | any(contains("not given back"))' <<< "$json"
	[[ -s $(state_file) ]]
	same "(null)" "$(cat "/sys/bus/pci/devices/$mine/driver_override")"
	run -3 klat devices --restore
	modprobe igb
	same igb "$(driver_of "$mine")"
	run -0 klat devices --restore
	contains "$output" "$mine: given back to igb"
	lan_is_as_before
}

@test "unplugged meanwhile: INVALID, and nothing is left to be given back" {
	insert msi_lat autostart=0
	measure_in_background --duration 1h --bdf "$mine"
	vm-host device_del n0
	klat_has_ended
	json '.verdict == "INVALID" and (.notes | any(contains("no longer there")))' <<< "$json"
	same "" "$(ls -A "$STATE")"
	vm-host device_add igb,id=n0,bus=rp0,netdev=h0
	wait_until driver_is igb
}

@test "again and again" {
	idle_lan
	for _ in {1..5}; do
		klat_json --count 20 --bdf "$mine"
		same 0 "$klat_status"
		lan_is_as_before
	done
}

# device FILTER: of klat devices, for the measured NIC
device()
{
	klat devices --format json "$mine" | jq -r ".devices[0] | $1"
}

@test "klat devices: text" {
	idle_lan
	ip address add 192.0.2.9/24 dev "$(interface_of "$peer")"
	run -0 klat devices
	contains "$output" "$mine  82576 [8086:10c9]"
	contains "$output" "$LAN up"
	contains "$output" "$LAN_MAC (set)"
	contains "$output" "has the address 192.0.2.9/24"
	contains "$output" "with --bdf, and given back afterwards"
	contains "$output" "only with --bdf and --force"
	run -0 klat devices "$peer"
	contains "$output" "$peer"
	not grep -qF "$mine" <<< "$output"
	# the only one that is free, also where it is shown alone
	put /sys/bus/pci/drivers/igb/unbind "$mine"
	run -0 klat devices "$mine"
	contains "$output" "free; measured where no other is named"
	put /sys/bus/pci/drivers/igb/unbind "$peer"
	run -0 klat devices "$mine"
	contains "$output" "free; with --bdf, as it is not the only one"
}

@test "klat devices: json" {
	idle_lan
	klat devices --format json | json '.devices | length == 2 and all(.source == "igb")'
	same "$mine igb 82576 idle" "$(device '"\(.bdf) \(.driver) \(.family) \(.use)"')"
	same "$LAN true 1400 $LAN_MAC true" "$(device '.interface |
		"\(.name) \(.up) \(.mtu) \(.mac) \(.mac_set)"')"
	klat devices --format json "$mine" | json '.devices[0] |
		.msix.vectors > 1 and .msix.enabled and .msi.enabled == false and
		.numa_node == 0 and .driver_override == null and .reasons == [] and
		(.bars | any(.bar == 0 and .type == "mem32" and .state == "enabled" and
			     .size > 0 and .refusal == null))'
	# as lspci has it
	lspci -s "$mine" -vv |
		grep -q "Region 0: Memory at $(printf '%x' "$(device '.bars[0].base')") "
	ip address add 192.0.2.1/24 dev "$LAN"
	same "in use" "$(device .use)"
	same "192.0.2.1/24" "$(device '.interface.addresses[0]')"
	put /sys/bus/pci/drivers/igb/unbind "$mine"
	same "free null null" "$(device '"\(.use) \(.driver) \(.interface)"')"
	klat devices --format json | json ".chosen == \"$mine\" and (.devices[0].notes == [])"
	setpci -s "$mine" COMMAND=0:2
	klat devices --format json "$mine" | json '.devices[0].bars[0] |
		.state == "disabled" and (.refusal | contains("not enabled"))'
}

@test "klat devices: any device can be asked for; none is no device" {
	run -0 klat devices 00:00.0
	contains "$output" "klat cannot measure with a 8086:29c0"
	run -4 klat devices 00:1e.7
	contains "$output" "no such device"
	run -2 klat devices eth0
	contains "$output" "no PCI address"
	run -2 klat devices "$mine" "$peer"
}

@test "an ordinary user: devices are listed, none is taken" {
	user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	idle_lan
	run -0 "${user[@]}" klat devices
	contains "$output" "$mine"
	contains "$output" "MSI unknown (try as root)"
	insert msi_lat autostart=0
	run -4 "${user[@]}" klat msi-lat --count 10 --bdf "$mine"
	lan_is_as_before
}
