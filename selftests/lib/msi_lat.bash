# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# msi_lat as its users see it.

load lib/module
load lib/device

use_module msi_lat msi_latency_test Interrupts

# nic: the device, where there is but one
nic()
{
	device
}
