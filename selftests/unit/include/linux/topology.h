/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_TOPOLOGY_H
#define KLAT_UNIT_LINUX_TOPOLOGY_H

#define cpu_to_node(cpu)	((int)(cpu) * 0)

#endif
