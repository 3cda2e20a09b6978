#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mmioLatency.sh [--tune WHAT] [--cpu CPU] MMIO_ADDRESS BLOCK_IRQ [-- OPTION...]
#
# Measures how long one read of a device register takes, as Intel ECI's script of
# that name does, with klat mmio.
#
#   MMIO_ADDRESS  physical address of the register, hexadecimal, with or without
#                 0x: "Memory at" of lspci -v, plus the offset. Reading can change
#                 a device's state.
#   BLOCK_IRQ     1: interrupts off during each read; 0: not
#   CPU           that reads (1, or 0 where there is no CPU 1)
#   OPTION        more options of klat mmio, such as --duration 5m or --width 4
#
# What is changed on the machine is printed, and put back at the end, also after
# ^C. WHAT is "none", or some of these with commas (all of them by default):
#
#   irq    all interrupts go to the first CPU that is not CPU
#   rcu    the RCU threads that can be moved run on the CPUs other than CPU
#   sched  all real-time tasks become SCHED_OTHER: on a machine that works, those
#          that do its work, too
#
# The module stays loaded, for its results can be read afterwards:
#   cat /dev/mmio_latency
#
# Exit status: that of klat (0 fine, 2 usage, 3 INCOMPLETE or INVALID, 4 skipped).

# shellcheck source-path=SCRIPTDIR source=benchmark.bash
. "$(dirname "${BASH_SOURCE[0]}")/benchmark.bash"

tune=irq,rcu,sched
cpu=1
cpus_of "$(cpus_online)" | grep -qx 1 || cpu=0
parse "$@"
(( ${#arguments[@]} == 2 )) || wrong "MMIO_ADDRESS BLOCK_IRQ are needed"
read -r address block_irq <<< "${arguments[*]}"
check_cpu "$cpu"
[[ $address =~ ^(0[xX])?[0-9a-fA-F]+$ ]] || wrong "MMIO_ADDRESS '$address' is not hexadecimal"
options=(--address="0x${address#0[xX]}")
case $block_irq in
0)	;;
1)	options+=(--block-irq) ;;
*)	wrong "BLOCK_IRQ '$block_irq' is neither 0 nor 1" ;;
esac

benchmark mmio_latency "$cpu" mmio --cpu="$cpu" "${options[@]}"
