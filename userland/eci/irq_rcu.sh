#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# irq_rcu.sh [--free CPUS]
# irq_rcu.sh --restore
#
# Frees CPUs of interrupts and of RCU's threads, as Intel ECI's script of that
# name does:
#
#   interrupts   all that can be moved, but the timer and the cascade, go to the
#                first CPU that is not one of CPUS
#   RCU threads  those that can be moved run on the CPUs that are not of CPUS
#
#   --free CPUS  a list, such as 1,3-5 (1-3, as ECI's script has it)
#   --restore    puts back what was before the first call, and what a script was
#                killed without putting back
#
# Each change is printed. What was before is kept in /run/klat-eci/irq_rcu.
#
# Exit status: 0 fine, 1 something could not be put back, 2 usage, 4 not allowed
# or another script is running.

# shellcheck source-path=SCRIPTDIR source=benchmark.bash
. "$(dirname "${BASH_SOURCE[0]}")/benchmark.bash"

free=1-3
restore=
while (( $# )); do
	case $1 in
	-h|--help)	help; exit 0 ;;
	--free)		free=${2-}; shift ;;
	--free=*)	free=${1#*=} ;;
	--restore)	restore=1 ;;
	*)		wrong "$1: unknown argument" ;;
	esac
	(( $# )) && shift
done
[[ $free =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] || wrong "--free: '$free' is no list of CPUs"

take_lock
state=$STATES/irq_rcu
if [[ -z $restore ]]; then
	say "changes to this machine, put back by $ECI_NAME --restore:"
	tune irq,rcu "$free"
elif [[ -e $state ]]; then
	say "putting back"
	put_back "$state"
else
	say "there is nothing to put back"
fi
