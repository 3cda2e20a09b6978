#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-vm on */rt-amd64: -c 2 -d igb --cmdline tsc=unstable
# klat-kernels: bookworm/rt-amd64 sid/amd64 debug/*
# klat-bench: a kernel that was booted with tsc=unstable
#
# A clock that the kernel does not trust.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/msi_lat
load lib/klat

teardown()
{
	has_machine || return 0
	unload_if_loaded msi_lat
}

@test "klat: the run is made, and is INVALID" {
	klat_json --count 200
	same 3 "$klat_status"
	json '.verdict == "INVALID" and .module.clock_stable == false' <<< "$json"
	json '.reasons | any(contains("clock"))' <<< "$json"
	json '.run.state == "DONE" and .series[0].count == 200' <<< "$json"
	run -3 klat msi-lat --source soft --count 200
	contains "$output" INVALID
}

@test "klat: INVALID counts for more than the limit" {
	klat_json --count 200 --limit 1ns
	same 3 "$klat_status"
	echo 1 > /sys/kernel/tracing/tracing_on
}

@test "msi_lat: the results say INVALID" {
	measure irqPeriod=1 irqCount=50
	grep -q "INVALID: the clock is unstable" "$CURRENT_VALUE"
	same 50 "$(result 'Interrupts seen')"
}

@test "klat doctor says so" {
	run -3 klat doctor
	contains "$output" "the kernel does not trust the TSC"
}

@test "klat info says so" {
	insert msi_lat autostart=0
	same false "$(module_info clock_stable)"
	run -0 klat info
	contains "$output" UNSTABLE
}
