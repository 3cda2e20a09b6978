#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */amd64: -c 2 -d igb
# klat-kernels: bookworm/amd64 bookworm/rt-amd64 trixie/rt-amd64 sid/amd64
#
# klat doctor, on a machine that is emulated, and has klat's modules but no headers. What
# it advises is done, and must have helped.

# shellcheck disable=SC2154 # set by bats

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/msi_lat
load lib/klat

RELEASE=$(uname -r)
readonly RELEASE
readonly MODULES=/lib/modules/$RELEASE
readonly MODULE_FILE=$MODULES/updates/msi_lat.ko

setup()
{
	cp "$MODULE_FILE" "$BATS_TEST_TMPDIR"
	cp "$MODULES/modules.dep" "$BATS_TEST_TMPDIR"
}

teardown()
{
	cp "$BATS_TEST_TMPDIR/msi_lat.ko" "$MODULE_FILE"
	cp "$BATS_TEST_TMPDIR/modules.dep" "$MODULES"
	is_mounted debugfs || mount -t debugfs debugfs /sys/kernel/debug
	is_mounted tracefs || mount -t tracefs tracefs /sys/kernel/tracing
	! is_loaded igb || rmmod igb
}

is_mounted()
{
	grep -q " $1 " /proc/self/mounts
}

# findings FILTER [OPTION...]: what the filter makes of the list of findings
findings()
{
	klat doctor --format json "${@:2}" | jq -r ".findings | $1"
}

# status_of ID
status_of()
{
	findings "map(select(.id == \"$1\"))[0].status"
}

# advice_on ID
advice_on()
{
	findings "map(select(.id == \"$1\"))[0].advice"
}

@test "it says that the machine is emulated, and that the headers are missing" {
	run -0 --separate-stderr klat doctor
	same "" "$stderr"
	contains "${lines[0]}" "kernel $RELEASE"
	contains "$output" "this machine is emulated"
	contains "$output" "the headers of $RELEASE are missing"
	contains "$output" "-> "
	contains "${lines[-1]}" "Nothing stands in the way; "
}

@test "json: every finding is complete, and every warning has a next step" {
	run -0 --separate-stderr klat doctor --format json
	json '.tool == "klat" and .running and .fine' <<< "$output"
	json '.findings | length > 15 and all(has("group") and has("id") and has("text") and
		has("advice") and (.status | IN("ok", "warn", "bad", "unknown")))' <<< "$output"
	json '[.findings[] | select(.status == "warn")] | length > 3 and all(.advice != null)' \
		<<< "$output"
	json "[.findings[] | {key: .id, value: .status}] | from_entries |
		.hypervisor == \"warn\" and .headers == \"warn\" and .modules == \"ok\" and
		.vermagic == \"ok\" and .lockdown == \"ok\" and .signature == \"ok\" and
		.[\"secure-boot\"] == \"ok\" and .clocksource == \"ok\"" <<< "$output"
}

@test "it tells PREEMPT_RT from the kernel's version" {
	if [[ $(uname -v) == *PREEMPT_RT* ]]; then
		contains "$(klat doctor)" " is a PREEMPT_RT kernel"
	else
		contains "$(klat doctor)" " is no PREEMPT_RT kernel"
	fi
}

@test "an ordinary user gets the same, and is told what could not be read" {
	run -0 --separate-stderr setpriv --reuid=65534 --regid=65534 --clear-groups klat doctor
	same "" "$stderr"
	contains "$output" "the headers of $RELEASE are missing"
	contains "$output" "the kernel log cannot be read"
	contains "$output" "is emulated"
}

@test "debugfs and tracefs that are not mounted: the advice mounts them" {
	# tracefs may also be mounted in debugfs
	for type in tracefs debugfs; do
		same ok "$(status_of $type)"
		while is_mounted $type; do
			umount -t $type -a
		done
		same warn "$(status_of $type)"
		bash -c "$(advice_on $type)"
		same ok "$(status_of $type)"
	done
}

@test "a module that depmod has not seen: the advice has modprobe find it" {
	grep -v '/msi_lat.ko:' "$BATS_TEST_TMPDIR/modules.dep" > "$MODULES/modules.dep"
	same bad "$(status_of depmod)"
	contains "$(advice_on depmod)" "depmod $RELEASE"
	bash -c "$(advice_on depmod)"
	same null "$(status_of depmod)"
	modinfo msi_lat > /dev/null
}

@test "a module that is not there" {
	rm "$MODULE_FILE"
	same warn "$(status_of modules)"
	# now it would have to be built
	same bad "$(status_of headers)"
	run -3 klat doctor
	contains "$output" "not installed for $RELEASE: msi_lat"
}

@test "a module that was built for another kernel, before and after the kernel refused it" {
	sed -i 's/\(vermagic=[^ ]* \)SMP /\1UMP /' "$MODULE_FILE"
	same bad "$(status_of vermagic)"
	contains "$(klat doctor)" "msi_lat: built for '$RELEASE UMP "
	not insmod "$MODULE_FILE" autostart=0 2> /dev/null
	findings 'map(select(.group == "log"))[0].text' > "$BATS_TEST_TMPDIR/log"
	grep -q "another kernel or flavour than $RELEASE" "$BATS_TEST_TMPDIR/log"
	same warn "$(findings 'map(select(.group == "log" and .id == "vermagic"))[0].status')"
}

@test "a device that igb holds, and one that is free" {
	contains "$(klat doctor)" "$(nic) (82576) is free"
	modprobe igb
	contains "$(klat doctor)" "driver igb holds $(nic) (82576)"
	contains "$(advice_on device)" "--bdf $(nic)"
}

@test "a log alone: the class, the line, the next step" {
	printf 'CC a.o\na.c:1:2: error: implicit declaration of function "hrtimer_init"\n' \
		> "$BATS_TEST_TMPDIR/make.log"
	run -3 --separate-stderr klat doctor --log "$BATS_TEST_TMPDIR/make.log"
	contains "$output" "make.log, line 2: the kernel does not have hrtimer_init"
	contains "$output" "-> update"
	not contains "$output" emulated > /dev/null
	same api-changed "$(findings '.[].id' --log "$BATS_TEST_TMPDIR/make.log")"
	run -0 klat doctor --log - <<< 'warning: the compiler differs from the one used to build the kernel'
	contains "$output" "ignore it"
	run -0 klat doctor --log - < /dev/null
	contains "$output" "standard input tells of no failure"
}

@test "another kernel than the one that runs" {
	run -3 --separate-stderr klat doctor --kernel 6.99.0-1-cloud-amd64
	contains "$output" "kernel 6.99.0-1-cloud-amd64 (which does not run)"
	contains "$output" "the headers of 6.99.0-1-cloud-amd64 are missing"
	not contains "$output" "kernel log" > /dev/null
}

@test "wrong usage: exit 2, in words" {
	are_wrong <<-'END'
	doctor operand|operand
	doctor --kernel a/b|a/b
	doctor --kernel ..|..
	doctor --log /nonexistent/log|/nonexistent/log
	doctor --log /proc|/proc
	doctor --format xml|xml
	doctor --output /nonexistent/file|/nonexistent/file
	END
	run -0 klat doctor --help
	contains "$output" "--kernel"
}
