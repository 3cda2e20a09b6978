#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -d igb -d edu -d pci-testdev,membar=1M -t 1800
# klat-kernels: bookworm/rt-amd64 trixie/cloud-amd64 sid/amd64 */arm64 */rt-arm64 debug/*
# klat-bench: emulated devices with known registers
#
# mmio_latency on emulated devices that stay: parameters, results, refusals.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/mmio_latency

# A PC's firmware has enabled the devices' memory already.
setup_file()
{
	load_once mmio_latency
	memory_on "$(edu)"
	memory_on "$(nic)"
	memory_on "$(testdev)"
}

teardown()
{
	has_machine || return 0
	end_background
	cpu_online 1
	unload_if_loaded mmio_latency igb
	memory_on "$(edu)"
}

@test "/dev/mmio_latency: the block, of a register at an address from lspci" {
	measure "address=$(first_memory "$(edu)")" loops=5000
	sed 's/[0-9][0-9]*$/N/' "$TEXT" | diff - <(cat <<-'END'
	RT Core Module
	------------------------
	 Stats:
	  max= N
	  avg= N
	  min= N
	  total= N
	  loops= N

	 mmio-outliers: N
	 sched-outliers: N
	END
	)
	same 5000 "$(text_value loops)"
	holds "0 < $(text_value max)"
	holds "$(text_value min) <= $(text_value avg)"
	holds "$(text_value avg) <= $(text_value max)"
	# both are rounded to the nearest
	holds "$(text_value total) - 5000 * $(text_value avg) <= 2501"
	holds "5000 * $(text_value avg) - $(text_value total) <= 2501"
	same 444 "$(stat -c %a "$TEXT")"
}

@test "/dev/mmio_latency says when there is no data" {
	insert mmio_latency autostart=0
	diff "$TEXT" - <<-'END'
	RT Core Module
	------------------------
	 no data

	 mmio-outliers: 0
	 sched-outliers: 0
	END
}

@test "by bdf, bar and offset, with and without the domain" {
	for address in "$(edu)" "$(edu | sed 's/^0000://')"; do
		measure "bdf=$address" bar=0 offset=0x80 loops=1000
		same 1000 "$(text_value loops)"
		remove mmio_latency
	done
}

@test "current_value has the same figures" {
	measure "bdf=$(edu)" loops=2000
	for name in Max Avg Min; do
		same "$(text_value "${name,}")" "$(result $name)"
	done
	same 2000 "$(result 'Reads asked')"
	same 2000 "$(seen)"
	same 0 "$(result Unanswered)"
	same 444 "$(stat -c %a "$CURRENT_VALUE")"
}

@test "every parameter has its documented default" {
	insert mmio_latency autostart=0
	parameters_are <<-'END'
	autostart:N
	bar:0
	block_irq:0
	burst:64
	core:1
	force:0
	loops:100000
	mmio_threshold:10000
	offset:0
	pause:1000
	sched_threshold:10000
	verbosity:1
	width:4
	END
}

@test "the BAR is claimed, idle states kept away, and no driver bound" {
	run_begins "bdf=$(edu)" loops=-1
	claimed_by_us
	same none "$(driver_of "$(edu)")"
	same 0 "$(latency_qos | tr -d ' ')"
	remove mmio_latency
	not claimed_by_us
}

@test "core: the thread reads on that CPU" {
	for cpu in 0 1; do
		run_begins "bdf=$(edu)" loops=-1 core=$cpu
		thread_is_on "$(thread_pid mmio_latency/$cpu)" $cpu
		remove mmio_latency
		measure "bdf=$(edu)" loops=100 core=$cpu
		raw_samples | awk -v cpu=$cpu '$4 != cpu { exit 1 }'
		remove mmio_latency
	done
}

@test "the results are those of the samples" {
	measure "bdf=$(edu)" loops=3000
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	same "$(seq 0 2999)" "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/raw")"
	awk -v hz="$(clock_hz)" -v min="$(text_value min)" -v avg="$(text_value avg)" \
		-v max="$(text_value max)" -v total="$(text_value total)" '
		function ns(ticks) { return ticks * 1e9 / hz }
		function is(name, found, expected) {
			if (found - expected < 2 && expected - found < 2)
				return
			print name, "is", found, "but from the samples", expected
			wrong = 1
		}
		NR == 1 || $3 < least { least = $3 }
		$3 > most { most = $3 }
		{ sum += $3 }
		# a read begins when the one before has ended
		NR > 1 && $2 - $3 < last { print "overlaps:", $0; wrong = 1 }
		{ last = $2 }
		END {
			is("min", min, ns(least))
			is("avg", avg, ns(sum / NR))
			is("max", max, ns(most))
			is("total", total, ns(sum))
			exit wrong
		}' "$BATS_TEST_TMPDIR/raw"
}

# outliers_are BURST READ GAP: as many as the samples have above these, in ticks; a
# burst's first read has no gap before it. That all are above 0 is nothing to count
# on: QEMU keeps its TSC from going back with the host's, so that two stamps can be
# the same.
outliers_are()
{
	same "$(raw_samples | awk -v burst="$1" -v read="$2" -v gap="$3" '
		$3 > read { reads++ }
		$1 % burst && $2 - $3 - last > gap { gaps++ }
		{ last = $2 }
		END { print NR, reads + 0, gaps + 0 }')" \
		"$(seen) $(text_value mmio-outliers) $(text_value sched-outliers)"
}

@test "mmio-outliers and sched-outliers count what is above the thresholds" {
	measure "bdf=$(edu)" loops=640 mmio_threshold=0 sched_threshold=0
	# 10 bursts of 64 have 10 gaps fewer than reads
	holds "$(text_value mmio-outliers) > 600 && $(text_value sched-outliers) > 600"
	outliers_are 64 0 0
	hz=$(clock_hz)
	remove mmio_latency
	measure "bdf=$(edu)" loops=640 mmio_threshold=1000000000 sched_threshold=1000000000
	outliers_are 64 "$hz" "$hz"
	remove mmio_latency
	# single reads have no gaps
	measure "bdf=$(edu)" loops=100 burst=1 mmio_threshold=0 sched_threshold=0
	same 0 "$(text_value sched-outliers)"
	outliers_are 1 0 0
}

@test "burst and pause: that many reads, then that long nothing" {
	start=$(monotonic_ms)
	measure "bdf=$(edu)" loops=50 burst=10 pause=200000
	holds "$(monotonic_ms) - $start >= 800"
	# a pause is 200 ms; of the reads, every tenth comes after one. A CPU may stand
	# still for so long elsewhere, too, but not each time
	raw_samples | awk -v hz="$(clock_hz)" '
		NR > 1 && $1 % 10 && $2 - $3 - last < hz / 5 { near++ }
		NR > 1 && $1 % 10 == 0 && $2 - $3 - last < hz / 5 { print "at", $1; wrong = 1 }
		{ last = $2 }
		END { print near + 0, "near"; exit wrong || near < 30 || NR != 50 }'
}

@test "width: 1, 2, 4 and 8 bytes" {
	for width in 1 2 4; do
		measure "bdf=$(nic)" offset=8 width=$width loops=200
		same 200 "$(seen)"
		remove mmio_latency
	done
	measure "bdf=$(edu)" offset=0x80 width=8 loops=200
	same 200 "$(seen)"
}

# interrupts_during_reads PARAMETERS...: how many came on CPU 1 between the two
# stamps of a sample, by the trace, which has the same clock
interrupts_during_reads()
{
	local trace=/sys/kernel/tracing

	echo x86-tsc > $trace/trace_clock
	echo 16384 > $trace/buffer_size_kb
	echo > $trace/trace
	echo 1 > $trace/events/irq_vectors/local_timer_entry/enable
	echo 1 > $trace/tracing_on
	measure "bdf=$(edu)" core=1 pause=10 loops=60000 "$@" || return 1
	echo 0 > $trace/events/irq_vectors/local_timer_entry/enable
	raw_samples > "$BATS_TEST_TMPDIR/raw"
	sed -n 's/.*\[001\][^0-9]* \([0-9]*\): local_timer_entry.*/\1/p' $trace/trace \
		> "$BATS_TEST_TMPDIR/interrupts"
	echo local > $trace/trace_clock
	remove mmio_latency
	[[ -s $BATS_TEST_TMPDIR/interrupts ]] || return 1
	# both are in the order of time
	awk 'NR == FNR { at[NR] = $1; n = NR; next }
	     FNR == 1 { i = 1 }
	     { while (i <= n && at[i] <= $2 - $3) i++
	       while (i <= n && at[i] < $2) { hits++; i++ } }
	     END { print hits + 0 }' "$BATS_TEST_TMPDIR/interrupts" "$BATS_TEST_TMPDIR/raw"
}

@test "block_irq: no interrupt within a read, but between two" {
	grep -q x86-tsc /sys/kernel/tracing/trace_clock ||
		skip "x86 only: the kernel's traces have no other clock of the modules'"
	hits=0
	for _ in {1..20}; do
		hits=$((hits + $(interrupts_during_reads block_irq=0)))
		(( hits == 0 )) || break
	done
	holds "$hits > 0"
	same 0 "$(interrupts_during_reads block_irq=1)"
}

@test "loops=-1: until rmmod, which gives the results" {
	run_begins "bdf=$(edu)" loops=-1
	goes_on
	same "without end" "$(result 'Reads asked')"
	log_mark
	remove mmio_latency
	log_has "State: STOPPED (the module was unloaded)"
	same 1 "$(log_count '^\* Max: [0-9]+$')"
}

@test "verbosity" {
	prints_nothing "bdf=$(edu)" loops=2000
	prints_the_results "bdf=$(edu)" loops=5000 burst=1
	prints_each_second "bdf=$(edu)" loops=-1 burst=1
	prints_samples "bdf=$(edu)" loops=-1 burst=1
}

@test "autostart=0 touches nothing" {
	touches_nothing
}

@test "a trace event for every sample" {
	events=/sys/kernel/tracing/events/mmio_latency/mmio_latency_sample
	echo > /sys/kernel/tracing/trace
	echo 1 > /sys/kernel/tracing/tracing_on
	insert mmio_latency "bdf=$(edu)" burst=1 loops=3000
	echo 1 > $events/enable
	wait_until is_done
	grep -o 'mmio_latency_sample: seq=[0-9]* stamp=[0-9]* value=[0-9]*' \
		/sys/kernel/tracing/trace |
		sed 's/.*seq=\(.*\) stamp=\(.*\) value=\(.*\)/\1 \2 \3/' > "$BATS_TEST_TMPDIR/events"
	echo > /sys/kernel/tracing/trace
	nr=$(wc -l < "$BATS_TEST_TMPDIR/events")
	holds "$nr > 100"
	# all from the first one on, with the samples' figures
	raw_samples | tail -n "$nr" | cut -d' ' -f1-3 | diff - "$BATS_TEST_TMPDIR/events"
}

# Where the kernel lets devices be, and none is: the end of the last window
hole()
{
	local end

	end=$(sed -n 's/^ *[0-9a-f]*-\([0-9a-f]*\) : \(PCI Bus 0000:00\|pcie@.*\)$/\1/p' /proc/iomem |
		tail -n 1)
	printf '%x\n' $(( 16#$end & ~16#fff ))
}

# An address in the middle of memory
ram()
{
	local start

	start=$(sed -n 's/^ *\([0-9a-f]*\)-.* : System RAM$/\1/p' /proc/iomem | tail -n 1)
	printf '%x\n' $(( 16#$start + 0x1000000 ))
}

refuse_registers()
{
	refuses mmio_latency -- "no register" "address" "bdf" "lspci -v"
	refuses mmio_latency "address=$(ram)" -- "address = 0x$(ram)" "RAM"
	refuses mmio_latency "address=$(hole)" -- "address = 0x$(hole)" "not in a memory BAR" "lspci"
	refuses mmio_latency "address=$(first_memory "$(edu)")" offset=4 -- "offset = 0x4" "with address"
	refuses mmio_latency "address=1000" "bdf=$(edu)" -- "bdf = $(edu)" "one of the two"
	refuses mmio_latency bdf=00:1e.7 -- "bdf = 00:1e.7" "no such device"
	refuses mmio_latency "bdf=$(edu)" bar=3 -- "$(edu)" "there is no BAR 3"
	refuses mmio_latency "bdf=$(testdev)" bar=1 -- "$(testdev)" "BAR 1 is an I/O BAR"
	refuses mmio_latency "bdf=$(edu)" offset=0x100000 -- \
		"offset = 0x100000" "beyond the end of BAR 0" "0 .. 0xffffc"
	refuses mmio_latency "bdf=$(edu)" offset=0xffffffffff000 -- \
		"offset = 0xffffffffff000" "beyond the end"
	refuses mmio_latency "bdf=$(edu)" offset=2 -- "offset = 0x2" "multiple of the width, 4"
	refuses mmio_latency "address=$(printf %x $((16#$(first_memory "$(edu)") + 4)))" width=8 -- \
		"multiple of the width, 8"
}

refuse_values()
{
	refuse_each width "1, 2, 4 or 8 bytes" 0 3 5 16 -4 x
	refuse_each bar "0 .. 5" -1 6
	refuse_each offset "the end of the BAR" -1 x
	refuse_each address "physical address in hexadecimal" xyz -1 10000000000000000
	refuse_each bdf "[DDDD:]BB:DD.F" zz 00:02 00:02.8 00:20.0 100:00.0 00:02.0x
	refuse_each bdf "at most 15 characters" 0000:00:02.000000
	refuse_each loops "1 .. 9223372036854775807, or below 0" 0 9223372036854775808
	refuse_each block_irq "0 or 1" -1 2
	refuse_each force "0 or 1" -1 2
	refuse_each burst "1 .. 64" 0 65 -1
	refuse_each pause "10 .. 3600000000 us" 9 3600000001 -1
	refuse_each mmio_threshold "0 .. 1000000000 ns" -1 1000000001
	refuse_each sched_threshold "0 .. 1000000000 ns" -1 1000000001
	refuse_each verbosity "0 (nothing), 1 (" -1 4
	refuse_cpus core
}

@test "registers and values are refused in words, and nothing is left behind" {
	remember_machine mmio_latency
	refuse_registers
	refuse_values
	machine_is_as_before mmio_latency
}

@test "a BAR that is not enabled is refused, and stays so" {
	memory_off "$(edu)"
	remember_machine mmio_latency
	refuses mmio_latency "bdf=$(edu)" -- "$(edu)" "not enabled" "COMMAND=2:2"
	refuses mmio_latency "address=$(sed -n '1s/^0x0*\([0-9a-f]*\) .*/\1/p' \
		"/sys/bus/pci/devices/$(edu)/resource")" -- "$(edu)" "not enabled"
	machine_is_as_before mmio_latency
}

@test "a BAR that was moved behind the kernel's back is refused" {
	was=$(setpci -s "$(edu)" BASE_ADDRESS_0)
	setpci -s "$(edu)" BASE_ADDRESS_0=fe000000
	refuses mmio_latency "bdf=$(edu)" -- "$(edu)" "does not have the address"
	setpci -s "$(edu)" "BASE_ADDRESS_0=$was"
	measure "bdf=$(edu)" loops=10
}

@test "the BAR of a bound driver: refused without force, warned about with it" {
	modprobe -q igb || skip "this kernel has no igb"
	remember_machine mmio_latency
	refuses mmio_latency "bdf=$(nic)" offset=8 -- "$(nic)" "held by driver igb" "force"
	log_mark
	measure "bdf=$(nic)" offset=8 loops=500 force=1
	same 500 "$(seen)"
	same 1 "$(log_count "^mmio_latency: $(nic): held by driver igb: a read can")"
	not claimed_by_us
	same igb "$(driver_of "$(nic)")"
	remove mmio_latency
	machine_is_as_before mmio_latency
}

@test "a driver that goes during a run with force leaves the run alone" {
	modprobe -q igb || skip "this kernel has no igb"
	run_begins "bdf=$(nic)" offset=8 loops=-1 force=1
	put /sys/bus/pci/drivers/igb/unbind "$(nic)"
	goes_on
	put /sys/bus/pci/drivers/igb/bind "$(nic)"
	same igb "$(driver_of "$(nic)")"
	goes_on
	rmmod igb
	goes_on
}

@test "a driver that comes during a run without force ends it, and gets the device" {
	run_begins "bdf=$(nic)" offset=8 loops=-1
	modprobe -q igb || skip "this kernel has no igb"
	same igb "$(driver_of "$(nic)")"
	fails_with "driver igb took $(nic)"
	grep -q ' : igb$' /proc/iomem
}

@test "a prefetchable BAR is warned about, once a run" {
	log_mark
	measure "bdf=$(testdev)" bar=2 loops=500
	same 1 "$(log_count "^mmio_latency: $(testdev): BAR 2 is prefetchable")"
	remove mmio_latency
	log_mark
	measure "bdf=$(testdev)" bar=0 loops=500
	same 0 "$(log_count 'prefetchable')"
}

@test "memory switched off during a run: FAILED, and nothing read then counts" {
	run_begins "bdf=$(edu)" loops=-1
	memory_off "$(edu)"
	fails_with "device lost: its memory BARs are not enabled"
	same "$(seen)" "$(text_value loops)"
}

@test "a BAR that is moved during a run: FAILED" {
	was=$(setpci -s "$(edu)" BASE_ADDRESS_0)
	run_begins "bdf=$(edu)" loops=-1
	setpci -s "$(edu)" BASE_ADDRESS_0=fe000000
	fails_with "device lost: its BAR does not have the address"
	setpci -s "$(edu)" "BASE_ADDRESS_0=$was"
}

@test "removed through sysfs during a run: FAILED, and it unloads" {
	address=$(edu)
	run_begins "bdf=$address" loops=-1
	put "/sys/bus/pci/devices/$address/remove" 1
	fails_with "device lost: $address was removed"
	remove mmio_latency
	put /sys/bus/pci/rescan 1
	wait_until test -e "/sys/bus/pci/devices/$address"
	memory_on "$address"
	measure "bdf=$address" loops=10
}

@test "rmmod during a run, 30 times, leaves nothing behind" {
	remember_machine mmio_latency
	unload_during_run mmio_latency 20 is_seen "bdf=$(edu)" loops=-1
	unload_during_run mmio_latency 10 is_seen "bdf=$(edu)" loops=-1 block_irq=1 verbosity=3 \
		pause=10
	machine_is_as_before mmio_latency
}

@test "rmmod with a reader blocked in read is refused and harmless" {
	remember_machine mmio_latency
	unload_with_reader mmio_latency "$MODULE_DEVICE" is_running "bdf=$(edu)" loops=-1 \
		burst=1 pause=3600000000
	machine_is_as_before mmio_latency
}

@test "good runs leave nothing behind" {
	remember_machine mmio_latency
	measure "bdf=$(edu)" loops=1000
	remove mmio_latency
	measure "bdf=$(nic)" loops=1000 block_irq=1 core=0
	remove mmio_latency
	machine_is_as_before mmio_latency
}

@test "the CPU goes offline: FAILED" {
	offline_fails "bdf=$(edu)" loops=-1 core=1
}

@test "the CPU does not go offline after all: the thread is back on it" {
	stays_pinned "bdf=$(edu)" loops=-1 core=1
}

@test "another CPU goes offline: the run goes on" {
	offline_of_another "bdf=$(edu)" loops=-1 core=0
}

@test "an opener at the wrong moment gets nothing of a module that fails to load" {
	refused_beside_an_opener mmio_latency address=1000000
}
