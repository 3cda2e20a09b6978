# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a module may not leave changed: the state of the machine as text, to be
# taken before and after and compared.

# Names of the lines, without their counts; what an interrupt is for is at the
# end of its line.
interrupt_names()
{
	awk 'NR == 1 { cpus = NF; next }
	     { line = $1
	       for (i = cpus + 2; i <= NF; i++)
		       line = line " " $i
	       print line }' /proc/interrupts
}

# Who has each PCI device, and whom it is reserved for. "unknown" is the power
# state of a device that no driver has ever asked for.
pci_drivers()
{
	local device driver

	for device in /sys/bus/pci/devices/*; do
		driver=$(readlink "$device/driver" || echo none)
		echo "${device##*/} driver ${driver##*/}" \
			"override $(< "$device/driver_override")" \
			"power $(sed 's/unknown/D0/' "$device/power_state")" \
			"enabled $(< "$device/enable")"
	done
	ls /sys/bus/pci/drivers
}

dev_nodes()
{
	find /dev -path /dev/pts -prune -o -print | LC_ALL=C sort
}

# What gcov has of a module stays when it goes.
debugfs_files()
{
	find /sys/kernel/debug -path /sys/kernel/debug/tracing -prune \
		-o -path /sys/kernel/debug/gcov -prune -o -print | LC_ALL=C sort
}

# kernel_threads MODULE: not kworkers: they are the kernel's own, and are named
# after their last work.
kernel_threads()
{
	ps -eo comm= | awk -v module="$1" '$0 ~ "^(irq/[0-9]+-)?" module'
}

# What a module may not touch as long as it does not measure. On a user's machine, where
# others are at work, too: what of it has to do with the module.
hardware_state()
{
	if ! on_bench; then
		echo "== iomem" && names_of_ours /proc/iomem
		echo "== interrupts" && names_of_ours /proc/interrupts
		echo "== PCI drivers" && pci_drivers | sed 's/ power .*//'
		echo "== PM QoS" && latency_qos
		return
	fi
	echo "== iomem" && cat /proc/iomem
	echo "== interrupts" && interrupt_names && ls /proc/irq
	echo "== PCI configuration" && lspci -D -xxxx
	echo "== PCI drivers" && pci_drivers
	echo "== PM QoS" && latency_qos
}

# ours: of the lines read, those with a name of klat's
ours()
{
	grep -oE 'klat|msi_(lat|jitter)|mmio_latency|hwlat_detector|caterpillar' || :
}

names_of_ours()
{
	ours < "$1"
}

# state_of_ours MODULE: as machine_state
state_of_ours()
{
	hardware_state
	echo "== /dev" && dev_nodes | ours
	echo "== debugfs" && debugfs_files | ours
	echo "== trace events" && ours < <(ls /sys/kernel/tracing/events)
	echo "== CPU hotplug" && names_of_ours /sys/devices/system/cpu/hotplug/states
	echo "== threads" && kernel_threads "$1"
	echo "== modules" && names_of_ours /proc/modules
}

# machine_state MODULE
machine_state()
{
	if ! on_bench; then
		state_of_ours "$1"
		return
	fi
	hardware_state
	echo "== /dev" && dev_nodes && cat /proc/misc
	echo "== debugfs" && debugfs_files
	echo "== trace events" && ls /sys/kernel/tracing/events
	echo "== CPU hotplug" && cat /sys/devices/system/cpu/hotplug/states
	echo "== threads" && kernel_threads "$1"
	echo "== modules" && cut -d' ' -f1 /proc/modules | LC_ALL=C sort
}

# remember_machine MODULE
remember_machine()
{
	machine_state "$1" > "$BATS_TEST_TMPDIR/machine"
}

# machine_is_as_before MODULE
machine_is_as_before()
{
	machine_state "$1" | diff "$BATS_TEST_TMPDIR/machine" -
}
