#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -d igb -t 1200
# klat-kernels: bookworm/rt-amd64 sid/amd64
# klat-bench: interrupts and tasks that may be moved
#
# The scripts with ECI's names, with the command lines of its documentation.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash
# shellcheck disable=SC2030,SC2031 # each test is a subshell

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/msi_lat
load lib/klat

readonly ECI=userland/eci
readonly STATES=/run/klat-eci

setup()
{
	needs_machine
	# interrupts of which it is known that they can be moved, and tasks of
	# all kinds of real-time
	in_background chrt -f 30 sleep 3600
	fifo=$!
	in_background chrt -R -r 20 sleep 3600
	rr=$!
	wait_until sleeps_as "$fifo" FF
	wait_until sleeps_as "$rr" RR
	remember_tuning
}

teardown()
{
	has_machine || return 0
	end_background
	# only what a failed test has left
	pkill -x klat && wait_until no_klat
	[[ ! -e $STATES ]] || wait_until "$ECI/irq_rcu.sh" --restore
	unload_if_loaded msi_lat msi_jitter mmio_latency
	[[ $(driver_of "$(nic)") == none ]] || put /sys/bus/pci/drivers/igb/unbind "$(nic)"
}

no_klat()
{
	not pgrep -x klat
}

# sleeps_as PID CLASS: chrt is in the class before it has become what it starts, and
# has another name until then
sleeps_as()
{
	local class name

	read -r class name < <(ps -o cls=,comm= -p "$1")
	[[ $class == "$2" && $name == sleep ]]
}

irq_affinities()
{
	grep -H . /proc/irq/*/smp_affinity_list
}

rcu_tasks()
{
	ps -eo pid=,ppid=,comm= | awk '$2 == 2 && $3 ~ /^rcu/ { print $1 }'
}

# What the scripts may change, as text
tuning()
{
	local task

	irq_affinities
	for task in $(rcu_tasks); do
		taskset -pc "$task"
	done
	ps -eLo tid=,cls=,rtprio=,comm= | awk '$2 != "TS"'
	chrt -p "$fifo"
	chrt -p "$rr"
}

remember_tuning()
{
	tuning > "$BATS_TEST_TMPDIR/tuning"
}

tuning_is_as_before()
{
	tuning | diff "$BATS_TEST_TMPDIR/tuning" -
}

# is_tuned: an ordinary interrupt (1), an ordinary RCU thread, and the real-time
# tasks of this test
irqs_are_moved()
{
	same 0 "$(cat /proc/irq/1/smp_affinity_list)"
}

rcu_is_moved()
{
	[[ $(taskset -pc "$(pgrep -x 'rcu_(preempt|sched)')") == *": 0" ]]
}

tasks_are_calm()
{
	sleeps_as "$fifo" TS && sleeps_as "$rr" TS
}

# script_in_background NAME ARGUMENT...: its klat measures
script_in_background()
{
	# what the shell puts in the background ignores these, and cannot trap them
	in_background env --default-signal=INT,QUIT "$ECI/$1" "${@:2}" \
		> "$BATS_TEST_TMPDIR/out" 2> "$BATS_TEST_TMPDIR/err"
	script=$!
	# it has much to look at first, and forks for most of it
	wait_until pgrep -x klat
	# the module may still show the run before
	wait_until run_is RUNNING
	wait_until has_measured 20
}

# script_has_ended STATUS
script_has_ended()
{
	local status=0

	wait_until is_gone "$script"
	wait "$script" || status=$?
	cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err"
	same "$1" "$status"
}

has_block()
{
	contains "$1" "************ RESULTS (ns) ************" || return 1
	same 3 "$(grep -cE '^\* (Max|Avg|Min): [0-9]+$' <<< "$1")"
}

@test "msiLatencyTest.sh RUN_CORE IRQ_PERIOD IRQ_COUNT, and current_value after it" {
	cd "$ECI"
	run -0 --separate-stderr ./msiLatencyTest.sh 1 1 500
	has_block "$output"
	contains "$stderr" "interrupt 1: CPUs 0-1 -> 0"
	contains "$stderr" "task $fifo (sleep): SCHED_FIFO 30 -> SCHED_OTHER"
	tuning_is_as_before
	has_block "$(cat "$CURRENT_VALUE")"
	state_is DONE
	same 500 "$(result 'Interrupts seen')"
	# the one that was shown
	same "$(grep Max <<< "$output")" "$(grep Max "$CURRENT_VALUE")"
	not test -e "$STATES/benchmark"
}

@test "msiLatencyTest.sh: all is moved while it measures, and what is printed is so" {
	script_in_background msiLatencyTest.sh 1 1 -1
	irqs_are_moved
	rcu_is_moved
	tasks_are_calm
	same 1 "$(cat "/proc/irq/$(irq_number)/smp_affinity_list")"
	# each that was printed, and no other, differs from before
	same "$(sed -n 's/.*  interrupt \([0-9]*\): CPUs .* -> 0$/\1/p' \
		"$BATS_TEST_TMPDIR/err" | sort -n)" \
		"$(irq_affinities | grep -v "/$(irq_number)/" |
			diff "$BATS_TEST_TMPDIR/tuning" - |
			sed -n 's,^> /proc/irq/\([0-9]*\)/.*,\1,p' | sort -n)"
	kill -INT "$script"
	script_has_ended 3
	has_block "$(cat "$BATS_TEST_TMPDIR/out")"
	contains "$(cat "$BATS_TEST_TMPDIR/out")" INCOMPLETE
	tuning_is_as_before
}

@test "msiLatencyTest.sh: put back after SIGTERM, SIGHUP and SIGQUIT" {
	for signal in TERM HUP QUIT; do
		script_in_background msiLatencyTest.sh 1 1 1000000
		irqs_are_moved
		kill -s $signal "$script"
		script_has_ended 3
		tuning_is_as_before
		remove msi_lat
	done
}

@test "msiLatencyTest.sh: put back after a signal before klat measures" {
	in_background "$ECI/msiLatencyTest.sh" 1 1 1000000 2> "$BATS_TEST_TMPDIR/err"
	script=$!
	wait_until irqs_are_moved
	kill -TERM "$script"
	wait_until is_gone "$script"
	tuning_is_as_before
	no_klat
}

@test "msiLatencyTest.sh: put back if whoever reads what it says has gone" {
	"$ECI/msiLatencyTest.sh" 1 1 100 2>&1 | head -n 1 > "$BATS_TEST_TMPDIR/out"
	contains "$(cat "$BATS_TEST_TMPDIR/out")" "changes to this machine"
	tuning_is_as_before
	not test -e "$STATES/benchmark"
}

@test "msiLatencyTest.sh: put back if klat refuses" {
	run -2 "$ECI/msiLatencyTest.sh" 1 0 500
	contains "$output" "10us .. 1h"
	tuning_is_as_before
	run -2 "$ECI/msiLatencyTest.sh" 1 1 500 -- --bdf 00:00.0
	contains "$output" "not supported"
	tuning_is_as_before
}

@test "msiLatencyTest.sh: killed; the next script puts back" {
	script_in_background msiLatencyTest.sh 1 1 1000000
	kill -KILL "$script"
	wait_until is_gone "$script"
	irqs_are_moved
	# as long as its klat measures, nobody else may begin
	run -4 "$ECI/msiLatencyTest.sh" 1 1 10
	contains "$output" "another of these scripts is running"
	run -4 "$ECI/irq_rcu.sh" --restore
	pkill -INT -x klat
	wait_until no_klat
	run -0 "$ECI/msiLatencyTest.sh" 1 1 10
	contains "$output" "a script that was killed"
	tuning_is_as_before
}

@test "msiLatencyTest.sh: killed; irq_rcu.sh --restore puts back" {
	script_in_background msiLatencyTest.sh 1 1 1000000
	kill -KILL "$script"
	pkill -INT -x klat
	wait_until no_klat
	irqs_are_moved
	tasks_are_calm
	run -0 "$ECI/irq_rcu.sh" --restore
	tuning_is_as_before
}

@test "--tune: only what was asked for, or nothing" {
	script_in_background msiLatencyTest.sh --tune none 1 1 -1
	tuning_is_as_before_but_msi_lat
	kill -INT "$script"
	script_has_ended 3
	not grep -q -- '->' "$BATS_TEST_TMPDIR/err"
	script_in_background msiLatencyTest.sh --tune=rcu 1 1 -1
	rcu_is_moved
	not irqs_are_moved
	not tasks_are_calm
	kill -INT "$script"
	script_has_ended 3
	tuning_is_as_before
}

tuning_is_as_before_but_msi_lat()
{
	tuning | grep -v "/proc/irq/$(irq_number)/" | grep -vE ' (klat|msi_lat.*)$' |
		diff "$BATS_TEST_TMPDIR/tuning" -
}

@test "the measured CPU is 0: the others are on CPU 1" {
	script_in_background msiLatencyTest.sh 0 1 -1
	same 1 "$(cat /proc/irq/1/smp_affinity_list)"
	kill -INT "$script"
	script_has_ended 3
	tuning_is_as_before
}

@test "irq_rcu.sh, and --restore" {
	run -0 "$ECI/irq_rcu.sh"
	contains "$output" "interrupt 1: CPUs 0-1 -> 0"
	irqs_are_moved
	rcu_is_moved
	not tasks_are_calm
	# a second time changes nothing, and forgets nothing
	run -0 "$ECI/irq_rcu.sh"
	not contains "$output" "interrupt 1:" > /dev/null
	# between them a benchmark puts back what it found
	run -0 "$ECI/msiLatencyTest.sh" 1 1 100
	irqs_are_moved
	rcu_is_moved
	not tasks_are_calm
	run -0 "$ECI/irq_rcu.sh" --restore
	tuning_is_as_before
	run -0 "$ECI/irq_rcu.sh" --restore
	contains "$output" "nothing to put back"
}

@test "irq_rcu.sh --free" {
	run -0 "$ECI/irq_rcu.sh" --free 0
	same 1 "$(cat /proc/irq/1/smp_affinity_list)"
	run -0 "$ECI/irq_rcu.sh" --free=1
	same 0 "$(cat /proc/irq/1/smp_affinity_list)"
	run -0 "$ECI/irq_rcu.sh" --restore
	tuning_is_as_before
	run -0 "$ECI/irq_rcu.sh" --free 0-1
	contains "$output" "no CPU is left"
	tuning_is_as_before
}

@test "irq_rcu.sh --restore: what cannot be put back is said and kept; what is gone is not" {
	mkdir -p "$STATES"
	line="irq 1 77 $(cat /sys/kernel/irq/1/actions)"
	printf 'irq 99999 0-1\ncpus %s 0 0-1\n%s\n' $$ "$line" > "$STATES/irq_rcu"
	run -1 "$ECI/irq_rcu.sh" --restore
	contains "$output" "could not be put back: $line"
	same "$line" "$(cat "$STATES/irq_rcu")"
	rm "$STATES/irq_rcu"
}

# As a script leaves it that was killed between taking note and a change, or between
# a change that the kernel refused and forgetting it: nobody may change these
@test "irq_rcu.sh --restore: what is as it was is left alone" {
	mkdir -p "$STATES"
	task=$(pgrep -x migration/0)
	printf 'cpus %s %s 0\nsched %s %s SCHED_FIFO 99\n' \
		"$task" "$(start_of "$task")" "$task" "$(start_of "$task")" > "$STATES/irq_rcu"
	not chrt -f -p 99 "$task" 2> /dev/null
	not taskset -pc 0 "$task" 2> /dev/null
	run -0 "$ECI/irq_rcu.sh" --restore
	not contains "$output" "could not" > /dev/null
	tuning_is_as_before
	not test -e "$STATES/irq_rcu"
}

# start_of TASK: whose name has no blanks
start_of()
{
	cut -d' ' -f22 "/proc/$1/stat"
}

@test "irq_rcu.sh --restore: an interrupt that is another's by now is left alone" {
	mkdir -p "$STATES"
	[[ -n $(cat /sys/kernel/irq/1/actions) ]]
	printf 'irq 1 1 %s\n' "eth7-rx 0" "" > "$STATES/irq_rcu"
	run -0 "$ECI/irq_rcu.sh" --restore
	tuning_is_as_before
	not test -e "$STATES/irq_rcu"
}

@test "what could not be put back is not changed" {
	# a file that cannot be written
	mkdir -p "$STATES/irq_rcu"
	run -4 "$ECI/irq_rcu.sh"
	contains "$output" "cannot be written"
	not contains "$output" "->" > /dev/null
	tuning_is_as_before
	rmdir "$STATES/irq_rcu"
}

# runs_jitter COMMAND...: again if too many cycles had no interrupt (see klat_json)
runs_jitter()
{
	for _ in {1..5}; do
		run --separate-stderr "$@"
		[[ $status == 3 ]] || break
	done
	same 0 "$status"
}

@test "run_msijitter.sh UNBIND_IGB_ID RUN_CORE INTERVAL RUNTIME, and current_value after it" {
	cd "$ECI"
	./irq_rcu.sh
	runs_jitter ./run_msijitter.sh "$(nic)" 1 10 5
	has_block "$output"
	has_block "$(cat /sys/kernel/debug/msi_jitter_test/current_value)"
	irqs_are_moved
	./irq_rcu.sh --restore
	tuning_is_as_before
}

@test "run_msijitter.sh: the device is taken from igb, and given back" {
	# it may bind the device by itself
	modprobe igb
	[[ $(driver_of "$(nic)") == igb ]] || put /sys/bus/pci/drivers/igb/bind "$(nic)"
	remember_tuning
	runs_jitter "$ECI/run_msijitter.sh" "$(nic)" 1 10 1
	has_block "$output"
	same igb "$(driver_of "$(nic)")"
}

@test "mmioLatency.sh MMIO_ADDRESS BLOCK_IRQ" {
	address=$(lspci -v -s "$(nic)" | sed -n 's/.*Memory at \([0-9a-f]*\) .*/\1/p' | head -n 1)
	for block_irq in 0 1; do
		run -0 --separate-stderr "$ECI/mmioLatency.sh" "$address" $block_irq
		same "RT Core Module" "$(grep -v emulated <<< "$output" | head -n 1)"
		same 5 "$(grep -cE '^  (max|avg|min|total|loops)= [0-9]+$' <<< "$output")"
		same 2 "$(grep -cE '^ (mmio|sched)-outliers: [0-9]+$' <<< "$output")"
		tuning_is_as_before
		contains "$(cat /dev/mmio_latency)" "RT Core Module"
	done
}

@test "wrong usage: exit 2, in words, and nothing is changed" {
	while IFS='|' read -r command words; do
		# shellcheck disable=SC2086 # several arguments
		run -2 $ECI/$command
		contains "$output" "$words"
		not contains "$output" "->" > /dev/null
	done <<-'END'
	msiLatencyTest.sh|IRQ_COUNT
	msiLatencyTest.sh 1 1|IRQ_COUNT
	msiLatencyTest.sh 1 1 10 10|IRQ_COUNT
	msiLatencyTest.sh 99 1 10|CPU 99
	msiLatencyTest.sh one 1 10|one
	msiLatencyTest.sh 1 1 ten|ten
	msiLatencyTest.sh --tune all 1 1 10|irq, rcu, sched
	msiLatencyTest.sh --tune|--tune
	msiLatencyTest.sh --frobnicate|frobnicate
	run_msijitter.sh 01:00.0 1 1|RUNTIME
	run_msijitter.sh 01:00.0 99 1 1|CPU 99
	mmioLatency.sh fe000000|BLOCK_IRQ
	mmioLatency.sh xyz 0|xyz
	mmioLatency.sh fe000000 2|neither 0 nor 1
	mmioLatency.sh --cpu 99 fe000000 0|CPU 99
	irq_rcu.sh frobnicate|frobnicate
	irq_rcu.sh --free all|all
	END
	tuning_is_as_before
}

@test "help" {
	for name in msiLatencyTest run_msijitter mmioLatency irq_rcu; do
		run -0 --separate-stderr "$ECI/$name.sh" --help
		contains "$output" "$name.sh"
		contains "$output" "Exit status"
	done
	tuning_is_as_before
}

@test "an ordinary user: a skip, in words" {
	user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	run -4 "${user[@]}" "$ECI/msiLatencyTest.sh" 1 1 10
	contains "$output" root
	run -4 "${user[@]}" "$ECI/irq_rcu.sh"
	contains "$output" root
	tuning_is_as_before
}
