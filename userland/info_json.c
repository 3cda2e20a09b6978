// SPDX-License-Identifier: GPL-2.0
/* `klat info` for programs. */
#include <errno.h>
#include <string.h>

#include "info.h"
#include "json_set.h"
#include "output.h"
#include "version.h"

static json_t *json_module_facts(const struct module_facts *f)
{
	json_t *json = json_object(), *series = json_array();

	set(json, "name", json_text(f->name));
	set(json, "state", json_text(module_state_text(f->state)));
	set(json, "error", f->error && f->error != ENOENT ? json_text(strerror(f->error)) :
	    json_null());
	for (uint32_t i = 0; i < f->info.nr_series && i < KLAT_MAX_SERIES; i++)
		json_array_append_new(series, json_text(f->info.series[i]));
	if (f->error) {
		json_decref(series);
		return json;
	}
	set(json, "version", json_text(f->info.version));
	set(json, "abi", json_integer(f->info.abi));
	set(json, "clock_hz", json_u64(f->info.clock_hz));
	set(json, "clock_cost_ticks", json_u64(f->info.clock_cost));
	set(json, "disturb_cost_ticks", json_u64(f->info.disturb_cost));
	set(json, "clock_invariant", json_boolean(f->info.clock_flags & KLAT_CLOCK_INVARIANT));
	set(json, "clock_stable", json_boolean(f->info.clock_flags & KLAT_CLOCK_STABLE));
	set(json, "series", series);
	set(json, "run", json_u64(f->status.run));
	set(json, "run_state", json_text(state_name(f->status.state)));
	set(json, "source", json_text(f->status.source));
	set(json, "device", json_text(f->status.device));
	set(json, "fired", json_u64(f->status.fired));
	set(json, "seen", json_u64(f->status.seen));
	set(json, "message", json_text(f->status.message));
	return json;
}

void info_json(const struct info *info, FILE *to)
{
	json_t *json = json_object(), *array = json_array();

	for (size_t i = 0; i < info->nr; i++)
		json_array_append_new(array, json_module_facts(&info->modules[i]));
	set(json, "tool", json_string("klat"));
	set(json, "version", json_string(KLAT_VERSION));
	set(json, "environment", json_machine(&info->machine));
	set(json, "online", json_text(info->online));
	set(json, "conditions", json_conditions(&info->conditions));
	set(json, "modules", array);
	json_dumpf(json, to, JSON_INDENT(2));
	fputs("\n", to);
	json_decref(json);
}
