# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What every part of the bench uses: messages, the cache, locks, ages.

KLAT_CACHE=${KLAT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/klat}

# What the bench itself says, as distinct from what COMMAND says.
readonly EXIT_USAGE=2		# the command line is wrong
readonly EXIT_BENCH=98		# the bench could not be prepared or did not boot
readonly EXIT_SPLAT=99		# the kernel complained
readonly EXIT_TIMEOUT=124	# as timeout(1) has it

readonly MAX_AGE_DAYS=14

say()
{
	printf 'klat-vm: %s\n' "$*" >&2
}

die()
{
	local status=$1

	shift
	say "$*"
	exit "$status"
}

usage_error()
{
	die "$EXIT_USAGE" "$* (see --help)"
}

bench_error()
{
	die "$EXIT_BENCH" "$*"
}

# in_list VALUE ALLOWED...
in_list()
{
	local value=$1 allowed

	shift
	for allowed; do
		[[ $value == "$allowed" ]] && return 0
	done
	return 1
}

# Is FILE there and young enough to be used without asking the mirror?
is_fresh()
{
	[[ -e $1 && -z $(find "$1" -maxdepth 0 -mtime "+$MAX_AGE_DAYS") ]]
}

# with_lock NAME COMMAND...: one holder at a time, over all processes that
# share the cache. The lock goes with the subshell, however that ends.
with_lock()
{
	local name=$1

	shift
	mkdir -p "$KLAT_CACHE/locks"
	(
		exec 9> "$KLAT_CACHE/locks/$name"
		if ! flock -w 5 9; then
			say "$name: waiting for another run to prepare it"
			flock 9
		fi
		"$@"
	)
}

# quietly LOG COMMAND...: the output goes to LOG, and is shown on failure.
quietly()
{
	local log=$1

	shift
	if ! "$@" > "$log" 2>&1; then
		tail -n 40 "$log" >&2
		return 1
	fi
}

# new_dir DIR: an empty directory beside DIR, to be filled and then renamed.
# A leftover of an interrupted run is thrown away: the caller holds the lock.
new_dir()
{
	rm -rf "$1.new"
	mkdir -p "$1.new"
	printf '%s\n' "$1.new"
}

# put_in_place DIR: DIR.new becomes DIR, which others see whole or not at all.
put_in_place()
{
	rm -rf "$1.old"
	[[ ! -e $1 ]] || mv -T "$1" "$1.old"
	mv -T "$1.new" "$1"
	rm -rf "$1.old"
}
