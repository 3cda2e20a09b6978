# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What is asked of every module alike: that it refuses bad values in words, that
# it can be unloaded at any moment, and that it leaves nothing behind. Each test
# calls one of these with its module and parameters.

# refuses MODULE PARAMETERS... -- PART...: insmod fails, the module is not loaded
# after it, and one line of the log has the module's name and all the parts.
refuses()
{
	local module=$1 parameters=() lines part

	shift
	while [[ $1 != -- ]]; do
		parameters+=("$1")
		shift
	done
	shift
	log_mark
	not insert "$module" "${parameters[@]}" 2> /dev/null || return 1
	not is_loaded "$module" || return 1
	lines=$(log_since | grep "^$module: ")
	for part; do
		lines=$(grep -F -- "$part" <<< "$lines") && continue
		echo "${parameters[*]}: not in one line of the log: $*"
		log_since
		return 1
	done
}

# refuses_value MODULE PARAMETER VALUE ALLOWED [PARAMETERS...]
refuses_value()
{
	local module=$1 name=$2 value=$3 allowed=$4

	shift 4
	refuses "$module" "$name=$value" "$@" -- "$name = $value: " "$allowed"
}

# unload_during_run MODULE TIMES RUNNING PARAMETERS...: RUNNING is a command that
# succeeds when the run has come to measure something. It is only waited for in
# every other round: the others unload a run that has just begun.
unload_during_run()
{
	local module=$1 times=$2 running=$3 round

	shift 3
	for (( round = 0; round < times; round++ )); do
		insert "$module" "$@" || return 1
		(( round % 2 )) || wait_until "$running" || return 1
		remove "$module" || return 1
		not is_loaded "$module" || return 1
	done
}

# unload_with_reader MODULE DEVICE STATE PARAMETERS...: somebody sleeps in a
# read of DEVICE. The parameters are to be such that no sample comes. STATE is a
# command that succeeds while the run goes on.
unload_with_reader()
{
	local module=$1 device=$2 state=$3 reader output

	shift 3
	insert "$module" "$@" || return 1
	in_background cat "$device"
	reader=$!
	wait_until reads_asleep "$reader" "$device" || return 1
	output=$(not rmmod "$module" 2>&1) || return 1
	contains "$output" "in use" || return 1
	"$state" || return 1
	reads_asleep "$reader" "$device" || return 1
	kill -TERM "$reader"
	wait "$reader" || :
	"$state" || return 1
	remove "$module"
}

# reads_asleep PID DEVICE
reads_asleep()
{
	local fd

	is_asleep "$1" || return 1
	for fd in "/proc/$1/fd"/*; do
		[[ $(readlink "$fd") != "$2" ]] || return 0
	done
	return 1
}

# refused_beside_an_opener MODULE ARGUMENT...: somebody waits for the device to
# appear, while insmod fails again and again. He must not get to hold a file of
# a module whose init() failed.
refused_beside_an_opener()
{
	local module=$1 i

	shift
	in_background bash -c "until exec 3< /dev/klat/$module; do :; done 2> /dev/null
		touch $BATS_TEST_TMPDIR/opened; sleep 1000"
	for ((i = 0; i < 15; i++)); do
		not insmod "$module.ko" "$@"
	done
	[ ! -e "$BATS_TEST_TMPDIR/opened" ]
}
