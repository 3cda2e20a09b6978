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
blocked for more than|KASAN|UBSAN|KFENCE|KCSAN|kmemleak: [0-9]+ new|unreferenced object
ODEBUG|trying to register non-static key|turning off the locking correctness
possible (circular|recursive|irq lock inversion)|inconsistent lock state
suspicious RCU usage
irq [0-9]+: nobody cared|Call Trace:|refcount_t:|list_(add|del) corruption
scheduling while atomic|sleeping function called from invalid context'

# A real-time thread that ran for 950 ms of a second. The ordinary machine takes
# for its running time what the host gave to others meanwhile, and has no way to
# know better: there it proves nothing. It does in the deterministic one, whose
# time is made of its own instructions. Booting is none of ours in either.
readonly THROTTLING='sched: RT throttling activated'
readonly COMMAND_STARTS='klat: the command starts'

# As far as one can tell from a line of the console; without its time stamp.
readonly STAMP='^(<[0-9]+>)?(\[ *[0-9]+\.[0-9]+\] *)?(\[ *[TC][0-9]+\] *)?'

splat_pattern()
{
	printf '%s(%s)|%s\n' "$STAMP" "$SPLATS_AT_START" \
		"$(paste -sd'|' <<< "$SPLATS")"
}

# mark_splats CONSOLE: the console with an arrow before each complaint.
mark_splats()
{
	local mark_throttling=()

	(( ! opt_icount )) ||
		mark_throttling=(-e "/$COMMAND_STARTS/,\$ s/.*$THROTTLING/--> &/")
	tr -d '\r' < "$1" |
		sed -E "${mark_throttling[@]}" -e "s/.*($(splat_pattern))/--> &/"
}

has_splat()
{
	mark_splats "$1" | grep -aq '^--> '
}

# show_splat CONSOLE: from a little before the first complaint on.
show_splat()
{
	say "the kernel complained (-->):"
	mark_splats "$1" | grep -a -B3 -A40 '^--> ' | head -n 150 >&2
}

# note_throttling CONSOLE: where it is no complaint, it is not kept secret.
note_throttling()
{
	if sed "1,/$COMMAND_STARTS/d" "$1" | grep -aq "$THROTTLING"; then
		say "note: real-time threads were throttled; a busy host is enough for that"
	fi
}

show_tail()
{
	say "the end of the console:"
	tr -d '\r' < "$1" | tail -n 30 >&2
}
