// SPDX-License-Identifier: GPL-2.0
/* `klat doctor` for programs. */
#include "doctor.h"
#include "json_set.h"
#include "output.h"
#include "version.h"

static json_t *finding(const struct finding *f)
{
	json_t *json = json_object();

	set(json, "group", json_text(f->group));
	set(json, "id", json_text(f->id));
	set(json, "status", json_text(doctor_status_text(f->status)));
	set(json, "text", json_text(f->text));
	set(json, "advice", f->advice ? json_text(f->advice) : json_null());
	return json;
}

void doctor_json(const struct doctor *d, FILE *to)
{
	json_t *json = json_object(), *findings = json_array();

	for (size_t i = 0; i < d->nr; i++)
		json_array_append_new(findings, finding(&d->findings[i]));
	set(json, "tool", json_string("klat"));
	set(json, "version", json_string(KLAT_VERSION));
	set(json, "kernel", json_text(d->release));
	set(json, "running", json_boolean(d->running));
	set(json, "fine", json_boolean(doctor_is_fine(d)));
	set(json, "findings", findings);
	json_dumpf(json, to, JSON_INDENT(2));
	fputs("\n", to);
	json_decref(json);
}
