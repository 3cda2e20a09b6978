# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# msi_jitter as its users see it.

load lib/module
load lib/device

use_module msi_jitter msi_jitter_test Interrupts

# deviations [OPTION_OF_OD...]: "SEQ TIME DEVIATION" of all samples, ticks; below
# 0: early
deviations()
{
	raw_samples "$@" | awk '{ print $1, $2, $5 == 1 ? -$3 : $3 }'
}
