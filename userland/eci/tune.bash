# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the scripts with ECI's names change on the machine: where interrupts go,
# where RCU's threads run, and which tasks are real-time tasks. Each change is
# printed, and what was before it is written to a file of states first:
#
#	irq NUMBER CPUS ACTIONS
#	cpus TASK START CPUS
#	sched TASK START POLICY PRIORITY
#
# START is when the task started, and ACTIONS are whom the interrupt belongs to,
# for a number may be another's by then.

# cpus_of LIST: "0,2-4" as a line for each
cpus_of()
{
	local part

	for part in ${1//,/ }; do
		seq "${part%-*}" "${part#*-}"
	done
}

# cpus_without ONE OTHER: the CPUs of the list ONE that are not in OTHER, as a list
cpus_without()
{
	comm -23 <(cpus_of "$1" | sort) <(cpus_of "$2" | sort) | sort -n | paste -sd,
}

cpus_online()
{
	cat /sys/devices/system/cpu/online
}

# start_of TASK: field 22 of its stat; its name, in which anything may stand, is left out
start_of()
{
	local stat fields

	{ stat=$(< "/proc/$1/stat"); } 2> /dev/null || return
	read -ra fields <<< "${stat##*) }"
	echo "${fields[19]}"
}

# is_saved KIND NUMBER: the first state is the one to go back to
is_saved()
{
	[[ -s $state ]] && grep -q "^$1 $2 " "$state"
}

# change WHAT KIND NUMBER OLD COMMAND...: OLD is what follows in the line of the
# state. Says what became of WHAT, which is "name: old -> new". What could not be
# put back is not changed.
change()
{
	local what=$1 kind=$2 number=$3 old=$4

	shift 4
	is_saved "$kind" "$number" && old=
	[[ -z $old ]] ||
		{ printf '%s %s %s\n' "$kind" "$number" "$old" >> "$state"; } 2> /dev/null ||
		fail "$EXIT_SKIPPED" "$state cannot be written: nothing more is changed"
	if "$@" 2> /dev/null > /dev/null; then
		say "  $what"
		return
	fi
	[[ -z $old ]] || sed -i '$d' "$state"
	say "  ${what% -> *}, and the kernel keeps it so"
}

put_irq()
{
	echo "$2" > "/proc/irq/$1/smp_affinity_list"
}

# actions_of IRQ: the names under which drivers have it, "" for none
actions_of()
{
	local words=()

	read -ra words 2> /dev/null < "/sys/kernel/irq/$1/actions"
	echo "${words[*]-}"
}

# move_irqs CPU: all but the timer (0) and the cascade (2) of a PC
move_irqs()
{
	local dir irq old

	for dir in /proc/irq/[0-9]*; do
		irq=${dir##*/}
		read -r old 2> /dev/null < "$dir/smp_affinity_list" || continue
		[[ $irq != 0 && $irq != 2 && $old != "$1" ]] || continue
		change "interrupt $irq: CPUs $old -> $1" irq "$irq" "$old $(actions_of "$irq")" \
			put_irq "$irq" "$1"
	done
	! pgrep -x irqbalance > /dev/null ||
		say "  irqbalance is running, and may move them back at any time"
}

rcu_threads()
{
	ps -eo pid=,ppid=,comm= | awk '$2 == 2 && $3 ~ /^rcu/ { print $1, $3 }'
}

cpus_of_task()
{
	local line

	line=$(taskset -pc "$1" 2> /dev/null) && echo "${line##*: }"
}

# move_rcu CPUS
move_rcu()
{
	local task name old start

	while read -r task name; do
		old=$(cpus_of_task "$task")
		start=$(start_of "$task")
		[[ -n $start && -n $(cpus_without "$old" "$1") ]] || continue
		change "task $task ($name): CPUs $old -> $1" cpus "$task" "$start $old" \
			taskset -pc "$1" "$task"
	done < <(rcu_threads)
}

# real_time_tasks: TASK CLASS NAME
real_time_tasks()
{
	ps -eLo tid=,cls=,comm= | awk '$2 == "FF" || $2 == "RR" || $2 == "DLN"'
}

# POLICY PRIORITY of a task: the kernel's name of the policy, with SCHED_RESET_ON_FORK
# where it is set
sched_of()
{
	local text policy priority

	text=$(chrt -p "$1" 2> /dev/null) || return
	policy=${text#*policy: } priority=${text#*priority: }
	echo "${policy%%$'\n'*} ${priority%%$'\n'*}"
}

# calm_tasks: all real-time tasks to SCHED_OTHER
calm_tasks()
{
	local task class name start sched

	while read -r task class name; do
		sched=$(sched_of "$task")
		start=$(start_of "$task")
		[[ -n $start && -n $sched ]] || continue
		if [[ $class == DLN ]]; then
			say "  task $task ($name): ${sched% *}, and is left so"
			continue
		fi
		change "task $task ($name): $sched -> SCHED_OTHER" sched "$task" \
			"$start $sched" chrt -o -p 0 "$task"
	done < <(real_time_tasks)
}

# tune WHAT FREE: WHAT is of irq, rcu and sched, with commas; FREE is the list of
# CPUs to be freed of what can be moved.
tune()
{
	local what=,$1, rest

	rest=$(cpus_without "$(cpus_online)" "$2")
	if [[ -z $rest && $what != ,sched, ]]; then
		say "no CPU is left beside CPUs $2: interrupts and RCU's threads stay"
		what=${what/,irq,/,} what=${what/,rcu,/,}
	fi
	[[ $what != *,irq,* ]] || move_irqs "${rest%%,*}"
	[[ $what != *,rcu,* ]] || move_rcu "$rest"
	[[ $what != *,sched,* ]] || calm_tasks
}

# same_task TASK START
same_task()
{
	[[ $(start_of "$1") == "$2" ]]
}

# What is as it was is left alone: a script may have been ended before it made the
# change, or before it took note that the kernel refused it, and would refuse this.

# put_irq_back IRQ CPUS
put_irq_back()
{
	[[ $(cat "/proc/irq/$1/smp_affinity_list") == "$2" ]] || put_irq "$1" "$2"
}

# put_cpus_back TASK CPUS
put_cpus_back()
{
	[[ $(cpus_of_task "$1") == "$2" ]] || taskset -pc "$2" "$1"
}

# put_sched_back TASK POLICY PRIORITY
put_sched_back()
{
	local option=-f

	[[ $(sched_of "$1") != "$2 $3" ]] || return 0
	[[ $2 != SCHED_RR* ]] || option=-r
	if [[ $2 == *RESET_ON_FORK* ]]; then
		chrt -R "$option" -p "$3" "$1"
	else
		chrt "$option" -p "$3" "$1"
	fi
}

# same_irq IRQ ACTIONS
same_irq()
{
	[[ -e /proc/irq/$1 && $(actions_of "$1") == "$2" ]]
}

# put_back_line KIND NUMBER FIELD...: what is gone, or another's by now, needs nothing
put_back_line()
{
	local kind=${1:-} number=${2:-}

	# a line that was cut short, or is none of ours, is said, and the others go on
	case $kind:$# in
	irq:[3-9]* | irq:[12]?* | cpus:4 | sched:5) ;;
	*)	return 1 ;;
	esac
	shift 2
	case $kind in
	irq)	! same_irq "$number" "${*:2}" || put_irq_back "$number" "$1" ;;
	cpus)	! same_task "$number" "$1" || put_cpus_back "$number" "$2" ;;
	sched)	! same_task "$number" "$1" || put_sched_back "$number" "$2" "$3" ;;
	esac
}

# put_back FILE: what cannot be put back stays in the file, and is said. Fails
# if there was any.
put_back()
{
	local state=$1 line fields left=

	[[ -e $state ]] || return 0
	while read -r line; do
		read -ra fields <<< "$line"
		put_back_line "${fields[@]}" > /dev/null 2>&1 && continue
		say "could not be put back: $line"
		left+=$line$'\n'
	done < "$state"
	if [[ -n $left ]]; then
		printf '%s' "$left" > "$state"
		return 1
	fi
	rm -f "$state"
}
