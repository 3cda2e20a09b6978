#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-needs: tool=msi_lat tool=msi_jitter cpus=2
#
# The tool where there is no device that it may take: msi-lat and msi-jitter by
# source soft. For users' machines; the bench's have devices.

# shellcheck disable=SC2154 # set by bats, and in lib/klat.bash

bats_require_minimum_version 1.5.0
load lib/common
load lib/machine
load lib/klat

teardown()
{
	has_machine || return 0
	end_background
	unload_if_loaded msi_lat msi_jitter
	echo 1 > "$TRACING_ON"
}

msi_lat()
{
	subject msi-lat msi_lat --source soft
}

msi_jitter()
{
	subject msi-jitter msi_jitter --source soft --period 5ms
}

@test "msi-lat: an ordinary run is COMPLETE" {
	msi_lat
	runs_complete --cpu 1 --trigger-cpu 0
	json '.run | .source == "soft" and .device == null' <<< "$json"
}

@test "msi-lat: histogram, percentiles and worst agree with the statistics" {
	msi_lat
	json_agrees latency --period 200us
}

@test "msi-lat: text, csv, hist, eci and ktap" {
	msi_lat
	text_has_label latency
	csv_is_table
	hist_adds_up --no-user
	eci_is_results
	ktap_has_three_cases
}

@test "msi-lat: a limit that is not kept, and one that is" {
	msi_lat
	limit_stops_run
	limit_is_kept
}

@test "msi-lat: signals, kill -9, rmmod, a second one" {
	msi_lat
	signals_end_run
	remove msi_lat
	kill_leaves_nothing
	rmmod_is_refused
}

@test "msi-jitter: an ordinary run is COMPLETE" {
	msi_jitter
	runs_complete --cpu 1 --timer-cpu 0
	json '.run | .source == "soft" and .device == null' <<< "$json"
}

@test "msi-jitter: histogram, percentiles and worst agree with the statistics" {
	msi_jitter
	json_agrees delta --period 2ms
}

@test "msi-jitter: a limit that is not kept, and one that is" {
	msi_jitter
	limit_stops_run
	limit_is_kept
}

@test "msi-jitter: signals, kill -9, rmmod, a second one" {
	msi_jitter
	signals_end_run
	remove msi_jitter
	kill_leaves_nothing
	rmmod_is_refused
}
