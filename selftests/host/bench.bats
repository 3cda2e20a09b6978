#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host: all
#
# The bench keeps its promises. Runs on the host; KLAT_KERNEL chooses the
# kernel (default: bookworm/amd64).

# shellcheck disable=SC2154 # set by bats
# shellcheck disable=SC2016 # for the shell in the guest

bats_require_minimum_version 1.5.0

setup()
{
	RUN=$BATS_TEST_DIRNAME/../vm/run
	KERNEL=${KLAT_KERNEL:-bookworm/amd64}
}

vm()
{
	"$RUN" -k "$KERNEL" "$@"
}

@test "a command's success is run's" {
	run --separate-stderr -0 vm -- true
	[ -z "$output" ]
}

@test "a command's exit status is run's" {
	run -7 vm -- sh -c 'exit 7'
	run -127 vm -- no-such-command
	run -137 vm -- bash -c 'kill -KILL $$'
}

@test "standard output and error stay apart, and are complete" {
	run --separate-stderr -0 vm -- \
		sh -c 'seq 20000; echo error >&2; echo via-dev >/dev/stderr; echo last'
	[ "${#lines[@]}" -eq 20001 ]
	[ "${lines[20000]}" = last ]
	[[ $stderr == *error* && $stderr == *via-dev* ]]
}

@test "arguments arrive as they were given" {
	run --separate-stderr -0 vm -- printf '<%s>\n' 'a b' "'" '"' '$HOME' '' \
		'*' '\n' 'ä' -- --icount
	diff - <(printf '%s\n' "$output") <<-'END'
		<a b>
		<'>
		<">
		<$HOME>
		<>
		<*>
		<\n>
		<ä>
		<-->
		<--icount>
	END
}

@test "a command that leaves processes behind ends all the same" {
	run --separate-stderr -0 vm -t 60 -- sh -c 'sleep 1000 & echo done'
	[ "$output" = "done" ]
}

@test "standard input is empty" {
	run --separate-stderr -0 vm -- cat
	[ -z "$output" ]
}

@test "a complaint of the kernel's gives 99, whatever the command says" {
	run --separate-stderr -99 vm -- sh -c 'echo BUG: here > /dev/kmsg'
	[[ $stderr == *'BUG: here'* ]]
}

@test "a panic gives 99" {
	run --separate-stderr -99 vm -t 60 -- \
		sh -c 'echo c > /proc/sysrq-trigger; sleep 30'
	[[ $stderr == *'sysrq triggered crash'* ]]
}

@test "a machine that ends by itself gives 98" {
	run --separate-stderr -98 vm -- \
		sh -c 'echo b > /proc/sysrq-trigger; sleep 30'
	[[ $stderr == *'without a verdict'* ]]
}

@test "an out-of-tree module's taint is no complaint" {
	run -0 vm -- sh -c 'for m in *.ko; do modinfo -F name "$m"; done'
}

@test "a command that does not end is killed in time" {
	local before=$SECONDS

	run --separate-stderr -124 vm -t 20 -- sleep 1000
	(( SECONDS - before < 60 ))
	[[ $stderr == *'20 seconds'* ]]
}

@test "nothing is left running, nor lying about, after a signal" {
	local pid status=0

	"$RUN" -k "$KERNEL" --cmdline "klat.mark=$$" -- sleep 1000 3>&- &
	pid=$!
	for _ in {1..600}; do
		! pgrep -f "qemu.*klat.mark=$$" || break
		sleep 0.1
	done
	kill -TERM "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 143 ]
	run ! pgrep -f "klat.mark=$$"
}

@test "the tools are on the PATH, the file systems mounted" {
	run -0 vm -- bash -c '
		type bash bats jq lspci ip ping taskset chrt script setsid ps pgrep \
			sysctl modprobe insmod awk sed grep find xargs seq strace vm-host &&
		ping -c 1 -w 5 127.0.0.1 &&
		test -d /sys/kernel/debug/tracing && test -e /sys/kernel/tracing/trace &&
		test "$PWD" = /klat && test "$(id -u)" = 0'
}

@test "every processor is there" {
	run --separate-stderr -0 vm -c 4 -- nproc
	[ "$output" = 4 ]
}

@test "the clock is stable" {
	run --separate-stderr -0 vm -- sh -c '
		cat /sys/devices/system/clocksource/clocksource0/current_clocksource
		dmesg | grep -i unstable; true'
	[ "$output" = tsc ]
}

@test "the kernel's command line can be added to" {
	run --separate-stderr -0 vm --cmdline 'klat.a=1 quiet' --cmdline klat.b=2 \
		-- cat /proc/cmdline
	[[ $output == *'klat.a=1 quiet klat.b=2'* ]]
}

@test "an emulated NIC is there" {
	run --separate-stderr -0 vm -d igb -d e1000e -d edu -- lspci -n
	[[ $output == *8086:10c9* && $output == *8086:10d3* && $output == *1234:11e8* ]]
}

@test "a NIC can be taken out and put back" {
	run --separate-stderr -0 vm -d pcie-root-port,id=rp0,slot=1,chassis=1 \
		-d igb,id=n0,bus=rp0 -- bash -c '
		lspci -d 8086:10c9 | wc -l
		vm-host device_del n0 || exit
		lspci -d 8086:10c9 | wc -l
		vm-host device_add igb,id=n0,bus=rp0 || exit
		for i in {1..100}; do
			[[ -z $(lspci -d 8086:10c9) ]] || break
			sleep 0.1
		done
		lspci -d 8086:10c9 | wc -l'
	[ "$output" = $'1\n0\n1' ]
}

@test "vm-host tells when QEMU refuses" {
	run --separate-stderr -0 vm -- bash -c '
		! vm-host device_del nothing && ! vm-host device_add nothing &&
		! vm-host hmp nothing && ! vm-host && vm-host hmp info version'
	[[ $output == *10.* || $output == *[89].* ]]
}

@test "an NMI reaches the guest" {
	run --separate-stderr -0 vm -- sh -c '
		grep NMI: /proc/interrupts; vm-host nmi; sleep 1
		grep NMI: /proc/interrupts'
	[ "${lines[0]}" != "${lines[1]}" ]
}

@test "two icount boots print the same to the tick" {
	run --separate-stderr -0 vm --icount -- cat /proc/uptime /proc/interrupts
	first=$output
	run --separate-stderr -0 vm --icount -- cat /proc/uptime /proc/interrupts
	[ "$output" = "$first" ]
}

@test "usage errors name the value and what is allowed" {
	for arguments in "-k buster/amd64" "-k bookworm/arm64" "-k bookworm" \
		"-c 0" "-c x" "-m 1" "-t -1" "--icount -c 2" "-x" "--frob" \
		"--modules /nowhere"; do
		# shellcheck disable=SC2086
		run -2 "$RUN" $arguments -- true
		[[ $output == *"$(tail -c 4 <<< "$arguments")"* ]]
	done
	run -2 "$RUN"
	run -2 "$RUN" --
	run -2 "$RUN" -k
	run -2 "$RUN" true
}

@test "a device that QEMU does not know is shown" {
	run -98 vm -d no-such-device -- true
	[[ $output == *no-such-device* ]]
}

@test "help" {
	run --separate-stderr -0 "$RUN" --help
	[[ $output == *Usage* ]]
}

@test "a backports suite is read from the machine's own archive" {
	run --separate-stderr -0 bash -c '
		set -u
		bench_error() { echo "$*" >&2; exit 1; }
		. "$0/lib/apt.sh"
		sources_of bookworm bookworm-backports' "$BATS_TEST_DIRNAME/../vm"
	[[ ${lines[0]} == "deb "*" bookworm main" ]]
	[ "${lines[1]}" = "${lines[0]/ bookworm / bookworm-backports }" ]
}
