# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the kernel's own hwlat tracer found, out of its trace. Its lines are
# "KEY: VALUE" pairs behind the CPU in brackets, and which pairs there are depends
# on the kernel and on what happened: they are read by their names. A line that is
# none of the tracer's is skipped.

# hwlat_events < TRACE: a line for each event:
#   CPU SEQ INNER OUTER TIME COUNT NMI_TIME NMI_COUNT
# INNER, OUTER and NMI_TIME in us; TIME as seconds.nanoseconds; COUNT: how many gaps
# above the threshold the window had, of which these are the largest; 1 where the
# kernel does not say. NMI_* are 0 where it says nothing of NMIs.
hwlat_events()
{
	awk '
	!match($0, /\[[0-9]+\] /) { next }
	{
		split("", value)
		cpu = substr($0, RSTART + 1, RLENGTH - 3) + 0
		n = split(substr($0, RSTART + RLENGTH), word)
		for (i = 1; i <= n; i++) {
			colon = index(word[i], ":")
			if (word[i] ~ /^#[0-9]+$/)
				value["seq"] = substr(word[i], 2)
			else if (colon == length(word[i]) && i < n && word[i + 1] !~ /^#/)
				value[substr(word[i], 1, colon - 1)] = word[++i]
			else if (colon)
				value[substr(word[i], 1, colon - 1)] = substr(word[i], colon + 1)
		}
		if (value["inner/outer(us)"] !~ /^[0-9]+\/[0-9]+$/)
			next
		split(value["inner/outer(us)"], gap, "/")
		print cpu, value["seq"], gap[1], gap[2], value["ts"],
		      ("count" in value) ? value["count"] : 1,
		      value["nmi-total"] + 0, value["nmi-count"] + 0
	}'
}

# What follows takes the lines of hwlat_events.

# hwlat_largest: a line for each event: its larger gap, us
hwlat_largest()
{
	awk '{ print ($3 > $4 ? $3 : $4) }'
}

# hwlat_above US: the events whose larger gap is longer
hwlat_above()
{
	awk -v limit="$1" '($3 > $4 ? $3 : $4) > limit'
}

# hwlat_no_smi: the events of which NMIs took more than half: that was no SMI
hwlat_no_smi()
{
	awk '2 * $7 > ($3 > $4 ? $3 : $4)'
}
