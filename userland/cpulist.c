// SPDX-License-Identifier: GPL-2.0
/* CPU lists as the kernel writes them: "1,3,5-7". */
#include <string.h>

#include "cpulist.h"

/*
 * A blank or empty file and "(null)" all mean no CPU: some kernels print the
 * last where isolcpus= or nohz_full= was not given.
 */
void cpulist_parse(const char *text, hwloc_bitmap_t set)
{
	text += strspn(text, " \t\n");
	if (!*text || !strncmp(text, "(null)", strlen("(null)")) ||
	    hwloc_bitmap_list_sscanf(set, text) < 0)
		hwloc_bitmap_zero(set);
}

bool cpulist_has(const char *text, int cpu)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	bool has;

	if (!set)
		return false;
	cpulist_parse(text, set);
	has = hwloc_bitmap_isset(set, (unsigned int)cpu);
	hwloc_bitmap_free(set);
	return has;
}

void cpulist_print(hwloc_const_bitmap_t set, char *buf, size_t len)
{
	hwloc_bitmap_list_snprintf(buf, len, set);
}
