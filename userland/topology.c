// SPDX-License-Identifier: GPL-2.0
/* Which CPUs are there, and which of them to measure on. */
#include <hwloc.h>
#include <stdlib.h>

#include "cpulist.h"
#include "sysfs.h"
#include "topology.h"

#define ISOLATED_FILE	"/sys/devices/system/cpu/isolated"

struct topology {
	hwloc_topology_t hw;
	hwloc_bitmap_t isolated;
};

static int load(hwloc_topology_t hw)
{
	/* CPUs that a cpuset or an affinity mask hides can be measured all the same */
	hwloc_topology_set_flags(hw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_all_types_filter(hw, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(hw, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
	/* this component would visit every CPU, isolated ones too */
	hwloc_topology_set_components(hw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	return hwloc_topology_load(hw);
}

struct topology *topology_open(void)
{
	struct topology *topo = calloc(1, sizeof(*topo));
	char line[4096];

	if (!topo)
		return NULL;
	topo->isolated = hwloc_bitmap_alloc();
	if (!topo->isolated || hwloc_topology_init(&topo->hw) || load(topo->hw)) {
		topology_close(topo);
		return NULL;
	}
	sysfs_line(line, sizeof(line), ISOLATED_FILE);
	cpulist_parse(line, topo->isolated);
	return topo;
}

void topology_close(struct topology *topo)
{
	if (!topo)
		return;
	if (topo->hw)
		hwloc_topology_destroy(topo->hw);
	hwloc_bitmap_free(topo->isolated);
	free(topo);
}

static hwloc_const_bitmap_t online(const struct topology *topo)
{
	return hwloc_topology_get_topology_cpuset(topo->hw);
}

bool topology_online(const struct topology *topo, int cpu)
{
	return cpu >= 0 && hwloc_bitmap_isset(online(topo), (unsigned int)cpu);
}

void topology_online_list(const struct topology *topo, char *buf, size_t len)
{
	cpulist_print(online(topo), buf, len);
}

/* The NUMA node of everything, where there is just one; otherwise -1 */
int topology_only_node(const struct topology *topo)
{
	hwloc_obj_t node = hwloc_get_next_obj_by_type(topo->hw, HWLOC_OBJ_NUMANODE, NULL);

	if (!node || hwloc_get_next_obj_by_type(topo->hw, HWLOC_OBJ_NUMANODE, node))
		return -1;
	return (int)node->os_index;
}

static bool same_core(const struct topology *topo, int a, int b)
{
	hwloc_obj_t core = NULL;

	while ((core = hwloc_get_next_obj_by_type(topo->hw, HWLOC_OBJ_CORE, core)))
		if (hwloc_bitmap_isset(core->cpuset, (unsigned int)a))
			return hwloc_bitmap_isset(core->cpuset, (unsigned int)b);
	return false;
}

static bool same_node(const struct topology *topo, int a, int b)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(topo->hw, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_isset(node->cpuset, (unsigned int)a))
			return hwloc_bitmap_isset(node->cpuset, (unsigned int)b);
	return false;
}

static int fitness(const struct topology *topo, int cpu, int other)
{
	int isolated = hwloc_bitmap_isset(topo->isolated, (unsigned int)cpu) ? 8 : 0;

	if (other == CPU_UNSET)
		return isolated;
	return isolated + (same_core(topo, cpu, other) ? 0 : 4) +
	       (same_node(topo, cpu, other) ? 2 : 0);
}

/*
 * A CPU to measure on: isolated ones first, the last of equal ones; beside
 * @other (CPU_UNSET: none) another one, rather on its own core and on the same
 * NUMA node. @other itself where it is the only CPU.
 */
int topology_choose(const struct topology *topo, int other)
{
	int cpu, best = other, best_fitness = -1;

	for (cpu = hwloc_bitmap_first(online(topo)); cpu >= 0;
	     cpu = hwloc_bitmap_next(online(topo), cpu)) {
		int fit = fitness(topo, cpu, other);

		if (cpu == other || fit < best_fitness)
			continue;
		best = cpu;
		best_fitness = fit;
	}
	return best;
}

/* The calling thread, wherever it was allowed before */
int topology_pin(const struct topology *topo, int cpu)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	int ret = -1;

	if (!set)
		return -1;
	hwloc_bitmap_only(set, (unsigned int)cpu);
	ret = hwloc_set_cpubind(topo->hw, set, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT);
	hwloc_bitmap_free(set);
	return ret;
}

/*
 * Keeps the calling thread off the CPUs that are measured, within what it is
 * allowed. False if no CPU but @irq_cpu is left to it.
 */
bool topology_step_aside(const struct topology *topo, int irq_cpu, int trigger_cpu)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	bool aside = false;

	if (!set || hwloc_get_cpubind(topo->hw, set, HWLOC_CPUBIND_THREAD))
		goto out;
	hwloc_bitmap_clr(set, (unsigned int)irq_cpu);
	if (hwloc_bitmap_iszero(set))
		goto out;
	hwloc_bitmap_clr(set, (unsigned int)trigger_cpu);
	if (hwloc_bitmap_iszero(set))
		hwloc_bitmap_set(set, (unsigned int)trigger_cpu);
	aside = !hwloc_set_cpubind(topo->hw, set, HWLOC_CPUBIND_THREAD);
out:
	hwloc_bitmap_free(set);
	return aside;
}
