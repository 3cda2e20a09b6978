#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 3 -t 1200
# klat-kernels: bookworm/amd64 bookworm/rt-amd64 debug/*
# klat-bench: the test-only modules
#
# hwlat_detector on CPUs 0 and 1, SMIs and NMIs from CPU 2. The host takes time from
# all of them, too: that makes gaps, but no SMIs and no NMIs.

bats_require_minimum_version 1.5.0
load lib/common
load lib/hwlat_detector
load lib/inject

# What the tests run would wait for a window's end on the other CPUs
setup()
{
	needs_machine
	taskset -pc 2 $$ > /dev/null
	insert klat_inject
}

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded hwlat_detector klat_inject
}

# us: windows that are long enough for an NMI which is longer than what a host takes
# now and then; ns
readonly WINDOW=2200000 SPIN=600000000 LONG=300000000

# Ticks in NS nanoseconds
ticks()
{
	awk -v ns="$1" '/^cpu MHz/ { printf "%.0f\n", $4 * ns / 1000; exit }' /proc/cpuinfo
}

# look PARAMETERS...: a run on CPUs 0 and 1 whose gaps go to a file
look()
{
	insert hwlat_detector cpus=0-1 runTime=-1 "$@" || { dmesg | tail -n 3; return 1; }
	trace_on window
	parts > "$BATS_TEST_TMPDIR/gaps" 3>&- &
	reader=$!
}

# look_no_more: gaps and windows are complete after it
look_no_more()
{
	put /sys/kernel/debug/hwlat_detector/enable 0
	wait "$reader"
	windows | cut -d ' ' -f 1,3,4 > "$BATS_TEST_TMPDIR/windows"
	holds "$(wc -l < "$BATS_TEST_TMPDIR/windows") > 0"
}

# nmi_early_in_window WIDTH CPUS: on CPU 0 a window of WIDTH us has begun 0.2 s ago,
# as a rule; the NMI's own stamps tell. From CPU 2.
nmi_early_in_window()
{
	# waits for the end of the window that is going on
	smis_taken > /dev/null
	sleep "$(awk -v rest=$((WINDOW - $1)) 'BEGIN { print rest / 1000000 + 0.2 }')"
	from_cpu 2 nmi "$2 $(ticks $SPIN)"
	cat "$INJECT/nmi" >> "$BATS_TEST_TMPDIR/nmis"
}

# outcomes: a line for each NMI that came in a window of its CPU: "CPU EVENT OTHER
# OTHER_NMI", where OTHER is what the event says of the other CPU: gap, quiet, none.
# Wrong is a gap that is not there or too short, or that knows of no NMI, and an event
# that says something else of the other CPU than its windows do.
outcomes()
{
	awk '
	FILENAME ~ /windows$/ { n = ++nr_windows; cpu[n] = $1; begin[n] = $2; end[n] = $3; next }
	FILENAME ~ /gaps$/ {
		kind[$1, $4] = $5 == 2 ? "quiet" : "gap"
		nmi[$1, $4] += $7
		if ($5 == 2)
			next
		n = ++nr_gaps; event[n] = $1; from[n] = $2; to[n] = $2 + $3; on[n] = $4
		if (!($1 in first) || $2 < first[$1])
			first[$1] = $2
		if ($2 + $3 > last[$1])
			last[$1] = $2 + $3
		next
	}
	function looked(c, a, b,    i) {
		for (i = 1; i <= nr_windows; i++)
			if (cpu[i] == c && begin[i] <= a && b <= end[i])
				return 1
		return 0
	}
	function wrong(why) { print why ":", $0; bad = 1 }
	!looked($1, $2, $2 + $3) { next }
	{
		for (i = 1; i <= nr_gaps; i++)
			if (on[i] == $1 && from[i] <= $2 && $2 + $3 <= to[i])
				break
		if (i > nr_gaps) {
			wrong("no gap of the NMI")
			next
		}
		e = event[i]
		other = 1 - $1
		is = ((e, other) in kind) ? kind[e, other] : "none"
		if (!nmi[e, $1])
			wrong("a gap without its NMI")
		if (is != "gap" && is != (looked(other, first[e], last[e]) ? "quiet" : "none"))
			wrong("the other CPU is " is)
		print $1, e, is, nmi[e, other] + 0
	}
	END { exit bad }' "$BATS_TEST_TMPDIR/windows" "$BATS_TEST_TMPDIR/gaps" \
		"$BATS_TEST_TMPDIR/nmis" > "$BATS_TEST_TMPDIR/outcomes" && return 0
	cat "$BATS_TEST_TMPDIR/outcomes"
	return 1
}

# some LINE: among the outcomes; LINE is a pattern
some()
{
	grep -qE "^$1$" "$BATS_TEST_TMPDIR/outcomes"
}

# until_some LINE CPUS WIDTH PARAMETERS...: looks while NMIs come, and again, until
# there is such an outcome: on a busy host an NMI may miss the window, and the other
# CPU stand still meanwhile. None may be wrong.
until_some()
{
	local round

	for round in {1..8}; do
		rm -f "$BATS_TEST_TMPDIR/nmis"
		look "window=$WINDOW" "width=$3" "threshold=$LONG" "${@:4}" || return 1
		for _ in {1..3}; do
			nmi_early_in_window "$3" "$2"
		done
		look_no_more && outcomes || return 1
		remove hwlat_detector
		! some "$1" || return 0
	done
	echo "no $1 in $round rounds; the last:"
	cat "$BATS_TEST_TMPDIR/outcomes" "$BATS_TEST_TMPDIR/nmis" "$BATS_TEST_TMPDIR/windows" \
		"$BATS_TEST_TMPDIR/gaps"
	return 1
}

@test "SMIs to CPU 0: all are counted, and on CPU 0 only" {
	before=$(smis_taken)
	# an SMI is soon over on a fast host
	look window=200000 width=190000 threshold=1000
	for i in {1..10}; do
		from_cpu 2 smi 0
		# the next one only when this one has been taken: it would be lost
		same $((before + i)) "$(smis_taken)"
	done
	look_no_more
	same 10 "$(wc -l < "$INJECT/smi")"
	same 10 "$(result SMIs)"
	# Those of windows are in gaps, and no others: near the ends of one, either way. On a
	# busy host there may be more gaps than somebody could read.
	awk -v near="$(ticks 1000000)" -v seen="$(seen)" '
	FILENAME ~ /windows$/ { if ($1 == 0) { n++; begin[n] = $2; end[n] = $3 }; next }
	FILENAME ~ /gaps$/ { counted[$4] += $6; nr_gaps += $5 != 2; next }
	{
		for (i = 1; i <= n; i++) {
			sure += begin[i] + near < $1 && $1 < end[i] - near
			maybe += begin[i] - near < $1 && $1 < end[i] + near
		}
	}
	END {
		print "in windows:", sure, "to", maybe, "counted:", counted[0] + 0, counted[1] + 0,
			"gaps:", nr_gaps, "of", seen
		exit !(sure > 0 && (sure <= counted[0] || nr_gaps < seen) &&
		       counted[0] <= maybe && !counted[1])
	}' "$BATS_TEST_TMPDIR/windows" "$BATS_TEST_TMPDIR/gaps" "$INJECT/smi"
}

@test "an NMI on both CPUs at once is one event with both" {
	until_some "0 [0-9]+ gap [1-9]" 0-1 2000000 aligned=1
}

@test "aligned: while one CPU has an NMI, the other looks and is quiet" {
	until_some "0 [0-9]+ quiet 0" 0 2000000 aligned=1
}

@test "staggered, half of the time each: the other was not looking" {
	until_some "0 [0-9]+ none 0" 0 1000000
}

# refused WORDS FILE TEXT: written on CPU 2
refused()
{
	log_mark
	not from_cpu 2 "$2" "$3" 2> /dev/null
	log_has "$1"
}

@test "what would hang the machine is not injected" {
	refused "smi: CPU 1: must be 0" smi 1
	refused "nmi: 7: must be a list of CPUs" nmi "7 0"
	refused "at most 5000000000" nmi "0 5000000001"
	refused "nolapic_timer" timer "1000000"
	log_mark
	not from_cpu 0 smi 0 2> /dev/null
	log_has "must be written on another CPU than 0"
}
