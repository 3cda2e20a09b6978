# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the kernel says on the console, and whether it is a complaint.

# At the start of a message only: some notes about mitigations say "WARNING:"
# in the middle of a line.
readonly SPLATS_AT_START='WARNING:|INFO: task .* blocked for more than'

readonly SPLATS='BUG:|kernel BUG at|Oops|general protection|Kernel panic
rcu.*(detected stalls|self-detected stall|stall on|kthread.*starved)
(soft|hard) lockup|Watchdog detected hard LOCKUP|LOCKUP
blocked for more than|KASAN|UBSAN|KFENCE|KCSAN|kmemleak: [0-9]+ new
possible (circular|recursive|irq lock inversion)|inconsistent lock state
suspicious RCU usage|sched: RT throttling activated
irq [0-9]+: nobody cared|Call Trace:|refcount_t:|list_(add|del) corruption
scheduling while atomic|sleeping function called from invalid context'

# As far as one can tell from a line of the console; without its time stamp.
readonly STAMP='^(<[0-9]+>)?(\[ *[0-9]+\.[0-9]+\] *)?(\[ *[TC][0-9]+\] *)?'

splat_pattern()
{
	printf '%s(%s)|%s\n' "$STAMP" "$SPLATS_AT_START" \
		"$(paste -sd'|' <<< "$SPLATS")"
}

has_splat()
{
	grep -aqE "$(splat_pattern)" "$1"
}

# show_splat CONSOLE: from a little before the first complaint on.
show_splat()
{
	say "the kernel complained:"
	tr -d '\r' < "$1" |
	grep -aE -B3 -A40 "$(splat_pattern)" | head -n 150 >&2
}

show_tail()
{
	say "the end of the console:"
	tr -d '\r' < "$1" | tail -n 30 >&2
}
