// SPDX-License-Identifier: GPL-2.0
/* Which modules there are, and the one that is tested. */
#include <string.h>

#include "module.h"

static const struct abi_module *const modules[] = {
	&abi_caterpillar,
	&abi_hwlat_detector,
	&abi_mmio_latency,
	&abi_msi_jitter,
	&abi_msi_lat,
};

const struct abi_module *module;

bool find_module(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (!strcmp(modules[i]->name, name))
			module = modules[i];
	return module;
}
