#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on */amd64:
# klat-kernels: bookworm/amd64
#
# Reading what the kernel's hwlat tracer prints: older kernels, newer ones, and
# with NMIs.

# shellcheck disable=SC2154 # set by bats

bats_require_minimum_version 1.5.0
load ../lib/common
load ../lib/hwlat_tracer

trace()
{
	cat <<-'END'
	# tracer: hwlat
	#
	# entries-in-buffer/entries-written: 4/4   #P:4
	           <...>-901  [000] d...   100.000001: #1     inner/outer(us):   11/9     ts:1700000001.000000001
	           <...>-901  [001] dn..   101.000001: #2     inner/outer(us):    0/25    ts:1700000002.000000001 count:3
	CPU:2 [LOST 17 EVENTS]
	           klat:x-1   [002] d...   101.500000: tracing_mark_write: ts:5 count:9
	        hwlatd/3-77   [003] d...   102.000001: #3     inner/outer(us):    7/0     ts:1700000003.000000001 count:1 nmi-total:5 nmi-count:1
	           <...>-901  [001] d...1  103.000001: #4     inner/outer(us):  210/198   ts:1700000004.000000001 nmi-total:180 nmi-count:2
	END
}

events()
{
	trace | hwlat_events
}

@test "every form of the line is read, by the names of its fields" {
	run -0 events
	same 4 "${#lines[@]}"
	same "0 1 11 9 1700000001.000000001 1 0 0" "${lines[0]}"
	same "1 2 0 25 1700000002.000000001 3 0 0" "${lines[1]}"
	same "3 3 7 0 1700000003.000000001 1 5 1" "${lines[2]}"
	same "1 4 210 198 1700000004.000000001 1 180 2" "${lines[3]}"
}

@test "fields in another order, and fields nobody knows" {
	run -0 hwlat_events <<-'END'
	 a b-1 [012] d..1. 9.9: #7 new:1 count:2 ts:  8.000000005 inner/outer(us):1/2 more:x
	END
	same "12 7 1 2 8.000000005 2 0 0" "$output"
}

@test "the larger gap of each event, and the largest of all" {
	same "11 25 7 210" "$(events | hwlat_largest | xargs)"
	same 210 "$(events | hwlat_largest | sort -n | tail -n 1)"
}

@test "gaps above the threshold, and events with one" {
	same 6 "$(events | awk '{ sum += $6 } END { print sum }')"
	same 3 "$(events | hwlat_above 10 | wc -l)"
	same 4 "$(events | hwlat_above 6 | wc -l)"
	same 0 "$(events | hwlat_above 210 | wc -l)"
}

@test "an event that NMIs explain is no SMI" {
	same "4" "$(events | hwlat_above 10 | hwlat_no_smi | cut -d' ' -f2)"
	same "3 4" "$(events | hwlat_no_smi | cut -d' ' -f2 | xargs)"
}

@test "a trace without events gives none" {
	same "" "$(printf '# tracer: hwlat\n#\n' | hwlat_events)"
}
