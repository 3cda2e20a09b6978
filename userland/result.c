// SPDX-License-Identifier: GPL-2.0
/* Fills, reads and frees the struct that every output format prints from. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "units.h"

static struct config_item *config_add(struct result *r, const char *name,
				      enum config_type type)
{
	struct config_item *item = &r->config[r->nr_config];

	if (r->nr_config == RESULT_MAX_CONFIG)
		abort();
	r->nr_config++;
	item->name = name;
	item->type = type;
	return item;
}

void result_config_text(struct result *r, const char *name, const char *value)
{
	config_add(r, name, CONFIG_TEXT)->text = value;
}

void result_config_number(struct result *r, const char *name, uint64_t value)
{
	config_add(r, name, CONFIG_NUMBER)->number = value;
}

void result_config_hex(struct result *r, const char *name, uint64_t value)
{
	config_add(r, name, CONFIG_HEX)->number = value;
}

void result_config_ns(struct result *r, const char *name, uint64_t value)
{
	config_add(r, name, CONFIG_NS)->number = value;
}

void result_config_bool(struct result *r, const char *name, bool value)
{
	config_add(r, name, CONFIG_BOOL)->number = value;
}

struct series *result_add_series(struct result *r, const char *name)
{
	struct series *s = &r->series[r->nr_series];

	if (series_init(s, name))
		err(EXIT_DOUBT, "out of memory");
	r->nr_series++;
	return s;
}

const struct result_kind *result_kind(const struct result *r)
{
	static const struct result_kind plain;

	return r->kind ? r->kind : &plain;
}

/* What was in effect in the end; false, and 0, if the module does not say */
bool result_setting(const struct result *r, const char *name, uint64_t *value)
{
	*value = 0;
	for (uint32_t i = 0; i < r->status.nr_settings && i < KLAT_MAX_SETTINGS; i++) {
		const struct klat_setting *s = &r->status.settings[i];

		if (strcmp(s->name, name))
			continue;
		if (s->flags & KLAT_SETTING_AFTER)
			*value = (uint64_t)s->after;
		else if (s->flags & KLAT_SETTING_BEFORE)
			*value = (uint64_t)s->before;
		return s->flags & (KLAT_SETTING_AFTER | KLAT_SETTING_BEFORE);
	}
	return false;
}

const struct series *result_primary(const struct result *r)
{
	return &r->series[r->primary];
}

uint64_t result_ns(const struct result *r, uint64_t ticks)
{
	return ticks_to_ns(ticks, r->info.clock_hz);
}

/* What readers must know before the first number; false if there is nothing */
bool result_label(const struct result *r, char *buf, size_t len)
{
	const struct hypervisor *hv = &r->machine.hypervisor;

	if (!hv->present)
		return false;
	snprintf(buf, len, "%s (%s): not a verdict on hardware",
		 hv->emulator ? "emulated" : "virtual machine", hv->name);
	return true;
}

const char *result_limit_of(const struct result *r)
{
	const char *of = result_kind(r)->limit_of;

	return of ? of : result_primary(r)->name;
}

/* What to say of a series without values */
const char *result_empty(const struct result *r, const struct series *s)
{
	const char *empty = result_kind(r)->empty;

	return empty && s == result_primary(r) ? empty : "no data";
}

bool result_stopped_at_limit(const struct result *r)
{
	return r->status.flags & KLAT_RUN_LIMIT;
}

bool result_hard_limit_exceeded(const struct result *r)
{
	long double max = ticks_to_ns_real(result_primary(r)->stats.max, r->info.clock_hz);

	/* not of rounded nanoseconds: a fraction above is above */
	return r->hard_limit_ns && max > (long double)r->hard_limit_ns;
}

bool result_limit_exceeded(const struct result *r)
{
	return result_stopped_at_limit(r) || result_hard_limit_exceeded(r);
}

/*
 * A value above the limit stays one however short the run was; from a run that
 * measured something else it says nothing. A machine that was not put back as it
 * was needs somebody's hand in any case.
 */
enum exit_code result_exit_code(const struct result *r)
{
	if (r->verdict == VERDICT_INVALID || r->not_given_back)
		return EXIT_DOUBT;
	if (result_limit_exceeded(r))
		return EXIT_LIMIT;
	return r->verdict == VERDICT_COMPLETE ? EXIT_FINE : EXIT_DOUBT;
}

void result_free(struct result *r)
{
	for (unsigned int i = 0; i < r->nr_series; i++)
		series_free(&r->series[i]);
	conditions_free(&r->before);
	conditions_free(&r->after);
	strlist_free(&r->reasons);
	strlist_free(&r->notes);
}
