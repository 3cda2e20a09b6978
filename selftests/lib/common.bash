# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What every test uses: waiting with a bound, the kernel log since a moment, loading
# and unloading.

# shellcheck source=/dev/null
. "${BASH_SOURCE[0]%/*}/target.bash"

# A file with a setup of its own calls needs_machine there.
setup()
{
	needs_machine
}

# The longest that anything is waited for, in seconds: emulation is slow, and
# the machine it runs on may be busy. A wait ends as soon as it can.
readonly PATIENCE=60

# Every message of a test counts: none may fall to the kernel's rate limit. On a
# user's machine this is for `run` to set, and to put back.
! on_bench || echo on > /proc/sys/kernel/printk_devkmsg 2> /dev/null || :

# nap: for 50 ms, without another program: nobody ever writes there
readonly NEVER=${BATS_RUN_TMPDIR:-/run}/klat-test-never
[[ -p $NEVER ]] || mkfifo "$NEVER"

nap()
{
	read -r -t 0.05 <> "$NEVER" || :
}

# wait_until COMMAND...: until it succeeds.
wait_until()
{
	local end=$((SECONDS + PATIENCE))

	until "$@" > /dev/null 2>&1; do
		if (( SECONDS >= end )); then
			echo "still not so after $PATIENCE s: $*"
			return 1
		fi
		nap
	done
}

# not COMMAND...: for a command that must fail. A plain `!` in the middle of a
# test would be ignored.
not()
{
	if "$@"; then
		echo "this should have failed: $*"
		return 1
	fi
}

# same EXPECTED FOUND
same()
{
	[[ $1 == "$2" ]] && return 0
	echo "expected: $1"
	echo "found:    $2"
	return 1
}

# holds EXPRESSION: an arithmetic one
holds()
{
	(( $1 )) && return 0
	echo "does not hold: $1"
	return 1
}

# contains TEXT PART
contains()
{
	[[ $1 == *"$2"* ]] && return 0
	echo "not found: $2"
	echo "in: $1"
	return 1
}

# json FILTER < JSON: the filter must give something true.
json()
{
	local text

	text=$(cat)
	# of nothing at all, jq 1.6 holds everything to be true
	[[ -n $text ]] && jq -e "$1" <<< "$text" > /dev/null && return 0
	echo "does not hold: $1"
	jq 'if type == "object" then del(.series[]?.histogram, .series[]?.worst)
	    else . end' <<< "$text" || echo "$text"
	return 1
}

log_marks=0

# The kernel log from here on is what log_since gives.
log_mark()
{
	log_marks=$((log_marks + 1))
	log_mark="klat test ${BATS_TEST_NUMBER:-0} mark $log_marks $EPOCHREALTIME"
	echo "$log_mark" > /dev/kmsg
}

# Without time stamps
log_since()
{
	dmesg | sed "1,/$log_mark/d; s/^\[ *[0-9.]*\] //"
}

log_has()
{
	grep -qF -- "$1" <<< "$(log_since)"
}

# log_count PATTERN: lines
log_count()
{
	grep -cE -- "$1" <<< "$(log_since)" || :
}

is_loaded()
{
	[[ -d /sys/module/$1 ]]
}

insert()
{
	local module=$1 file

	shift
	file=$(module_file "$module") || return 1
	insmod "$file" "$@"
}

# load_once MODULE: for setup_file: the first load of all makes the kernel say that it
# is tainted
load_once()
{
	[[ -z $(lack_of "$BATS_TEST_FILENAME") ]] || return 0
	insert "$1" autostart=0
	remove "$1"
}

remove()
{
	rmmod "$1"
}

# For teardown: whatever the test left behind. A module that someone still
# holds can be unloaded as soon as they are gone.
unload_if_loaded()
{
	local module

	for module; do
		was_loaded "$module" || ! is_loaded "$module" ||
			wait_until try_unload "$module"
	done
}

try_unload()
{
	! is_loaded "$1" || rmmod "$1"
}

# Processes that a test started in the background
background=()

in_background()
{
	"$@" 3>&- &
	background+=("$!")
}

end_background()
{
	local pid

	for pid in "${background[@]}"; do
		kill -KILL "$pid" 2> /dev/null || :
		wait "$pid" 2> /dev/null || :
	done
	background=()
}

# "sleeping" for a process that waits in the kernel and can be woken by signals
is_asleep()
{
	[[ $(ps -o stat= -p "$1") == S* ]]
}

# put FILE TEXT: into a file of the kernel's
put()
{
	echo "$2" > "$1"
}

# cpu_online CPU: if a test took it offline
cpu_online()
{
	[[ -e $BATS_FILE_TMPDIR/offline-$1 ]] || return 0
	put "/sys/devices/system/cpu/cpu$1/online" 1
}

# cpu_offline CPU: a test that does so without a condition says first that it needs
# to be disruptive
cpu_offline()
{
	may_disrupt || return 1
	: > "$BATS_FILE_TMPDIR/offline-$1"
	put "/sys/devices/system/cpu/cpu$1/online" 0
}

monotonic_ms()
{
	local up

	read -r up _ < /proc/uptime
	echo $(( 10#${up/./} * 10 ))
}
