# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the scripts with ECI's names share: their options, how they run klat, and
# that they put back what they changed, on every way out.

set -u -o pipefail

ECI_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly ECI_DIR
readonly ECI_NAME=${0##*/}
readonly STATES=/run/klat-eci

# As klat's
readonly EXIT_USAGE=2 EXIT_DOUBT=3 EXIT_SKIPPED=4

# shellcheck source-path=SCRIPTDIR source=tune.bash
. "$ECI_DIR/tune.bash"

# klat's own tree first
KLAT=$ECI_DIR/../klat
[[ -x $KLAT ]] || KLAT=klat

# To where results do not go
say()
{
	printf '%s: %s\n' "$ECI_NAME" "$*" >&2
}

fail()
{
	local status=$1

	shift
	say "$*"
	exit "$status"
}

# The comment at the head of the script
help()
{
	sed -n '/^# SPDX/,/^$/{ /^# SPDX/d; /^$/d; s/^# \{0,1\}//p; }' "$0" | sed 1d
}

wrong()
{
	fail "$EXIT_USAGE" "$* (see $ECI_NAME --help)"
}

# check_tune WHAT
check_tune()
{
	local part

	[[ -n $1 ]] || wrong "--tune: nothing given; none, or some of irq,rcu,sched"
	[[ $1 != none ]] || return 0
	for part in ${1//,/ }; do
		[[ $part == @(irq|rcu|sched) ]] ||
			wrong "--tune: '$part' is none of irq, rcu, sched, none"
	done
}

# check_cpu CPU
check_cpu()
{
	[[ $1 =~ ^[0-9]+$ ]] || wrong "'$1' is no CPU"
	cpus_of "$(cpus_online)" | grep -qx "$((10#$1))" ||
		wrong "CPU $1 is not online (online: $(cpus_online))"
}

# One script at a time: two could not put back each other's changes in order.
# klat inherits the lock, so that it is kept until a run is over whose script
# was killed.
take_lock()
{
	(( EUID == 0 )) || fail "$EXIT_SKIPPED" "takes root"
	[[ -d $STATES ]] || mkdir -m 700 "$STATES" || fail "$EXIT_SKIPPED" "no directory $STATES"
	exec {lock}> "$STATES/lock"
	flock -n "$lock" || fail "$EXIT_SKIPPED" "another of these scripts is running"
	put_back_leftovers
}

# What a script that was killed has left
put_back_leftovers()
{
	[[ -e $STATES/benchmark ]] || return 0
	say "putting back what a script that was killed had changed"
	put_back "$STATES/benchmark"
}

at_exit()
{
	local status=$?

	trap '' INT QUIT TERM HUP
	if [[ -e $STATES/benchmark ]]; then
		say "putting back"
		put_back "$STATES/benchmark" || (( status )) || status=$EXIT_DOUBT
	fi
	exit "$status"
}

# klat is sent SIGINT, and again: it heeds it while it measures, which it may
# not yet do, and ignores it otherwise, as what the shell starts with & does.
end_klat()
{
	local running

	stop=1
	while running=$(jobs -pr) && [[ -n $running ]]; do
		# shellcheck disable=SC2086 # one number
		kill -s INT $running 2> /dev/null
		sleep 0.2
	done
}

# run_klat OPTION...: its exit status. A signal to this script ends klat's run,
# which then prints what it has.
run_klat()
{
	local klat status=0

	stop=
	trap end_klat INT QUIT TERM HUP
	"$KLAT" "$@" < /dev/null &
	klat=$!
	[[ -z $stop ]] || end_klat
	wait "$klat" || status=$?
	# a signal ended the wait, not klat
	[[ -n $stop ]] || return "$status"
	wait "$klat"
}

# parse ARGUMENT...: fills tune, cpu, arguments and klat_options.
parse()
{
	arguments=()
	while (( $# )) && [[ $1 != -- ]]; do
		case $1 in
		-h|--help)	help; exit 0 ;;
		--tune)		tune=${2-}; check_tune "$tune"; shift ;;
		--tune=*)	tune=${1#*=}; check_tune "$tune" ;;
		--cpu)		cpu=${2-}; shift ;;
		--cpu=*)	cpu=${1#*=} ;;
		-[!0-9]*)	wrong "$1: unknown option" ;;
		*)		arguments+=("$1") ;;
		esac
		(( $# )) && shift
	done
	(( $# )) && shift
	klat_options=("$@")
}

# benchmark MODULE CPU SUBCOMMAND OPTION...: the module is left loaded, for its
# results can be read from it afterwards.
benchmark()
{
	local module=$1 cpu=$2

	shift 2
	take_lock
	state=$STATES/benchmark
	trap at_exit EXIT
	# whoever read what is said may have gone
	trap '' PIPE
	trap 'exit 130' INT
	trap 'exit 131' QUIT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	if [[ $tune != none ]]; then
		say "changes to this machine ($tune), put back at the end:"
		tune "$tune" "$cpu"
	fi
	# where that fails, klat says why
	[[ -d /sys/module/$module ]] || modprobe -q "$module" autostart=0 || :
	run_klat "$@" --format eci ${klat_options[0]+"${klat_options[@]}"}
}
