# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# msi_lat as its users see it.

readonly CURRENT_VALUE=/sys/kernel/debug/msi_latency_test/current_value
readonly PARAMETERS=/sys/module/msi_lat/parameters
readonly MSI_LAT_DEVICE=/dev/klat/msi_lat

# result NAME: of a line "* NAME: VALUE" of current_value
result()
{
	sed -n "s/^\* $1: //p" "$CURRENT_VALUE"
}

state_is()
{
	[[ $(result State) == "$1"* ]]
}

is_running()
{
	state_is RUNNING
}

is_done()
{
	state_is DONE
}

# The run has measured at least so many; 1 if not said
has_seen()
{
	holds "$(result 'Interrupts seen') >= ${1:-1}"
}

# is_seen is has_seen for callers that cannot pass a number
is_seen()
{
	has_seen 1
}

# measure PARAMETERS...: loads, and waits for the run to end by itself.
measure()
{
	insert msi_lat "$@" && wait_until is_done
}

# The number of the interrupt
irq_number()
{
	awk '$NF == "msi_lat" { sub(":", "", $1); print $1 }' /proc/interrupts
}

# irq_count CPU: how often it came there
irq_count()
{
	awk -v column="$(($1 + 2))" '$NF == "msi_lat" { print $column }' /proc/interrupts
}

# irq_is_on CPU
irq_is_on()
{
	same "$1" "$(cat "/proc/irq/$(irq_number)/effective_affinity_list")"
}

# thread_pid NAME: of the kernel thread of that name
thread_pid()
{
	ps -eo pid=,comm= | awk -v name="$1" '$2 == name { print $1 }'
}

# thread_is_on PID CPU: may run there only, and did so last
thread_is_on()
{
	same "$2" "$(taskset -pc "$1" | sed 's/.*: //')" &&
		same "$2" "$(ps -o psr= -p "$1" | tr -d ' ')"
}

# raw_samples: "SEQ TIME VALUE CPU" lines, ticks, to the end of the run
raw_samples()
{
	od -An -v -td8 -w32 "$MSI_LAT_DEVICE" |
		awk '{ print $1, $2, $3, $4 % 4294967296 }'
}

# The addresses of the NICs that igb's source knows, as the emulator has them
nics()
{
	lspci -D -n -d 8086:10c9 | cut -d' ' -f1
}

nic()
{
	nics | head -n 1
}

# driver_of ADDRESS: "none" if there is none
driver_of()
{
	local driver

	driver=$(readlink "/sys/bus/pci/devices/$1/driver") || driver=none
	echo "${driver##*/}"
}

# unbind ADDRESS: from msi_lat, as an administrator would
unbind()
{
	put /sys/bus/pci/drivers/msi_lat/unbind "$1"
}
