# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153 # MODULE is set by use_module of module.bash
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

# rounds TIMES: how often what is done again and again is done. Chance needs that many
# tries; on kernels that differ little from one that had them all, fewer will do.
rounds()
{
	[[ ${KLAT_ROUNDS:-} != few ]] || set -- $(( $1 / 5 + 1 ))
	echo "$1"
}

# unload_during_run MODULE TIMES RUNNING PARAMETERS...: RUNNING is a command that
# succeeds when the run has come to measure something. It is only waited for in
# every other round: the others unload a run that has just begun.
unload_during_run()
{
	local module=$1 running=$3 times round

	times=$(rounds "$2")
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
		not insert "$module" "$@"
	done
	[ ! -e "$BATS_TEST_TMPDIR/opened" ]
}

# What follows is about the module that lib/module.bash knows; parameters are such
# that its run goes on until it is ended, if nothing else is said.

# refuse_each PARAMETER ALLOWED VALUE...
refuse_each()
{
	local name=$1 allowed=$2 value

	shift 2
	for value; do
		refuses_value "$MODULE" "$name" "$value" "$allowed" || return 1
	done
}

# refuse_cpus PARAMETER...: with all CPUs online, and with one less
refuse_cpus()
{
	local cpus=/sys/devices/system/cpu name

	for name; do
		refuse_each "$name" "an online CPU (online: $(< $cpus/online))" 999 -1 \
			"$(nr_possible_cpus)" 4294967296 || return 1
	done
	may_disrupt || return 0
	cpu_offline 1
	for name; do
		refuse_each "$name" "an online CPU (online: $(< $cpus/online))" 1 || return 1
	done
	cpu_online 1
}

# nr_possible_cpus: the first number that none can have
nr_possible_cpus()
{
	local possible

	possible=$(< /sys/devices/system/cpu/possible)
	echo $((${possible##*[-,]} + 1))
}

# refuse_again TIMES PARAMETERS...: no words are looked for
refuse_again()
{
	local times round

	times=$(rounds "$1")
	shift
	for (( round = 0; round < times; round++ )); do
		not insert "$MODULE" "$@" 2> /dev/null || return 1
		not is_loaded "$MODULE" || return 1
	done
}

refuse_sources()
{
	refuse_each source "must be auto, igb" foo IGB igbx &&
	refuse_each bdf "[DDDD:]BB:DD.F" zz 00:02 00:02.8 00:20.0 100:00.0 00:02.0x &&
	refuse_each bdf "at most 15 characters" 0000:00:02.000000 &&
	refuse_each bdf "not supported" 00:00.0 &&
	refuse_each bdf "no such device" 00:1e.7 &&
	refuses "$MODULE" source=soft bdf=00:02.0 -- "bdf = 00:02.0: " "no device"
}

# prints_nothing PARAMETERS...: of a run that ends. Where no firmware has enabled the
# device, the kernel says in the module's name that it does.
prints_nothing()
{
	log_mark
	measure verbosity=0 "$@"
	remove "$MODULE"
	same 0 "$(log_since | grep -E "$MODULE|^\*" | grep -vc "enabling device" || :)"
}

# prints_the_results PARAMETERS...: of a run that ends. What was printed before the
# end would show as a second block, or as a line with the module's name.
prints_the_results()
{
	log_mark
	measure verbosity=1 "$@"
	wait_until log_has "State: DONE"
	same "$(grep . "$CURRENT_VALUE")" "$(log_since | grep '^\*')"
	remove "$MODULE"
	same 1 "$(log_count RESULTS)"
	same 0 "$(log_count "$MODULE:")"
}

# prints_each_second PARAMETERS...: of 1,000 events a second at most
prints_each_second()
{
	local start

	log_mark
	start=$(monotonic_ms)
	insert "$MODULE" verbosity=2 "$@"
	wait_until log_has "$MODULE: seen"
	same 0 "$(log_count RESULTS)"
	wait_until log_has_lines 3 \
		"$MODULE: seen [0-9]+, ns: max [0-9]+, avg [0-9]+, min [0-9]+"
	remove "$MODULE"
	holds "$(log_count "$MODULE: seen") * 1000 <= $(monotonic_ms) - $start"
	same 0 "$(log_count "$MODULE: sample")"
	same 1 "$(log_count RESULTS)"
}

# log_has_lines COUNT PATTERN
log_has_lines()
{
	holds "$(log_count "$2") >= $1"
}

# prints_samples PARAMETERS...: not all of them, but ten a second
prints_samples()
{
	local told start

	log_mark
	start=$(monotonic_ms)
	insert "$MODULE" verbosity=3 "$@"
	wait_until has_seen 2000
	# a fast one has that many within its first second
	wait_until log_has "$MODULE: seen"
	remove "$MODULE"
	told=$(log_count "$MODULE: sample [0-9]+: [0-9]+ ns")
	holds "$told > 1"
	holds "$told <= 10 + ($(monotonic_ms) - $start) / 100"
	same 1 "$(log_count RESULTS)"
}

# autostart=0
touches_nothing()
{
	hardware_state > "$BATS_TEST_TMPDIR/before"
	insert "$MODULE" autostart=0
	hardware_state | diff "$BATS_TEST_TMPDIR/before" -
	same IDLE "$(result State)"
	grep -q "no data" "$CURRENT_VALUE"
	[[ -c $MODULE_DEVICE ]]
	same 600 "$(stat -c %a "$MODULE_DEVICE")"
	same 444 "$(stat -c %a "$CURRENT_VALUE")"
	same "" "$(kernel_threads "$MODULE")"
	remove "$MODULE"
}

# blocked_reader_gets_the_end END PARAMETERS...: END is a command that ends the
# run. No sample comes with these parameters.
blocked_reader_gets_the_end()
{
	local end=$1 reader

	shift
	insert "$MODULE" "$@"
	in_background cat "$MODULE_DEVICE"
	reader=$!
	wait_until reads_asleep "$reader" "$MODULE_DEVICE"
	"$end"
	wait "$reader"
	not is_running
}

# offline_fails PARAMETERS...: CPU 1 goes while it is in use.
offline_fails()
{
	needs disruptive
	remember_machine "$MODULE"
	run_begins "$@"
	log_mark
	cpu_offline 1
	wait_until state_is FAILED
	contains "$(result State)" "CPU 1 went offline"
	wait_until log_has "State: FAILED (CPU 1 went offline)"
	same "" "$(kernel_threads "$MODULE")"
	same "" "$(irq_number)"
	cpu_online 1
	remove "$MODULE"
	machine_is_as_before "$MODULE"
}

# cpu_offline_refused: CPU 1 goes and comes back before the module is asked: the kernel
# has pushed the threads off it by then
cpu_offline_refused()
{
	local cpu=/sys/devices/system/cpu/cpu1 ours

	ours=$(sed -n "s/^ *\([0-9]*\): $MODULE$/\1/p" /sys/devices/system/cpu/hotplug/states)
	echo "$ours" > $cpu/hotplug/fail
	not put $cpu/online 0 2> /dev/null
	same 1 "$(cat $cpu/online)"
}

# stays_pinned PARAMETERS...: to CPU 1
stays_pinned()
{
	needs disruptive
	run_begins "$@"
	cpu_offline_refused
	wait_until thread_is_on "$(thread_pid "$MODULE/1")" 1
	goes_on
}

# offline_of_another PARAMETERS...: CPU 1 goes, and is not in use.
offline_of_another()
{
	needs disruptive
	run_begins "$@"
	cpu_offline 1
	goes_on
}

# unbinding_fails ADDRESS PARAMETERS...: an administrator takes the device.
unbinding_fails()
{
	local address=$1

	shift
	remember_machine "$MODULE"
	run_begins "$@"
	same "$MODULE" "$(driver_of "$address")"
	unbind "$address"
	wait_until state_is FAILED
	contains "$(result State)" "device lost"
	remove "$MODULE"
	machine_is_as_before "$MODULE"
}

# removal_fails HOW PARAMETERS...: the device goes. HOW is a command that makes it
# go. The next one can be measured, and nothing is left of the first.
removal_fails()
{
	local how=$1

	shift
	run_begins "$@"
	log_mark
	"$how"
	wait_until state_is FAILED
	contains "$(result State)" "device lost"
	wait_until log_has "State: FAILED (device lost"
	same "" "$(irq_number)"
	same 2000000000 "$(latency_qos | tr -d ' ')"
	remove "$MODULE"
	same "" "$(kernel_threads "$MODULE")"
	plug_in
	same none "$(driver_of "$(hot_device)")"
	run_begins "$@"
	remove "$MODULE"
}

# replacement_is_not_taken PARAMETERS...: the device goes, and comes again.
replacement_is_not_taken()
{
	run_begins "$@"
	unplug
	wait_until state_is FAILED
	plug_in
	same none "$(driver_of "$(hot_device)")"
	state_is FAILED
}
