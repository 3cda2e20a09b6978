# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Time that the module klat_inject takes on order, and what hwlat_detector makes of
# it.

readonly INJECT=/sys/kernel/debug/klat_inject

# schedule WIDTH < "smi|nmi AFTER TICKS" lines: one shot for each stretch of about
# WIDTH ticks with interrupts off. In one write, which echo would not do.
schedule()
{
	{ echo "$1"; cat; } > "$BATS_TEST_TMPDIR/schedule"
	cat "$BATS_TEST_TMPDIR/schedule" > "$INJECT/timer"
}

# "smi|nmi AT BEGIN LENGTH" lines: the shots that have come
shots()
{
	cat "$INJECT/timer"
}

# shots_came N
shots_came()
{
	same "$1" "$(shots | wc -l)"
}

# cost smi|nmi COLUMN: 2: the gap it makes in a loop of nothing but stamps; 3: that
# loop's step; 4: the length of the NMI, by its own stamps
cost()
{
	awk -v kind="$1" -v column="$2" '$1 == kind { print $column }' "$INJECT/cost"
}

# gaps: "EVENT BEGIN LENGTH CPU KIND SMI NMI CPUS" lines, a record each, to the end of
# the run. KIND: 0 inner, 1 outer, 2 quiet.
gaps()
{
	od -An -v -td8 -w64 /dev/klat/hwlat_detector |
		awk '{ cpu = $4 % 4294967296; known = $7 % 4294967296; nmi = $8 % 4294967296
		       printf "%s %.0f %s %d %d %d %d %d\n", $1, $2 - $3, $3, cpu,
			      ($4 - cpu) / 4294967296 % 65536, ($7 - known) / 4294967296,
			      nmi, ($8 - nmi) / 4294967296 }'
}

# from_cpu CPU FILE TEXT: written there
# shellcheck disable=SC2016 # for the other shell
from_cpu()
{
	taskset -c "$1" bash -c 'echo "$1" > "$2"' write "$3" "$INJECT/$2"
}

# smis_taken: of CPU 0, when it has had interrupts on
smis_taken()
{
	cat "$INJECT/taken"
}

# watch_windows: from now on windows can be asked
watch_windows()
{
	echo > /sys/kernel/tracing/trace
	echo 1 > /sys/kernel/tracing/events/hwlat_detector/hwlat_detector_window/enable
}

# windows: "CPU BEGIN END" lines: when each looked
windows()
{
	sed -n 's/.* \[0*\([0-9][0-9]*\)\] .* begin=\([0-9]*\) end=\([0-9]*\) .*/\1 \2 \3/p' \
		/sys/kernel/tracing/trace
}
