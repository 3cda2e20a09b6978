// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/string.h>

#include "../core/check.h"
#include "pci.h"
#include "soft.h"
#include "source.h"

/* "auto" takes any of the PCI sources; soft must be asked for */
static bool is_auto(const char *name)
{
	return !*name || !strcmp(name, "auto");
}

static bool is_soft(const char *name)
{
	return !strcmp(name, "soft");
}

int klat_source_check(const char *name, const char *bdf, struct klat_refusal *refusal)
{
	struct klat_pci_address address;
	char names[64];

	if (!is_auto(name) && !is_soft(name) && !klat_pci_find_model(name)) {
		klat_pci_model_names(names, sizeof(names));
		return klat_refuse(refusal, -EINVAL, "source = %s: must be auto, %s or soft",
				   name, names);
	}
	if (!*bdf)
		return 0;
	if (is_soft(name))
		return klat_refuse(refusal, -EINVAL,
				   "bdf = %s: source soft has no device; leave bdf empty", bdf);
	if (!klat_pci_parse_address(bdf, &address))
		return klat_refuse(refusal, -EINVAL,
				   "bdf = %s: must be a PCI address, [DDDD:]BB:DD.F in hexadecimal",
				   bdf);
	return 0;
}

int klat_source_check_config(const char *name, const char *bdf,
			     struct klat_refusal *refusal)
{
	int ret;

	ret = klat_check_name("source", name, KLAT_NAME_LEN, refusal);
	if (!ret)
		ret = klat_check_name("bdf", bdf, KLAT_NAME_LEN, refusal);
	return ret ?: klat_source_check(name, bdf, refusal);
}

bool klat_source_can_flush(const char *name)
{
	return !is_soft(name);
}

int klat_source_open(struct klat_source *source, const char *name, const char *bdf,
		     struct klat_refusal *refusal)
{
	int ret;

	ret = klat_source_check(name, bdf, refusal);
	if (ret)
		return ret;
	source->irq = -1;
	source->device[0] = '\0';
	source->name = "soft";
	source->ops = &klat_soft_ops;
	if (!is_soft(name))
		ret = klat_pci_choose(source, is_auto(name) ? NULL : name, bdf, refusal);
	if (!ret)
		ret = source->ops->open(source, refusal);
	if (ret)
		source->ops = NULL;
	return ret;
}

static const char *timer_name(enum klat_source_timer timer)
{
	return timer == KLAT_SOURCE_TCPTIMER ? "tcptimer" : "targettime";
}

int klat_source_timer_start(struct klat_source *source, enum klat_source_timer timer,
			    u64 period_ns, struct klat_refusal *refusal)
{
	int ret = -EOPNOTSUPP;

	if (source->ops->timer_start)
		ret = source->ops->timer_start(source, timer, period_ns, refusal);
	if (ret == -EOPNOTSUPP)
		klat_refuse(refusal, ret,
			    "timer = %s: source %s%s%s has no such timer; hrtimer works with all",
			    timer_name(timer), source->name, *source->device ? " at " : "",
			    source->device);
	return ret;
}

void klat_source_names(const struct klat_source *source, struct klat_status *status)
{
	strscpy(status->source, source->name, sizeof(status->source));
	strscpy(status->device, source->device, sizeof(status->device));
}

void klat_source_settings(struct klat_source *source, struct klat_settings *settings)
{
	struct klat_source_fact fact = { .is_asked = true };
	unsigned int i;

	if (source->irq >= 0)
		klat_settings_add(settings, "irq", source->irq);
	for (i = 0; source->ops->fact && source->ops->fact(source, i, &fact); i++) {
		if (fact.is_asked)
			klat_settings_add_asked(settings, fact.name, fact.asked, fact.effect);
		else
			klat_settings_add(settings, fact.name, fact.effect);
		fact = (struct klat_source_fact){ .is_asked = true };
	}
}

void klat_source_close(struct klat_source *source)
{
	if (!source->ops)
		return;
	source->ops->close(source);
	source->ops = NULL;
}
