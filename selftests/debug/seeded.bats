#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on debug/*:
# klat-kernels: debug/*
#
# On the host: the checked kernels, and the bench, do see what they are there for.
# Each fault has a machine of its own, since the first report may switch a checker
# off. KLAT_KERNEL says which kernel.

bats_require_minimum_version 1.5.0

setup()
{
	[[ ${KLAT_KERNEL:-} == debug/* ]] || skip "only a kernel with checkers reports it"
}

# reported FAULT TEXT: the machine ends as one whose kernel complained, and that is
# among what it said.
reported()
{
	run -99 "$BATS_TEST_DIRNAME/../vm/run" -k "$KLAT_KERNEL" -- \
		insmod klat_faults.ko "fault=$1"
	[[ $output == *"--> "*"$2"* ]]
}

@test "a machine without a fault ends well" {
	run -0 "$BATS_TEST_DIRNAME/../vm/run" -k "$KLAT_KERNEL" -- \
		sh -c 'insmod msi_lat.ko source=soft irqPeriod=1 irqCount=10 && rmmod msi_lat'
}

@test "a write out of bounds is reported" {
	reported bounds "KASAN: slab-out-of-bounds in out_of_bounds"
}

@test "sleeping where it is forbidden is reported" {
	reported atomic "BUG: sleeping function called from invalid context at"
}

@test "two locks taken in both orders are reported" {
	reported inversion "WARNING: possible circular locking dependency detected"
}

@test "a leak is reported" {
	reported leak "unreferenced object"
}
