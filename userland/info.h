/* SPDX-License-Identifier: GPL-2.0 */
/* All that `klat info` found out, and how it is printed. */
#ifndef KLAT_INFO_H
#define KLAT_INFO_H

#include <stddef.h>
#include <stdio.h>

#include <klat/klat.h>

#include "machine.h"
#include "module.h"

#define INFO_MAX_MODULES	8

/* What could be learnt of one module; error: errno of its device, 0 for none */
struct module_facts {
	const char *name;
	enum module_state state;
	int error;
	struct klat_info info;
	struct klat_status status;
};

struct info {
	struct machine machine;
	struct conditions conditions;
	int cpu;
	char online[1024];
	struct module_facts modules[INFO_MAX_MODULES];
	size_t nr;
};

void info_text(const struct info *info, FILE *to);
void info_json(const struct info *info, FILE *to);

#endif
