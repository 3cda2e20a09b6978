/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_TOPOLOGY_H
#define KLAT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#define CPU_UNSET	(-1)

struct topology;

struct topology *topology_open(void);
void topology_close(struct topology *topo);
bool topology_online(const struct topology *topo, int cpu);
void topology_online_list(const struct topology *topo, char *buf, size_t len);
int topology_only_node(const struct topology *topo);
int topology_choose(const struct topology *topo, int other);
int topology_pin(const struct topology *topo, int cpu);
bool topology_step_aside(const struct topology *topo, int irq_cpu, int trigger_cpu);

#endif
