#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2
# klat-kernels: bookworm/rt-amd64 sid/amd64 debug/*
# klat-bench: a kernel that may be locked down until it boots again
#
# hwlat_detector on a kernel that is locked down after the module was loaded: a
# kernel that is locked down from the start loads no unsigned module. There is no
# way back, so the tests are in the order of one story.

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/hwlat_detector

readonly LOCKDOWN=/sys/kernel/security/lockdown

setup_file()
{
	on_bench || return 0
	[[ -e $LOCKDOWN ]] || mount -t securityfs none /sys/kernel/security || :
	insert hwlat_detector autostart=0 verbosity=0 "${SHORT[@]}"
}

setup()
{
	[[ -e $LOCKDOWN ]] || skip "this kernel cannot be locked down"
}

@test "before lockdown every file can be read, and a run be started" {
	for name in enable threshold window width cpus count max sample current_value; do
		cat "$FILES/$name" > /dev/null
	done
	put "$FILES/enable" 1
	wait_until has_seen 10
}

@test "under lockdown results can be read, of a run that goes on" {
	echo confidentiality > "$LOCKDOWN"
	is_running
	before=$(seen)
	holds "$(file count) >= $before"
	holds "$(file max) > 0"
	line=$(head -n 1 "$FILES/sample")
	[[ $line =~ ^[0-9]{10}\.[0-9]{9}$'\t'[0-9]+$'\t'[0-9]+$ ]]
	same 0-1 "$(result CPUs)"
}

@test "under lockdown what can be written can neither be read" {
	for name in enable threshold window width cpus; do
		not cat "$FILES/$name" 2> /dev/null
		not put "$FILES/$name" 1 2> /dev/null
	done
	is_running
}

@test "under lockdown the run ends with the module" {
	remove hwlat_detector
	# refused by the kernel, before the module can say anything
	not insert hwlat_detector autostart=0
}
