#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run_msijitter.sh [--tune WHAT] UNBIND_IGB_ID RUN_CORE INTERVAL RUNTIME [-- OPTION...]
#
# Measures how far a PCIe device's cyclic interrupts stray from their cycle, as
# Intel ECI's script of that name does, with klat msi-jitter.
#
#   UNBIND_IGB_ID  PCI address of the network controller; klat takes it from its
#                  driver, and gives it back
#   RUN_CORE       CPU of the interrupt
#   INTERVAL       the cycle, in ms
#   RUNTIME        how long to measure, in s
#   OPTION         more options of klat msi-jitter, such as --timer targettime
#
# What is changed on the machine is printed, and put back at the end, also after
# ^C. WHAT is "none" (the default: irq_rcu.sh is there for this), or some of
# these with commas:
#
#   irq    all other interrupts go to the first CPU that is not RUN_CORE
#   rcu    the RCU threads that can be moved run on the CPUs other than RUN_CORE
#   sched  all real-time tasks become SCHED_OTHER: on a machine that works, those
#          that do its work, too
#
# The module stays loaded, for its results can be read afterwards:
#   cat /sys/kernel/debug/msi_jitter_test/current_value
#
# Exit status: that of klat (0 fine, 2 usage, 3 INCOMPLETE or INVALID, 4 skipped).

# shellcheck source-path=SCRIPTDIR source=benchmark.bash
. "$(dirname "${BASH_SOURCE[0]}")/benchmark.bash"

tune=none
parse "$@"
(( ${#arguments[@]} == 4 )) || wrong "UNBIND_IGB_ID RUN_CORE INTERVAL RUNTIME are needed"
read -r id core interval runtime <<< "${arguments[*]}"
check_cpu "$core"

benchmark msi_jitter "$core" msi-jitter --bdf="$id" --cpu="$core" --period="${interval}ms" \
	--duration="${runtime}s"
