# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The machine: QEMU's arguments, its start, its end. The settings are run's
# (opt_*); $run_dir is the directory of this one run.

# The ordinary machine, with a clock that stays stable. The emulated CPU cannot
# promise an invariant TSC, so a kernel with two such CPUs calls the TSC
# unstable at boot, although there is only one counter behind both; and later
# the clocksource watchdog compares it with a timer that the host emulates late,
# so that a loop with interrupts off, or a busy host, is enough to condemn it.
# "reliable" ends both; "nowatchdog" only the second. tsc=unstable on
# --cmdline gives the unstable case, when that is what is to be tested. The check of
# the timer counts ticks in a few of its own: on a busy host none may have come. No CPU
# here leaks what mitigations would keep, and they are a fifth of its time; page tables
# of five levels are another tenth.
pc_arguments()
{
	qemu_args+=(-M q35 -accel tcg,thread=multi -cpu max,la57=off -smp "$opt_cpus")
	kernel_args+=(console=ttyS0 tsc=reliable no_timer_check mitigations=off)
}

# The same of arm64: its GIC has an ITS, which MSIs go through
virt_arguments()
{
	qemu_args+=(-M virt,gic-version=3,its=on -accel tcg,thread=multi -cpu cortex-a72
		-smp "$opt_cpus")
	kernel_args+=(console=ttyAMA0)
}

# The deterministic machine: one instruction is one tick of a 1 GHz TSC, and
# nothing depends on the host's clock. While the CPU is idle, QEMU's main loop moves
# the time on to the next timer. Where the host wakes that loop late, it can meet a
# CPU that has just become idle and whose last instructions are not yet counted:
# it then moves the time too far, by these, and the timer is late. When QEMU
# records, the two take turns. The record itself is of no use.
icount_arguments()
{
	qemu_args+=(-M q35 -accel tcg -icount shift=0,sleep=off,rr=record,rrfile=/dev/null
		-cpu qemu64 -smp 1
		-rtc base=2026-01-01,clock=vm)
	kernel_args+=(console=ttyS0 nokaslr norandmaps)
}

# channel NAME CHARDEV: a serial port of the guest's, under its own name.
channel_arguments()
{
	qemu_args+=(-device "virtserialport,chardev=$2,name=klat.$1")
}

# file_channel NAME: what the guest writes there is in the file NAME. A file
# never makes the guest wait, as a pipe with a slow reader does.
file_channel()
{
	qemu_args+=(-chardev "file,id=$1,path=$run_dir/$1")
	channel_arguments "$1" "$1"
}

# The guest's channel to QEMU's monitor: two pipes, each of which the one end
# reads and the other writes. QEMU is at both ends, so nothing has to stand
# between them.
monitor_channel()
{
	local to=$run_dir/to-monitor from=$run_dir/from-monitor

	rm -f "$to" "$from" "$run_dir"/{monitor,qmp}.{in,out}
	mkfifo "$to" "$from"
	ln -s "$to" "$run_dir/monitor.in"
	ln -s "$from" "$run_dir/monitor.out"
	ln -s "$from" "$run_dir/qmp.in"
	ln -s "$to" "$run_dir/qmp.out"
	qemu_args+=(-chardev "pipe,id=monitor,path=$run_dir/monitor"
		-mon "chardev=monitor,mode=control"
		-chardev "pipe,id=qmp,path=$run_dir/qmp")
	channel_arguments qmp qmp
}

# Without ioeventfd the channels are served while the guest waits: nothing then
# depends on when QEMU's main loop gets to run.
channels()
{
	local name

	qemu_args+=(-device virtio-serial-pci,ioeventfd=off)
	for name in out err status; do
		file_channel "$name"
	done
	! is_debug "$opt_release" || file_channel coverage
	monitor_channel
}

# An igb brings virtual functions, which take up the slots behind it: a second
# one gets a bus of its own.
device_arguments()
{
	local device igbs=0

	for device in "${opt_devices[@]}"; do
		if [[ $device == igb ]] && (( igbs++ )); then
			qemu_args+=(-device "pcie-root-port,id=klat-port$igbs,chassis=$((100 + igbs))")
			device=igb,bus=klat-port$igbs
		fi
		qemu_args+=(-device "$device")
	done
}

# Network boot ROMs would only make the boot longer.
machine_arguments()
{
	qemu_args+=(-m "$opt_mib" -nodefaults -no-user-config
		-display none -no-reboot -nic none
		-global igb.romfile= -global e1000e.romfile=
		-serial "file:$run_dir/console")
	if (( opt_icount )); then
		icount_arguments
	elif [[ $(arch_of "$opt_release") == arm64 ]]; then
		virt_arguments
	else
		pc_arguments
	fi
	(( ! opt_native_hotplug )) || native_hotplug_arguments
}

native_hotplug_arguments()
{
	[[ $(arch_of "$opt_release") == arm64 ]] ||
		qemu_args+=(-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off)
	kernel_args+=(pciehp.pciehp_poll_mode=1 pciehp.pciehp_poll_time=1)
}

# Warnings and worse reach the console, which is slow; the rest is in dmesg.
# A panic ends the run at once, and so does an oops, which would leave
# the command waiting for ever. That cryptography is right is not looked at.
kernel_arguments()
{
	kernel_args+=(cryptomgr.notests loglevel=5 panic=-1 oops=panic)
	kernel_args+=("${opt_cmdline[@]}")
	qemu_args+=(-kernel "$run_dir/kernel" -initrd "$run_dir/initrd"
		-append "${kernel_args[*]}")
}

# The machine dies with this shell, however that ends.
start_qemu()
{
	qemu_args=()
	kernel_args=()
	machine_arguments
	channels
	device_arguments
	kernel_arguments
	: > "$run_dir/console"
	: > "$run_dir/out"
	: > "$run_dir/err"
	setpriv --pdeathsig KILL -- "$(qemu_of "$(arch_of "$opt_release")")" "${qemu_args[@]}" \
		"${opt_qemu_args[@]}" < /dev/null &> "$run_dir/qemu.log" &
	qemu_pid=$!
}

# pass_on FILE: what the guest writes there, from the start, as it comes.
pass_on()
{
	setpriv --pdeathsig KILL -- \
		tail -c +1 -f -s 0.1 --pid="$qemu_pid" "$run_dir/$1" 2> /dev/null
}

# More than a boot takes on a busy host; some ten seconds are usual.
readonly BOOT_SECONDS=300

has_booted()
{
	grep -aqF "$COMMAND_STARTS" "$run_dir/console"
}

# wait_for_boot LIMIT: until the command starts, or the machine ends; at most
# BOOT_SECONDS, and until SECONDS has come to LIMIT.
wait_for_boot()
{
	local end=$((SECONDS + BOOT_SECONDS))

	while ! has_booted && kill -0 "$qemu_pid" 2> /dev/null &&
		(( SECONDS < end && SECONDS < $1 )); do
		sleep 0.3
	done
}

# wait_for_qemu SECONDS: 0 when it ended by itself.
wait_for_qemu()
{
	local first=

	(( $1 > 0 )) || set -- 0
	setpriv --pdeathsig KILL -- sleep "$1" &
	timer_pid=$!
	wait -n -p first "$qemu_pid" "$timer_pid"
	end_process "$timer_pid"
	[[ $first == "$qemu_pid" ]] && return 0
	end_process "$qemu_pid"
	return 1
}

end_process()
{
	kill -KILL "$1" 2> /dev/null
	wait "$1" 2> /dev/null
}
