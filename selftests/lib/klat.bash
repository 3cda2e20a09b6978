# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the tests
#
# The tool's runs, as JSON.

# klat_json OPTION...: a run of msi-lat; its result is in $json, its exit
# status in $klat_status.
klat_json()
{
	klat_status=0
	json=$(klat msi-lat --format json "$@") || klat_status=$?
}

# measure_in_background OPTION...: the run has been seen to measure; its process
# is $klat. The module must be loaded.
measure_in_background()
{
	in_background klat msi-lat --format json --output "$BATS_TEST_TMPDIR/json" "$@"
	klat=$!
	wait_until is_running
	wait_until has_seen 20
}

# klat_has_ended: fills $json and $klat_status as klat_json does.
klat_has_ended()
{
	# kept from being waited for without a bound
	wait_until is_gone "$klat"
	klat_status=0
	wait "$klat" || klat_status=$?
	json=$(cat "$BATS_TEST_TMPDIR/json")
}

is_gone()
{
	[[ ! -e /proc/$1 || $(ps -o stat= -p "$1") == Z* ]]
}

# module_info FILTER: what klat info knows of msi_lat
module_info()
{
	klat info --format json msi_lat | jq -r ".modules[0].$1"
}
