# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# caterpillar as its users see it.

load lib/module

use_module caterpillar caterpillar_test Cycles

readonly TABLE=/sys/kernel/debug/caterpillar_test/table
readonly COLUMNS="SampleMin SampleMax SmplJitter SessionMin SessionMax SessionJitter Sample"

# table_rows: of debugfs' table, single spaces between the columns
table_rows()
{
	tail -n +3 "$TABLE" | tr -s ' ' | sed 's/^ //'
}

# has_rows COUNT: made so far, kept or not
has_rows()
{
	holds "$(table_rows | tail -n 1 | cut -d' ' -f7) >= $1"
}

# table_from_raw CYCLES < "SEQ TIME VALUE ..." lines: the rows that they give, the
# deviations not rounded
table_from_raw()
{
	awk -v cycles="$1" '
		function deviation(from, to,   i, mean, sum) {
			for (i = from; i <= to; i++)
				mean += value[i] / (to - from + 1)
			for (i = from; i <= to; i++)
				sum += (value[i] - mean) ^ 2
			return sqrt(sum / (to - from + 1))
		}
		{ value[NR] = $3 }
		NR % cycles == 1 || cycles == 1 { min = max = $3 }
		NR == 1 { least = most = $3 }
		$3 < min { min = $3 }
		$3 > max { max = $3 }
		min < least { least = min }
		max > most { most = max }
		NR % cycles == 0 {
			printf "%d %d %.6f %d %d %.6f %d %d %d\n", min, max,
				deviation(NR - cycles + 1, NR), least, most,
				deviation(1, NR), NR / cycles, max - min, most - least
		}'
}

# same_table EXPECTED FOUND: files; deviations, in columns 3 and 6, to the nearest.
# What is added for the computation here is less than 1e-9 of them.
same_table()
{
	paste -d' ' "$1" "$2" | awk '
		NF != 18 { print "columns:", $0; wrong = 1; next }
		{
			for (i = 1; i <= 9; i++) {
				off = $(i + 9) - $i
				off = off < 0 ? -off : off
				if (off > (i == 3 || i == 6 ? 0.5 + $i * 1e-9 : 0)) {
					print "column", i, "in", $0
					wrong = 1
				}
			}
		}
		END { exit wrong || !NR }'
}
