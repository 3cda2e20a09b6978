# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# hwlat_detector as its users see it: its files in debugfs, its records and its
# windows. In an emulated machine gaps of a microsecond come all the time.

load lib/module

use_module hwlat_detector hwlat_detector Gaps

readonly FILES=/sys/kernel/debug/hwlat_detector
readonly TRACING=/sys/kernel/tracing

# Windows that leave an emulated machine time for other things
readonly SHORT=(window=20000 width=10000 threshold=1000)

# file NAME, file_is NAME VALUE: what it gives
file()
{
	cat "$FILES/$1"
}

file_is()
{
	same "$2" "$(file "$1")"
}

# records: "EVENT END LENGTH CPU KIND KNOWN SMI NMI NR" lines, ticks, to the end of
# the run; KIND 0 and 1 are gaps, 2 is quiet
records()
{
	od -An -v -td8 -w64 "$MODULE_DEVICE" |
		awk 'function low(x) { return x % 4294967296 }
		     function high(x) { return (x - low(x)) / 4294967296 }
		     { print $1, $2, $3, low($4), high($4) % 65536, low($7), high($7),
			     low($8), high($8) }'
}

# parts: "EVENT BEGIN LENGTH CPU KIND SMI NMI CPUS" lines: the records by their begin
parts()
{
	records | awk '{ printf "%s %.0f %s %s %s %s %s %s\n", $1, $2 - $3, $3, $4, $5, $7, $8, $9 }'
}

# trace_on EVENT...: of the module, which is loaded
trace_on()
{
	local event

	echo 8192 > $TRACING/buffer_size_kb
	echo > $TRACING/trace
	echo 1 > $TRACING/tracing_on
	for event; do
		echo 1 > "$TRACING/events/hwlat_detector/hwlat_detector_$event/enable"
	done
}

# trace_of EVENT: the CPU and what the trace says of each, in words
trace_of()
{
	sed -n "s/.*\[0*\([0-9][0-9]*\)\].* hwlat_detector_$1: /\1 /p" $TRACING/trace |
		sed 's/[a-z]*=//g'
}

# windows: "CPU DUE BEGIN END LOOKED" lines of the trace, ticks
windows()
{
	trace_of window
}

# gaps: "CPU END LENGTH KIND SMI NMI" lines of the trace, ticks; KIND in words
gaps()
{
	trace_of gap
}

# has_windows COUNT CPU: so many were looked through on that CPU
has_windows()
{
	holds "$(windows | grep -c "^$2 ") >= $1"
}
