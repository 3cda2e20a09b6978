# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# The devices that interrupts come from: of which kind the machine has one (or
# more) says KLAT_VARIANT, their drivers, and how they come and go.

# SOURCE is the name of klat's source, and of QEMU's device; DRIVER the driver
# that the kernel has for it; MESSAGES how it signals; SPURIOUS 1 if it also
# sends messages of itself: QEMU's e1000e (seen in 10.0) sends one
# when its throttling timer expires, even if nothing is pending, and has that
# timer run also where the throttling is 0.
SPURIOUS=0
# of the device that a user named
if ! on_bench && [[ -n ${KLAT_TEST_BDF:-} ]]; then
	KLAT_VARIANT=$(klat devices --format json "${KLAT_TEST_BDF%% *}" |
		jq -r '.devices[0].source')
fi
case ${KLAT_VARIANT:-igb} in
igc)	SOURCE=igc DEVICE_ID='' DRIVER=igc MESSAGES=msix ;;
e1000e)	SOURCE=e1000e DEVICE_ID=8086:10d3 DRIVER=e1000e MESSAGES=msix SPURIOUS=1 ;;
edu)	SOURCE=edu DEVICE_ID=1234:11e8 DRIVER='' MESSAGES=msi ;;
*)	SOURCE=igb DEVICE_ID=8086:10c9 DRIVER=igb MESSAGES=msix ;;
esac
readonly SOURCE DEVICE_ID DRIVER MESSAGES SPURIOUS

# The addresses of the devices of that kind. Without other programs, for it is
# asked again and again; a device may go in between.
devices()
{
	local dir vendor device named

	if ! on_bench; then
		read -ra named <<< "${KLAT_TEST_BDF:-}"
		printf '%s\n' "${named[@]}"
		return
	fi
	for dir in /sys/bus/pci/devices/*; do
		{ read -r vendor < "$dir/vendor" && read -r device < "$dir/device"; } \
			2> /dev/null || continue
		[[ ${vendor#0x}:${device#0x} != "$DEVICE_ID" ]] || echo "${dir##*/}"
	done
}

device()
{
	devices | head -n 1
}

# driver_of ADDRESS: "none" if there is none
driver_of()
{
	local driver

	driver=$(readlink "/sys/bus/pci/devices/$1/driver") || driver=none
	echo "${driver##*/}"
}

# messages_of ADDRESS: how its interrupts are signalled, a line each
messages_of()
{
	cat "/sys/bus/pci/devices/$1/msi_irqs"/*
}

# nic_options: for klat, which would look for a device by itself
nic_options()
{
	on_bench || printf '%s\n' --bdf "$(device)"
}

# unbind ADDRESS: from the module, as an administrator would
unbind()
{
	put "/sys/bus/pci/drivers/$MODULE/unbind" "$1"
}

# override ADDRESS DRIVER: "" for none
override()
{
	put "/sys/bus/pci/devices/$1/driver_override" "$2"
}

# load_driver: the kernel's own, which takes all of the devices
load_driver()
{
	[[ -n $DRIVER ]] || skip "no driver but klat knows $SOURCE"
	modprobe -q "$DRIVER" || skip "this kernel has no driver $DRIVER"
}

# The device n0 sits behind the root port rp0, where it can be unplugged, and
# which has a bus of its own; n1, if there is one, on the root bus.
hot_device()
{
	local address

	for address in $(devices); do
		[[ $address == 0000:00:* ]] || echo "$address"
	done
}

fixed_device()
{
	devices | grep '^0000:00:'
}

plugged_in()
{
	[[ -n $(hot_device) ]]
}

# hot_port: the address of rp0
hot_port()
{
	local bus

	read -r bus < /sys/bus/pci/slots/1/address
	bus=$(echo "/sys/bus/pci/devices"/*/"pci_bus/${bus%:*}")
	bus=${bus%/pci_bus/*}
	echo "${bus##*/}"
}

# slot_is_free: the kernel has done with what was in the slot. Where it has the slot's
# hotplug (pciehp) it switches power and light off, a second after the device is gone;
# what is plugged in before that is unplugged by it.
slot_is_free()
{
	local port

	port=$(hot_port)
	[[ -e $(echo /sys/bus/pci_express/drivers/pciehp/"$port":*) ]] || return 0
	(( (0x$(setpci -s "$port" CAP_EXP+18.w) & 0x0700) == 0x0700 ))
}

# A device can be seen before it is offered to drivers: looking for more of them
# waits for whoever is at work on the bus.
plug_in()
{
	wait_until slot_is_free
	vm-host device_add "$SOURCE,id=n0,bus=rp0"
	wait_until plugged_in
	put "/sys/bus/pci/devices/$(hot_device)/rescan" 1
}

unplug()
{
	vm-host device_del n0
	wait_until not plugged_in
}

# tear_out: the device is gone before anybody is told. The root port's slot is
# switched off (power controller 0x400, indicator 0x300) and at once on again, so
# that the kernel finds it empty. The machine must have PCI Express' own hotplug,
# not ACPI's. A slot that is still busy with what was plugged in before takes no
# notice: then once more.
tear_out()
{
	local port try

	port=$(hot_port)
	for try in {1..6}; do
		chrt -f 99 setpci -s "$port" CAP_EXP+18.w=0700:0700 CAP_EXP+18.w=0100:0700
		is_gone_within 10 && return 0
	done
	echo "still plugged in after $try times"
	return 1
}

# is_gone_within SECONDS: the hot device
is_gone_within()
{
	local end=$((SECONDS + $1))

	while plugged_in; do
		(( SECONDS < end )) || return 1
		sleep 0.05
	done
}
