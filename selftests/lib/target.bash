# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Where the tests run, and what they may do there. The bench's machine, which
# KLAT_BENCH marks, is made for them and thrown away. Any other is a user's:
#
#	- only devices that the user named (KLAT_TEST_BDF) are used
#	- nothing that others would notice, unless the user allows it (KLAT_DISRUPTIVE)
#	- no module is unloaded that was there before
#
# What a file needs it says in its head, and where something is missing it is
# skipped, with the reason:
#
#	# klat-bench: REASON		the bench's machine, for that reason
#	# klat-needs: WORD...		of these:
#		module=NAME		the module, for this kernel, not loaded yet
#		tool=NAME		klat, and the module where klat finds it
#		klat			klat alone
#		nic			one named device that can be measured
#		cpus=N			CPUs 0 .. N - 1
#		online=LIST		exactly these CPUs
#		gaps			CPUs that stand still now and then, as emulated ones
#		disruptive		what others would notice

# COMMAND PACKAGE: what the test files call
readonly TOOLS='bats bats
jq jq
lspci pciutils
setpci pciutils
ps procps
insmod kmod
awk mawk
taskset util-linux
chrt util-linux
setpriv util-linux
dmesg util-linux
script bsdutils'

# the directory above that of the tests, which may be klat's own tree
tree()
{
	(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
}

on_bench()
{
	[[ -n ${KLAT_BENCH:-} ]]
}

# somebody_traces: has a tracer, an event, or a trace that is worth keeping
somebody_traces()
{
	local tracing=/sys/kernel/tracing

	[[ -r $tracing/trace ]] || return 1
	[[ $(< $tracing/current_tracer) != nop ]] || grep -q . $tracing/set_event ||
		grep -qv '^#' $tracing/trace
}

# As it was before the first test
if ! on_bench && [[ -z ${KLAT_LOADED+set} ]]; then
	KLAT_LOADED=" $(cut -d' ' -f1 /proc/modules 2> /dev/null | paste -sd' ') "
	KLAT_TRACED=
	! somebody_traces || KLAT_TRACED=1
	export KLAT_LOADED KLAT_TRACED
fi

# was_loaded MODULE: before the tests, and so is not theirs
was_loaded()
{
	! on_bench && [[ $KLAT_LOADED == *" $1 "* ]]
}

# is_for_this_kernel FILE
is_for_this_kernel()
{
	[[ $(modinfo -F vermagic "$1" 2> /dev/null) == "$(uname -r) "* ]]
}

# module_file NAME: where its file is: in the working directory, at the top of the
# tree, where modprobe looks
module_file()
{
	local file

	if on_bench; then
		echo "$1.ko"
		return
	fi
	for file in "./$1.ko" "$(tree)/$1.ko" "$(modinfo -n "$1" 2> /dev/null)"; do
		[[ -e $file ]] && is_for_this_kernel "$file" && echo "$file" && return
	done
	echo "no $1.ko for $(uname -r) in $PWD, $(tree) or /lib/modules" >&2
	return 1
}

# The tightest latency that anybody asks for, in us
latency_qos()
{
	od -An -td4 -N4 /dev/cpu_dma_latency
}

# lack_of_module NAME, and so on: prints what is missing, nothing if it is there

lack_of_module()
{
	local lockdown=/sys/kernel/security/lockdown file

	if was_loaded "$1"; then
		echo "$1 is loaded: it is not the tests' to unload; rmmod $1 first"
	elif ! file=$(module_file "$1" 2> /dev/null); then
		echo "no $1.ko for $(uname -r) in $PWD, $(tree) or /lib/modules"
	elif [[ -e $lockdown && $(< $lockdown) != *"[none]"* ]] &&
	     [[ -z $(modinfo -F signer "$file") ]]; then
		echo "the kernel is locked down, and $file is not signed"
	elif [[ ! -e /sys/kernel/debug/tracing ]]; then
		echo "debugfs is not mounted: mount -t debugfs debugfs /sys/kernel/debug"
	elif [[ ! -e /sys/kernel/tracing/trace ]]; then
		echo "tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing"
	elif [[ -n ${KLAT_TRACED:-} ]]; then
		echo "somebody is tracing, or has a trace, which the tests would overwrite"
	elif [[ $(latency_qos | tr -d ' ') != 2000000000 ]]; then
		echo "somebody holds /dev/cpu_dma_latency at$(latency_qos) us, which the tests look at"
	fi
}

lack_of_klat()
{
	command -v klat > /dev/null || echo "klat is not on the PATH"
}

lack_of_tool()
{
	if [[ -n $(lack_of_klat) ]]; then
		lack_of_klat
	elif ! modinfo -n "$1" &> /dev/null; then
		echo "$1 is not in /lib/modules/$(uname -r), where klat loads it from"
	else
		lack_of_module "$1"
	fi
}

# free_device ADDRESS: of a kind that the modules may measure, and no driver's
free_device()
{
	local dir=/sys/bus/pci/devices/$1

	[[ -e $dir/vendor && ! -e $dir/driver ]] || return 1
	[[ $(< "$dir/vendor"),$(< "$dir/class") == 0x8086,0x0200* ||
	   $(< "$dir/vendor"),$(< "$dir/device") == 0x1234,0x11e8 ]]
}

# The modules measure a device that is free without being told to: so there may be
# no others.
lack_of_nic()
{
	local dir named=${KLAT_TEST_BDF:-}

	if [[ -z $named ]]; then
		echo "no device was named: --bdf BDF"
		return
	elif [[ $named == *" "* ]]; then
		echo "one device is needed, and several were named: $named"
		return
	elif ! free_device "$named"; then
		echo "$named is none that can be measured, or a driver has it"
		return
	fi
	for dir in /sys/bus/pci/devices/*; do
		if [[ ${dir##*/} != "$named" ]] && free_device "${dir##*/}"; then
			echo "${dir##*/} is free, too, and might be taken for $named"
			return
		fi
	done
}

lack_of_cpus()
{
	local cpu

	for (( cpu = 0; cpu < $1; cpu++ )); do
		if [[ ! -e /sys/devices/system/cpu/cpu$cpu ]] ||
		   [[ $(cat "/sys/devices/system/cpu/cpu$cpu/online" 2> /dev/null) == 0 ]]; then
			echo "CPUs 0-$(($1 - 1)) are needed, online are" \
				"$(< /sys/devices/system/cpu/online)"
			return
		fi
	done
}

lack_of_online()
{
	[[ $(< /sys/devices/system/cpu/online) == "$1" ]] ||
		echo "CPUs $1 and no others are needed, online are" \
			"$(< /sys/devices/system/cpu/online)"
}

lack_of_gaps()
{
	grep -qw hypervisor /proc/cpuinfo ||
		echo "gaps of a microsecond are needed, which hardware need not have"
}

lack_of_disruptive()
{
	[[ -n ${KLAT_DISRUPTIVE:-} ]] || echo "takes CPUs away from others: --disruptive"
}

# lack_of_edu: QEMU's, whose registers mind nothing
lack_of_edu()
{
	local id

	for id in /sys/bus/pci/devices/*; do
		[[ $(< "$id/vendor"),$(< "$id/device") != 0x1234,0x11e8 ]] || return 0
	done
	echo "QEMU's edu is needed: a register that minds nothing"
}

# lack_of_abi MODULE: for its ABI tests
lack_of_abi()
{
	local lack

	! on_bench || return 0
	lack=$( (( EUID == 0 )) || echo "root is needed"
		lack_of_module "$1"
		[[ $1 != mmio_latency ]] || lack_of_edu
		[[ $1 != hwlat_detector ]] || lack_of_gaps )
	[[ -z $lack ]] || head -n 1 <<< "$lack"
}

lack_of_programs()
{
	local command package commands=() packages=()

	while read -r command package; do
		command -v "$command" > /dev/null && continue
		commands+=("$command")
		packages+=("$package")
	done <<< "$TOOLS"
	(( ! ${#commands[@]} )) ||
		echo "not installed: ${commands[*]}; apt install" \
			"$(printf '%s\n' "${packages[@]}" | sort -u | paste -sd" ")"
}

# lack_of FILE: the first thing that is missing of what its head says. KLAT_MET is the
# file of which `run` knows that nothing is.
lack_of()
{
	local words word lack

	! on_bench && [[ ${KLAT_MET:-} != "$1" ]] || return 0
	! grep -q '^# klat-host' "$1" || return 0
	lack=$(sed -n 's/^# klat-bench: //p' "$1")
	if [[ -n $lack ]]; then
		echo "for the bench's machine: $lack"
		return
	fi
	if (( EUID )); then
		echo "root is needed"
		return
	fi
	read -ra words < <(sed -n 's/^# klat-needs: //p' "$1")
	for word in programs "${words[@]}"; do
		lack=$("lack_of_${word%%=*}" "${word#*=}" | head -n 1)
		[[ -z $lack ]] || break
	done
	[[ -z $lack ]] || echo "$lack"
}

# What follows is for the tests: each skips the test where something is missing.

machine_lacks=

# trace_the_test_only: bats looks at each command of each function before it is run,
# which takes an emulated CPU longer than most commands. Which line of the test was the
# last is all that is wanted of it.
trace_the_test_only()
{
	set +o functrace
	declare -ft "$BATS_TEST_NAME"
}

# needs_machine: what the file's head says. A teardown asks has_machine before it puts
# back what no test has changed.
needs_machine()
{
	[[ -z ${BATS_TEST_NAME:-} ]] || trace_the_test_only
	on_bench || machine_lacks=$(lack_of "$BATS_TEST_FILENAME")
	has_machine || skip "$machine_lacks"
}

has_machine()
{
	[[ -z $machine_lacks ]]
}

# needs_bench WHAT: which only the bench's machine has
needs_bench()
{
	on_bench || skip "for the bench's machine: $1"
}

# needs WORD: as in a head
needs()
{
	local lack

	! on_bench || return 0
	lack=$("lack_of_${1%%=*}" "${1#*=}" | head -n 1)
	[[ -z $lack ]] || skip "$lack"
}

# needs_no_device: none that the modules would measure, or klat would take
needs_no_device()
{
	local dir

	! on_bench || return 0
	for dir in /sys/bus/pci/devices/*; do
		[[ $(< "$dir/vendor"),$(< "$dir/class") != 0x8086,0x0200* ]] ||
			skip "a machine without such a device is needed, here is ${dir##*/}"
		! free_device "${dir##*/}" ||
			skip "a machine without such a device is needed, here is ${dir##*/}"
	done
}

# may_disrupt
may_disrupt()
{
	on_bench || [[ -n ${KLAT_DISRUPTIVE:-} ]]
}
