#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 3 -t 1800
# klat-kernels: bookworm/amd64 bookworm/rt-amd64 trixie/rt-amd64 sid/amd64 debug/*
# klat-needs: module=hwlat_detector klat online=0-2 gaps
#
# hwlat_detector in an emulated machine: parameters, results, refusals, the files
# in debugfs, CPUs that go and come.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/lifecycle
load lib/hwlat_detector

setup_file()
{
	load_once hwlat_detector
}

teardown()
{
	has_machine || return 0
	end_background
	cpu_online 1
	cpu_online 2
	unload_if_loaded hwlat_detector klat_inject
	echo > "$TRACING/trace"
}

@test "a run of the parameters: looks on both CPUs, and is done" {
	needs disruptive
	# a threshold that a busy host does not exceed so often that records are lost
	measure window=1000000 width=950000 threshold=100000 runTime=2 cpus=0-1 aligned=1
	contains "$(cat "$CURRENT_VALUE")" "RESULTS (ns)"
	same "" "$(result 'Gaps asked')"
	[[ $(result NMIs) =~ ^[0-9]+$ ]]
	[[ $(result 'Looked the least') =~ ^'CPU '[01]', '([0-9]+)'.'([0-9])' % of the run'$ ]]
	holds "0 < ${BASH_REMATCH[1]}${BASH_REMATCH[2]} && ${BASH_REMATCH[1]}${BASH_REMATCH[2]} <= 950"
	same "100000 ns" "$(result Threshold)"
	same "1000000000 ns, width 950000000 ns, aligned" "$(result Window)"
	same 0-1 "$(result CPUs)"
	looked=$(result Looked)
	holds "0 < ${looked% ns}"
	contains "$(result State)" "for as long as was asked"
	# what was seen is what the records say
	same "$(seen)" "$(records | awk '$5 < 2' | wc -l)"
}

@test "every parameter has its documented default" {
	insert hwlat_detector autostart=0
	parameters_are <<-'END'
	aligned:0
	autostart:N
	runTime:-1
	steps:0
	threshold:10000
	verbosity:1
	width:500000
	window:1000000
	END
	file_is cpus 0-2
	file_is threshold 10
	file_is window 1000000
	file_is width 500000
}

@test "the threads are ordinary ones, each on its CPU; idle states kept away" {
	run_begins "${SHORT[@]}" cpus=0,2
	for cpu in 0 2; do
		pid=$(thread_pid hwlat_detector/$cpu)
		thread_is_on "$pid" $cpu
		same TS "$(ps -o cls= -p "$pid" | tr -d ' ')"
	done
	same "" "$(thread_pid hwlat_detector/1)"
	same 0 "$(latency_qos | tr -d ' ')"
	remove hwlat_detector
	same 2000000000 "$(latency_qos | tr -d ' ')"
}

# check_windows STAGGERED: where those of the trace are due, and that each is within
# its place: windows of 100 ms, of which 40 are looked at
check_windows()
{
	awk -v hz="$(clock_hz)" -v staggered="$1" '
		function phase(ticks) { return (ticks - first) % window }
		function off(x, place) {
			x = (x - place + 1.5 * window) % window - window / 2
			return x < 0 ? -x : x
		}
		BEGIN { window = hz / 10 }
		NR == 1 { first = $2 - $1 * staggered * window / 3 - 1000 * window }
		# clocks are read one after the other: a hundredth is no error
		off(phase($2), $1 * staggered * window / 3) > window / 100 {
			print "due elsewhere:", $0; wrong = 1 }
		$3 < $2 - window / 100 { print "begun too early:", $0; wrong = 1 }
		$1 in last && $3 <= last[$1] { print "no pause:", $0; wrong = 1 }
		$5 > $4 - $3 { print "looked longer than it lasted:", $0; wrong = 1 }
		{ last[$1] = $4; seen[$1]++ }
		END { exit wrong || length(seen) != 3 }' "$BATS_TEST_TMPDIR/windows"
}

# look_at_windows PARAMETERS...: some on each CPU
look_at_windows()
{
	insert hwlat_detector autostart=0 window=100000 width=40000 "$@"
	trace_on window
	put "$FILES/enable" 1
	for cpu in 0 1 2; do
		wait_until has_windows 5 "$cpu"
	done
	echo 0 > "$TRACING/tracing_on"
	# they go with the module
	windows > "$BATS_TEST_TMPDIR/windows"
	remove hwlat_detector
}

@test "windows are staggered over the CPUs" {
	look_at_windows
	check_windows 1
}

@test "aligned=1: windows are due together" {
	look_at_windows aligned=1
	check_windows 0
}

@test "a trace event for every gap, with the records' figures" {
	# so few that those of a minute have room: see below
	insert hwlat_detector autostart=0 verbosity=0 "${SHORT[@]}" threshold=1000000
	trace_on gap
	put "$FILES/enable" 1
	wait_until has_seen 10
	put "$FILES/enable" 0
	echo 0 > "$TRACING/tracing_on"
	records | awk '$5 < 2 { print $4, $2, $3, $5 ? "outer" : "inner", $7, $8 }' | sort \
		> "$BATS_TEST_TMPDIR/records"
	[ -s "$BATS_TEST_TMPDIR/records" ]
	# as many records as the ring holds
	holds "$(wc -l < "$BATS_TEST_TMPDIR/records") < 2000"
	gaps | sort | diff - "$BATS_TEST_TMPDIR/records"
}

@test "runTime=-1: until rmmod, which gives the results" {
	run_begins "${SHORT[@]}"
	goes_on
	log_mark
	remove hwlat_detector
	log_has "State: STOPPED (the module was unloaded)"
	same 1 "$(log_count '^\* Max: [0-9]+$')"
}

@test "verbosity" {
	prints_nothing "${SHORT[@]}" runTime=1
	prints_each_second "${SHORT[@]}"
	prints_samples "${SHORT[@]}"
}

@test "autostart=0 touches nothing" {
	touches_nothing
}

refuse_lists()
{
	refuse_each cpus "a list of CPUs" "" "," x 0- 1-0 -1
	refuse_each cpus "online: 0-2" 3 0-3 0,63
	refuse_each cpus "at most 191 characters" "$(printf '0,%.0s' {1..100})"
	may_disrupt || return 0
	cpu_offline 1
	refuse_each cpus "must all be online (online: 0,2)" 1 0-2
	cpu_online 1
}

@test "bad values are refused in words, and nothing is left behind" {
	remember_machine hwlat_detector
	refuse_each threshold "20 .. 1000000000 ns" 0 19 -1 1000000001 x
	refuse_each window "1000 .. 10000000 us" 0 999 -1 10000001
	refuse_each width "100 .. 2000000 us" 0 99 -1 2000001
	refuse_each runTime "1 .. 31536000 s, or below 0" 0 31536001
	refuse_each aligned "0 or 1" -1 2
	refuse_each steps "0 or 1" -1 2
	refuse_each verbosity "0 (nothing), 1 (" -1 4
	refuses_value hwlat_detector width 1000000 "at least 50 us below window = 1000000"
	refuses_value hwlat_detector width 2000000 "at least 50 us below window = 1000000"
	refuses_value hwlat_detector width 19951 "at least 50 us below window = 20000" \
		window=20000
	refuse_lists
	machine_is_as_before hwlat_detector
}

# An emulated stamp takes about 10 ns, one time a bit less and one time a bit more
@test "a threshold below two of the loop's own steps is refused, in words" {
	for _ in {1..20}; do
		log_mark
		if ! insert hwlat_detector threshold=20 2> /dev/null; then
			log_has "threshold_ns = 20: must be at least"
			log_has "two of the loop's steps"
			return
		fi
		remove hwlat_detector
	done
	skip "two of the loop's own steps take less than 20 ns on this machine"
}

@test "the classic files: modes and contents" {
	insert hwlat_detector autostart=0
	for name in enable threshold window width cpus; do
		same 644 "$(stat -c %a "$FILES/$name")"
	done
	for name in count max sample current_value; do
		same 444 "$(stat -c %a "$FILES/$name")"
	done
	same "count cpus current_value enable max sample threshold width window" \
		"$(cd "$FILES" && echo *)"
	file_is enable 0
	file_is count 0
	file_is max 0
	file_is sample ""
}

@test "the classic files: a run, its count, its largest and its samples" {
	insert hwlat_detector autostart=0 verbosity=0
	put "$FILES/threshold" 1
	put "$FILES/width" 10000
	put "$FILES/window" 20000
	put "$FILES/cpus" 0-1
	file_is cpus 0-1
	file_is threshold 1
	put "$FILES/enable" 1
	file_is enable 1
	put "$FILES/enable" 1
	# blocks for a line, and gives it whole
	line=$(head -n 1 "$FILES/sample")
	[[ $line =~ ^[0-9]{10}\.[0-9]{9}$'\t'[0-9]+$'\t'[0-9]+$ ]]
	wait_until has_seen 20
	put "$FILES/enable" 0
	file_is enable 0
	put "$FILES/enable" 0
	contains "$(result State)" "STOPPED (stopped through debugfs)"
	file_is count "$(seen)"
	# in microseconds, rounded up
	holds "$(file max) == ($(result Max) + 999) / 1000"
	same 0-1 "$(result CPUs)"
	# of the run, and not what is set now
	put "$FILES/threshold" 3
	same "1000 ns" "$(result Threshold)"
	# of each line one column is 0, the other the length
	cat "$FILES/sample" > "$BATS_TEST_TMPDIR/samples"
	awk -F'\t' 'NF != 3 || ($2 > 0) == ($3 > 0) { exit 1 }' "$BATS_TEST_TMPDIR/samples"
	# the first was read above; without losses the others are all there
	holds "$(wc -l < "$BATS_TEST_TMPDIR/samples") == ($(seen) > 1024 ? 1024 : $(seen)) - 1 ||
		$(wc -l < "$BATS_TEST_TMPDIR/samples") >= 1023"
}

# refuses_to_write FILE TEXT PART: EINVAL or the like, and PART in the log
refuses_to_write()
{
	log_mark
	not put "$FILES/$1" "$2" 2> /dev/null || return 1
	[[ -z $3 ]] || log_has "$3"
}

@test "the classic files: what is refused" {
	insert hwlat_detector autostart=0
	refuses_to_write threshold 0 "threshold_ns = 0: must be 20 .. 1000000000 ns"
	refuses_to_write threshold x "threshold = x: must be a whole number"
	refuses_to_write threshold 18446744073709551615 "threshold_ns = "
	refuses_to_write window 0 "window_ns = 0: "
	refuses_to_write window 400000 "width_ns = 500000000: must be at least 50000 ns below"
	refuses_to_write width 1000000 "width_ns = 1000000000: must be at least 50000 ns below"
	refuses_to_write cpus "" "must be a list of CPUs"
	refuses_to_write cpus x "cpus = x: must be a list of CPUs"
	refuses_to_write cpus 0-3 "cpus = 0-3: must "
	refuses_to_write enable 2 "enable = 2: must be 0 or 1"
	file_is threshold 10
	file_is window 1000000
	file_is width 500000
	file_is cpus 0-2
	file_is enable 0
	not put "$FILES/count" 1 2> /dev/null
	# while it runs nothing may change
	put "$FILES/enable" 1
	for name in threshold window width; do
		refuses_to_write $name 2000 ""
	done
	refuses_to_write cpus 0 ""
	put "$FILES/enable" 0
	setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio \
		bash -c "! echo 1 > $FILES/enable" 2> /dev/null
	file_is enable 0
}

@test "rmmod with a reader blocked in sample is refused and harmless" {
	insert hwlat_detector "${SHORT[@]}" threshold=1000000000
	in_background cat "$FILES/sample"
	reader=$!
	wait_until reads_asleep "$reader" "$FILES/sample"
	not rmmod hwlat_detector 2> /dev/null
	is_running
	reads_asleep "$reader" "$FILES/sample"
	kill -KILL "$reader"
	wait "$reader" || :
	is_running
	remove hwlat_detector
}

@test "a reader blocked in sample gets the end of the run" {
	insert hwlat_detector "${SHORT[@]}" threshold=1000000000
	in_background cat "$FILES/sample"
	reader=$!
	wait_until reads_asleep "$reader" "$FILES/sample"
	put "$FILES/enable" 0
	wait "$reader"
}

@test "rmmod during a run, 30 times, leaves nothing behind" {
	remember_machine hwlat_detector
	unload_during_run hwlat_detector 20 is_seen "${SHORT[@]}"
	unload_during_run hwlat_detector 10 is_seen "${SHORT[@]}" aligned=1 steps=1 verbosity=3
	machine_is_as_before hwlat_detector
}

@test "rmmod with a reader blocked in read is refused and harmless" {
	remember_machine hwlat_detector
	unload_with_reader hwlat_detector "$MODULE_DEVICE" is_running "${SHORT[@]}" \
		threshold=1000000000
	machine_is_as_before hwlat_detector
}

@test "good runs leave nothing behind" {
	remember_machine hwlat_detector
	measure "${SHORT[@]}" runTime=1
	remove hwlat_detector
	measure "${SHORT[@]}" runTime=1 cpus=2 steps=1
	remove hwlat_detector
	machine_is_as_before hwlat_detector
}

@test "a CPU goes offline: the run goes on without it, and with it when it is back" {
	needs disruptive
	remember_machine hwlat_detector
	run_begins "${SHORT[@]}"
	cpu_offline 1
	goes_on
	same "" "$(thread_pid hwlat_detector/1)"
	same 1 "$(result 'CPUs that were missing')"
	cpu_online 1
	trace_on window
	wait_until has_windows 3 1
	echo 0 > "$TRACING/tracing_on"
	thread_is_on "$(thread_pid hwlat_detector/1)" 1
	for _ in 1 2 3; do
		cpu_offline 2
		cpu_online 2
		cpu_offline 1
		cpu_online 1
	done
	goes_on
	same 2 "$(result 'CPUs that were missing')"
	remove hwlat_detector
	machine_is_as_before hwlat_detector
}

@test "a CPU does not go offline after all: it is looked at again" {
	needs disruptive
	run_begins "${SHORT[@]}"
	cpu_offline_refused
	trace_on window
	wait_until has_windows 3 1
	goes_on
}

@test "the last CPU of the list goes offline: FAILED" {
	needs disruptive
	remember_machine hwlat_detector
	run_begins "${SHORT[@]}" cpus=1-2
	cpu_offline 1
	goes_on
	cpu_offline 2
	wait_until state_is FAILED
	contains "$(result State)" "CPU 2 went offline"
	same "" "$(kernel_threads hwlat_detector)"
	cpu_online 1
	cpu_online 2
	remove hwlat_detector
	machine_is_as_before hwlat_detector
}

@test "another CPU goes offline: the run does not care" {
	needs disruptive
	run_begins "${SHORT[@]}" cpus=0,2
	cpu_offline 1
	goes_on
	same "" "$(result 'CPUs that were missing')"
}

# one_event_each FILE: each line "CPU BEGIN LENGTH" of an NMI is within a gap of its
# CPU, if it was looking; all CPUs of one NMI are in the same event. At least one was
# seen.
one_event_each()
{
	awk '
		FILENAME == ARGV[1] { event[NR] = $1; end[NR] = $2; begin[NR] = $2 - $3
				      cpu[NR] = $4; nmi[NR] = $8; n = NR; next }
		FILENAME == ARGV[2] { w++; wcpu[w] = $1; wbegin[w] = $3; wend[w] = $4; next }
		{ looked = found = 0
		  for (i = 1; i <= w; i++)
			if (wcpu[i] == $1 && wbegin[i] < $2 && $2 + $3 < wend[i])
				looked = 1
		  if (!looked) next
		  for (i = 1; i <= n; i++)
			if (cpu[i] == $1 && begin[i] <= $2 && end[i] >= $2 + $3 && nmi[i] >= 1)
				found = i
		  if (!found) { print "not seen:", $0; wrong = 1; next }
		  seen++
		  # the NMI of the other CPU overlaps: of the same event
		  if (before && $2 < before_end && event[found] != event[before]) {
			print "another event:", $0; wrong = 1 }
		  if (before && $2 < before_end) together++
		  before = found
		  before_end = $2 + $3 }
		END { print seen + 0, "seen,", together + 0, "together"
		      exit wrong || !seen || !together }' "$BATS_TEST_TMPDIR/records" \
		"$BATS_TEST_TMPDIR/windows" "$1"
}

@test "NMIs on two CPUs are one event, and the third is quiet" {
	needs_bench "the test-only modules"
	insert hwlat_detector autostart=0 verbosity=0
	insert klat_inject
	put "$FILES/threshold" 1000
	put "$FILES/width" 80000
	put "$FILES/window" 100000
	put "$FILES/enable" 1
	trace_on window
	wait_until has_windows 1 0
	spin=$(( $(clock_hz) / 200 ))
	# from the third: who writes is not looking
	taskset -c 2 bash -c \
		"echo 0-1 $spin 20 $(( spin * 7 )) > /sys/kernel/debug/klat_inject/nmi"
	sort -k2n /sys/kernel/debug/klat_inject/nmi > "$BATS_TEST_TMPDIR/nmi"
	put "$FILES/enable" 0
	echo 0 > "$TRACING/tracing_on"
	records > "$BATS_TEST_TMPDIR/records"
	windows > "$BATS_TEST_TMPDIR/windows"
	one_event_each "$BATS_TEST_TMPDIR/nmi"
	awk '$5 == 2 && $4 == 2 { quiet++ } END { exit !quiet }' "$BATS_TEST_TMPDIR/records"
}

@test "with interrupts off for 95 % of the time the machine stays alive" {
	needs disruptive
	insert hwlat_detector window=1000000 width=950000 cpus=0-1 aligned=1 threshold=1000000
	for _ in 1 2 3 4; do
		sleep 5
		start=$(monotonic_ms)
		taskset -c 0-1 env true
		holds "$(monotonic_ms) - $start < 15000"
	done
	is_running
}
