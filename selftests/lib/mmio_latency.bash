# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# mmio_latency as its users see it. Its parameters must name a register.

load lib/module

use_module mmio_latency mmio_latency_test Reads

readonly TEXT=/dev/mmio_latency

# The addresses of the emulated devices: edu has one memory BAR of 1 MiB;
# pci-testdev memory in BAR 0, I/O in BAR 1 and prefetchable memory in BAR 2.
edu()
{
	lspci -D -n -d 1234:11e8 | cut -d' ' -f1
}

testdev()
{
	lspci -D -n -d 1b36:0005 | cut -d' ' -f1
}

nic()
{
	lspci -D -n -d 8086:10c9 | cut -d' ' -f1 | head -n 1
}

# driver_of ADDRESS: "none" if there is none
driver_of()
{
	local driver

	driver=$(readlink "/sys/bus/pci/devices/$1/driver") || driver=none
	echo "${driver##*/}"
}

# first_memory ADDRESS: where the first memory BAR is, as lspci prints it
first_memory()
{
	lspci -v -s "$1" | sed -n 's/^[[:blank:]]*Memory at \([0-9a-f]*\) .*/\1/p' | head -n 1
}

# text_value NAME: of the line "NAME= VALUE" or "NAME: VALUE" of /dev/mmio_latency
text_value()
{
	sed -n "s/^ *$1[=:] //p" "$TEXT"
}

# memory_off ADDRESS, memory_on ADDRESS: its memory BARs, as COMMAND has it
memory_off()
{
	setpci -s "$1" COMMAND=0:2
}

memory_on()
{
	setpci -s "$1" COMMAND=2:2
}

# claimed_by_us: a BAR is ours in the kernel's list
claimed_by_us()
{
	grep -q ' : mmio_latency$' /proc/iomem
}

# fails_with PART: the run is over, FAILED, and says so
fails_with()
{
	wait_until state_is FAILED
	contains "$(result State)" "$1"
	same "" "$(kernel_threads "$MODULE")"
	not claimed_by_us
	same 2000000000 "$(latency_qos | tr -d ' ')"
}
