#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# msiLatencyTest.sh [--tune WHAT] RUN_CORE IRQ_PERIOD IRQ_COUNT [-- OPTION...]
#
# Measures the latency of a PCIe device's interrupt, as Intel ECI's script of
# that name does, with klat msi-lat.
#
#   RUN_CORE    CPU of the interrupt
#   IRQ_PERIOD  from one interrupt to the next, in ms
#   IRQ_COUNT   how many interrupts; below 0: until ^C
#   OPTION      more options of klat msi-lat, such as --bdf or --source soft
#
# What is changed on the machine is printed, and put back at the end, also after
# ^C. WHAT is "none", or some of these with commas (all of them by default):
#
#   irq    all other interrupts go to the first CPU that is not RUN_CORE
#   rcu    the RCU threads that can be moved run on the CPUs other than RUN_CORE
#   sched  all real-time tasks become SCHED_OTHER: on a machine that works, those
#          that do its work, too
#
# The module stays loaded, for its results can be read afterwards:
#   cat /sys/kernel/debug/msi_latency_test/current_value
#
# Exit status: that of klat (0 fine, 2 usage, 3 INCOMPLETE or INVALID, 4 skipped).

# shellcheck source-path=SCRIPTDIR source=benchmark.bash
. "$(dirname "${BASH_SOURCE[0]}")/benchmark.bash"

tune=irq,rcu,sched
parse "$@"
(( ${#arguments[@]} == 3 )) || wrong "RUN_CORE IRQ_PERIOD IRQ_COUNT are needed"
read -r core period count <<< "${arguments[*]}"
check_cpu "$core"
[[ $count =~ ^-?[0-9]+$ ]] || wrong "IRQ_COUNT '$count' is no whole number"
how_long=(--count="$count")
[[ $count != -* ]] || how_long=(--duration=3650d)

benchmark msi_lat "$core" msi-lat --cpu="$core" --period="${period}ms" "${how_long[@]}"
