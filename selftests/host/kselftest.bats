#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host: all
#
# The tests as users run them on their own machines: what is installed, the form of what
# is printed, and that nothing is done there that was not allowed. The user's machine is
# one that the bench boots, with an installation in it, and without the bench's mark.

# shellcheck disable=SC2154 # set by bats

bats_require_minimum_version 1.5.0
load ../lib/common

readonly SELFTESTS=$BATS_TEST_DIRNAME/..
readonly INSTALLED=/usr/lib/klat/selftests

setup_file()
{
	"$SELFTESTS/vm/install" "$BATS_FILE_TMPDIR/root$INSTALLED"
}

# fake DIR: an installation whose tests are those that are on standard input, a line
# "NAME SHELL-COMMAND" each
fake()
{
	local name command

	mkdir -p "$1"
	cp -a "$SELFTESTS/run" "$SELFTESTS/lib" "$1"
	echo timeout=5 > "$1/settings"
	while read -r name command; do
		printf '#!/bin/sh\n%s\n' "$command" > "$1/$name"
		chmod +x "$1/$name"
		echo "klat:$name" >> "$1/kselftest-list.txt"
	done
}

# is_ktap FILE: strictly: each line is a version, a plan, a result or a diagnostic one, at
# its level; results are numbered, as many as were planned unless the test they belong to
# failed; a failure is one of its parent, too; what is skipped says why.
is_ktap()
{
	awk '
	function wrong(why) { print FILENAME ":" FNR ": " why ": " $0; bad = 1 }
	function begin(level) { versions[level]++; plan[level] = -1; got[level] = failed[level] = 0 }
	{
		level = substr($0, 1, 2) == "  "
		line = level ? substr($0, 3) : $0
	}
	line ~ /^ / { wrong("indented to no level"); next }
	line == "KTAP version 1" {
		if (open[level] || level && !open[0])
			wrong("begins again")
		begin(level)
		open[level] = 1
		next
	}
	!open[level] { wrong("before the version"); next }
	line ~ /^1\.\.[0-9]+( # SKIP .+)?$/ {
		if (plan[level] >= 0 || got[level])
			wrong("a plan at the wrong place")
		plan[level] = substr(line, 4) + 0
		next
	}
	line ~ /^#( |$)/ { next }
	line !~ /^(not )?ok [0-9]+ [^#]*[^# ]( # .+)?$/ { wrong("none of the four kinds"); next }
	{
		fails = line ~ /^not /
		split(line, word, / /)
		number = word[fails ? 3 : 2]
		if (number != ++got[level])
			wrong("number, not " got[level])
		if (plan[level] < 0)
			wrong("a result before the plan")
		directive = match(line, / # /) ? substr(line, RSTART + 3) : ""
		if (directive !~ /^$|^SKIP .|^TIMEOUT [0-9]+ seconds$|^ERROR .|^exit=[0-9]+$/)
			wrong("no such directive")
		failed[level] += fails
	}
	!level && open[1] {
		if (!fails && (failed[1] || got[1] != plan[1]))
			wrong("hides what failed or is missing below it")
		open[1] = 0
	}
	END {
		if (open[1] || !open[0] || versions[0] != 1 || got[0] != plan[0] || !got[0])
			wrong("is not complete")
		exit bad
	}' "$1"
}

# results FILE: of the programs, without the numbers
results()
{
	sed -nE 's/^((not )?ok) [0-9]+ selftests: klat: /\1 /p' "$1"
}

@test "what is installed is all that is listed, and what the tree lists" {
	cd "$BATS_FILE_TMPDIR/root$INSTALLED"
	holds "$(wc -l < kselftest-list.txt) > 40"
	while IFS=: read -r collection name; do
		same klat "$collection"
		[[ -x $name ]]
	done < kselftest-list.txt
	same "$(cut -d: -f2- kselftest-list.txt)" "$(./run --list)"
	same "$(make -s -C "$SELFTESTS" emit_tests)" "$(cat kselftest-list.txt)"
	# every program is listed, and of sources there are none
	same "" "$(find . -name '*.[cho]')"
	same "$(cut -d: -f2- kselftest-list.txt | sort)" "$(find . -name '*.bats' -o \
		-path './unit/*' -o -name 'test_*' | sed 's|^\./||' | sort)"
	grep -q '^timeout=[0-9]*$' settings
}

@test "DESTDIR comes before INSTALL_PATH" {
	make -s -n -C "$SELFTESTS" install DESTDIR=/there INSTALL_PATH=/usr/lib/x |
		grep -q '/there/usr/lib/x/'
}

@test "the form: passed, failed, skipped, ended early, killed, silent, too late" {
	dir=$BATS_TEST_TMPDIR/form
	fake "$dir" <<-'END'
	passes printf 'TAP version 13\n1..2\nok 1 - a # b\nok 2 c # skip of d\nnoise\n'
	fails printf '1..2\nok 1 a\nnot ok 2 b\n# because\n'; exit 1
	hides printf '1..1\nnot ok 1 a\n'; exit 0
	skips printf 'KTAP version 1\n1..0 # SKIP nothing here\n'; exit 4
	skipped printf '1..2\nok 1 a # SKIP no a\nok 2 b # SKIP no b\n'
	early printf '1..3\nok 1 a\n'; exit 0
	killed printf '1..1\nok 1 a\n'; kill -KILL $$
	silent exit 0
	late printf '1..1\n'; sleep 1000
	END
	run --separate-stderr -1 "$dir/run"
	echo "$output" > "$BATS_TEST_TMPDIR/out"
	is_ktap "$BATS_TEST_TMPDIR/out"
	same "" "$stderr"
	diff - <(results "$BATS_TEST_TMPDIR/out") <<-'END'
	ok passes
	not ok fails # exit=1
	not ok hides # exit=0
	ok skips # SKIP nothing here
	ok skipped # SKIP no a
	not ok early # ERROR exit=0 after 1 of 3 tests
	not ok killed # ERROR exit=137 after 1 of 1 tests
	not ok silent # ERROR exit=0 without a plan
	not ok late # TIMEOUT 5 seconds
	END
	contains "$output" $'  KTAP version 1\n  1..2\n  ok 1 - a b\n  ok 2 c # SKIP of d\n  # noise'
	contains "$output" "# 1 passed, 6 failed, 2 skipped"
}

@test "the strict reader finds what is wrong" {
	while IFS= read -r text; do
		printf '%b' "$text" > "$BATS_TEST_TMPDIR/wrong"
		not is_ktap "$BATS_TEST_TMPDIR/wrong"
	done <<-'END'
	1..1\nok 1 a\n
	KTAP version 1\nok 1 a\n
	KTAP version 1\n1..2\nok 1 a\n
	KTAP version 1\n1..2\nok 1 a\nok 3 b\n
	KTAP version 1\n1..1\nok 1 a # SKIP\n
	KTAP version 1\n1..1\nok 1 a # MAYBE x\n
	KTAP version 1\n1..1\nok 1 a\nnoise\n
	KTAP version 1\n1..1\n  KTAP version 1\n  1..1\n  not ok 1 b\nok 1 a\n
	KTAP version 1\n1..1\n  KTAP version 1\n  1..2\n  ok 1 b\nok 1 a\n
	KTAP version 1\n1..1\n    KTAP version 1\nok 1 a\n
	END
	printf 'KTAP version 1\n1..1\n# x\nok 1 a\n' > "$BATS_TEST_TMPDIR/right"
	is_ktap "$BATS_TEST_TMPDIR/right"
}

@test "exit status: 0, 4 if all was skipped, 2 for a wrong command line" {
	dir=$BATS_TEST_TMPDIR/status
	fake "$dir" <<-'END'
	passes printf '1..1\nok 1 a\n'
	skips printf '1..0 # SKIP nothing here\n'; exit 4
	END
	run -0 "$dir/run"
	run -0 "$dir/run" 'p*'
	contains "$output" $'\n1..1\n'
	run -4 "$dir/run" skips
	run -2 "$dir/run" nonesuch
	contains "$output" "nonesuch: no such test"
	run -2 "$dir/run" --frobnicate
	contains "$output" "--frobnicate: unknown option"
	run -2 "$dir/run" --bdf
	contains "$output" "needs the address of a device"
	run -2 "$dir/run" --bdf 00:02
	contains "$output" "00:02: must be [DDDD:]BB:DD.F"
	run -2 "$dir/run" --bdf ffff:1e.7
	run -2 "$dir/run" --bdf ffff:ff:1e.7
	contains "$output" "no such device"
	run -0 "$dir/run" --help
	contains "$output" --disruptive
	same $'passes\nskips' "$("$dir/run" --list)"
	rm "$dir/kselftest-list.txt"
	run -2 "$dir/run"
	contains "$output" "kselftest-list.txt is missing"
}

@test "what is not installed is said" {
	dir=$BATS_TEST_TMPDIR/missing
	fake "$dir" <<< "x.bats :"
	mkdir "$BATS_TEST_TMPDIR/bin"
	for tool in bash env readlink dirname cut sed awk grep head mktemp rm sort xargs printf cat \
		paste uname; do
		ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin"
	done
	# user's PATH, without what is in the directories that are always looked through
	sed -i 's|^export PATH=.*||' "$dir/run"
	(( EUID == 0 )) || skip "as an ordinary user there is another reason before this"
	PATH=$BATS_TEST_TMPDIR/bin run -4 "$dir/run"
	contains "$output" "# SKIP not installed: bats jq"
	contains "$output" "apt install bats"
}

# on_users_machine COMMAND: on one with an igb that has its driver. What it prints is in
# $out then.
on_users_machine()
{
	out=$BATS_TEST_TMPDIR/out
	"$SELFTESTS/vm/run" -k "${KLAT_KERNEL:-bookworm/amd64}" -c 2 -d igb -t 5400 \
		--add "$BATS_FILE_TMPDIR/root" -- env -u KLAT_BENCH \
		"PATH=$INSTALLED:/usr/sbin:/usr/bin:/sbin:/bin" \
		bash -c "set -e; cd /; $(declare -f state); modprobe igb
			bdf=\$(lspci -D -n -d 8086:10c9 | cut -d' ' -f1)
			$1" > "$out" && return 0
	grep -B 15 -A 5 'not ok ' "$out" || tail -n 20 "$out"
	return 1
}

# What may not be another after it. The number of an interface is another one when
# its device was taken and given back.
state()
{
	cat /proc/sys/kernel/printk_devkmsg /proc/sys/kernel/sched_rt_runtime_us \
		/sys/kernel/tracing/{tracing_on,trace_clock,set_event,current_tracer} \
		/sys/devices/system/cpu/online
	cut -d' ' -f1 /proc/modules | sort
	for device in /sys/bus/pci/devices/*; do
		echo "$device" "$(readlink "$device/driver" || :)"
	done
	ls -d /dev/klat* 2> /dev/null || :
	[[ ${1:-} == devices ]] || grep -H . /sys/class/net/*/ifindex
}

# no_failure FILE: in what was printed; and the parts that may be expected are there
no_failure()
{
	is_ktap "$1" || return 1
	same "" "$(grep -E -B 12 '^ *not ok ' "$1")"
}

@test "a user's machine: passes or skips everything, takes no device, leaves nothing" {
	on_users_machine '
		state > /tmp/before
		run || exit
		state | diff /tmp/before - >&2'
	no_failure "$out"
	results "$out" > "$BATS_TEST_TMPDIR/results"
	for name in unit/hist abi/test_msi_lat abi/test_caterpillar caterpillar.bats \
		klat_soft.bats klat_hwlat.bats msi_lat_soft.bats; do
		grep -qx "ok $name" "$BATS_TEST_TMPDIR/results"
	done
	grep -q '^ok msi_lat.bats # SKIP no device was named' "$BATS_TEST_TMPDIR/results"
	grep -q '^ok eci.bats # SKIP for the bench' "$BATS_TEST_TMPDIR/results"
	# of tests in files that ran
	grep -q '^  ok .* # SKIP takes CPUs away from others: --disruptive' "$out"
}

@test "a user's machine: a module that was loaded is left alone" {
	on_users_machine '
		modprobe msi_lat autostart=0
		state > /tmp/before
		status=0
		run abi/test_msi_lat msi_lat_soft klat_soft || status=$?
		state | diff /tmp/before - >&2
		(( status == 4 ))'
	no_failure "$out"
	same 3 "$(grep -c '^ok .* # SKIP msi_lat is loaded: ' "$out")"
}

@test "a user's machine: --bdf takes that device, and gives it back" {
	# shellcheck disable=SC2016 # for the guest's shell
	on_users_machine '
		interface=$(ls /sys/bus/pci/devices/$bdf/net)
		ip link set dev $interface up
		status=0
		run --bdf $bdf msi_lat > /tmp/refused 2>&1 || status=$?
		grep -q "interface $interface is up" /tmp/refused && (( status == 2 ))
		ip link set dev $interface down
		state devices > /tmp/before
		run --bdf $bdf msi_lat klat || exit
		state devices | diff /tmp/before - >&2'
	no_failure "$out"
	grep -q '^# .*: taken from igb$' "$out"
	grep -q '^# .*: given back to igb$' "$out"
	same $'ok msi_lat.bats\nok klat.bats' "$(results "$out" | sort -r)"
}

@test "a user's machine: a signal puts everything back" {
	# shellcheck disable=SC2016 # for the guest's shell
	on_users_machine '
		state devices > /tmp/before
		run --bdf $bdf msi_lat > /tmp/out & pid=$!
		until grep -q "^  ok 1 " /tmp/out; do sleep 0.2; done
		[[ $(readlink /sys/bus/pci/devices/$bdf/driver) != */igb ]]
		kill -TERM $pid
		status=0
		wait $pid || status=$?
		(( status == 143 ))
		state devices | diff /tmp/before - >&2'
}
