# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# The module under test as its users see it: parameters, results, samples,
# threads and interrupt. A module's own library says which it is.

# use_module NAME DIRECTORY EVENTS: DIRECTORY is the module's in debugfs, EVENTS
# what its results call what it measures.
use_module()
{
	readonly MODULE=$1
	readonly CURRENT_VALUE=/sys/kernel/debug/$2/current_value
	readonly EVENTS=$3
	readonly PARAMETERS=/sys/module/$1/parameters
	readonly MODULE_DEVICE=/dev/klat/$1
}

# result NAME: of a line "* NAME: VALUE" of current_value. Without another program,
# for it is asked again and again; read as a whole, for each read of it is another
# moment.
result()
{
	local lines line

	mapfile -t lines < "$CURRENT_VALUE" || return 1
	for line in "${lines[@]}"; do
		[[ $line != "* $1: "* ]] || echo "${line#"* $1: "}"
	done
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

seen()
{
	result "$EVENTS seen"
}

# The run has measured at least so many; 1 if not said
has_seen()
{
	holds "$(seen) >= ${1:-1}"
}

# is_seen is has_seen for callers that cannot pass a number
is_seen()
{
	has_seen 1
}

# goes_on: the run is not over, and measures more
goes_on()
{
	local now

	now=$(seen)
	wait_until has_seen $((now + 20)) && is_running
}

# measure PARAMETERS...: loads, and waits for the run to end by itself.
measure()
{
	insert "$MODULE" "$@" && wait_until is_done
}

# run_begins PARAMETERS...: loads, and waits until it is seen to measure.
run_begins()
{
	insert "$MODULE" "$@" && wait_until has_seen 20
}

# parameters_are < "NAME:VALUE" lines, sorted: all that the module has
parameters_are()
{
	diff - <(grep -H . "$PARAMETERS"/* | sed 's|.*/||')
}

# The number of the interrupt
irq_number()
{
	awk -v name="$MODULE" '$NF == name { sub(":", "", $1); print $1 }' /proc/interrupts
}

# irq_count CPU: how often it came there
irq_count()
{
	awk -v name="$MODULE" -v column="$(($1 + 2))" '$NF == name { print $column }' \
		/proc/interrupts
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

# raw_samples [OPTION_OF_OD...]: "SEQ TIME VALUE CPU SERIES" lines, ticks, to the
# end of the run
raw_samples()
{
	od -An -v -td8 -w32 "$@" "$MODULE_DEVICE" |
		awk '{ cpu = $4 % 4294967296
		       print $1, $2, $3, cpu, ($4 - cpu) / 4294967296 % 65536 }'
}

# clock_hz: ticks a second
clock_hz()
{
	klat info --format json "$MODULE" | jq '.modules[0].clock_hz'
}
