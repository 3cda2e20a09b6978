# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Time that the module klat_inject takes on order.

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
