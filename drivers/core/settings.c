// SPDX-License-Identifier: GPL-2.0
#include <linux/bug.h>
#include <linux/string.h>

#include "settings.h"

static void add(struct klat_settings *settings, const char *name, u32 flags, s64 asked,
		s64 effect)
{
	struct klat_setting *setting = &settings->list[settings->nr];

	if (WARN_ON_ONCE(settings->nr == KLAT_MAX_SETTINGS))
		return;
	settings->nr++;
	strscpy(setting->name, name, sizeof(setting->name));
	setting->flags = flags | KLAT_SETTING_AFTER;
	setting->asked = asked;
	setting->after = effect;
}

void klat_settings_add(struct klat_settings *settings, const char *name, s64 effect)
{
	add(settings, name, 0, 0, effect);
}

void klat_settings_add_asked(struct klat_settings *settings, const char *name, s64 asked,
			     s64 effect)
{
	add(settings, name, KLAT_SETTING_ASKED, asked, effect);
}

static const struct klat_setting *find(const struct klat_settings *settings,
				       const char *name)
{
	u32 i;

	for (i = 0; i < settings->nr; i++)
		if (!strcmp(settings->list[i].name, name))
			return &settings->list[i];
	return NULL;
}

void klat_settings_report(const struct klat_settings *before,
			  const struct klat_settings *now, struct klat_status *status)
{
	const struct klat_setting *was;
	u32 i;

	status->nr_settings = now->nr;
	memcpy(status->settings, now->list, sizeof(status->settings));
	for (i = 0; i < now->nr; i++) {
		was = find(before, now->list[i].name);
		if (!was)
			continue;
		status->settings[i].before = was->after;
		status->settings[i].flags |= KLAT_SETTING_BEFORE;
	}
}
