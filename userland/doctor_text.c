// SPDX-License-Identifier: GPL-2.0
/* `klat doctor` for people. */
#include <string.h>

#include "doctor.h"
#include "version.h"

static const struct {
	const char *group;
	const char *title;
} titles[] = {
	{ "build", "To build the modules" },
	{ "load", "To load them" },
	{ "devices", "To have interrupts" },
	{ "trust", "To trust the figures" },
	{ "log", "What the logs say" },
};

static void print_title(const char *group, FILE *to)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strcmp(titles[i].group, group))
			fprintf(to, "\n%s\n", titles[i].title);
}

/* What a log tells of has a name that can be looked up */
static bool has_class(const struct finding *f)
{
	return !strcmp(f->group, "log") && strcmp(f->id, "log");
}

static size_t count(const struct doctor *d, enum doctor_status status)
{
	size_t nr = 0;

	for (size_t i = 0; i < d->nr; i++)
		nr += d->findings[i].status == status;
	return nr;
}

static void print_sum(const struct doctor *d, FILE *to)
{
	size_t bad = count(d, DOCTOR_BAD), warn = count(d, DOCTOR_WARN);
	size_t unknown = count(d, DOCTOR_UNKNOWN);

	if (bad)
		fprintf(to, "\n%zu %s in the way", bad, bad == 1 ? "thing stands" : "things stand");
	else
		fputs("\nNothing stands in the way", to);
	fprintf(to, "; %zu to know of, %zu that could not be found out.\n", warn, unknown);
}

void doctor_text(const struct doctor *d, FILE *to)
{
	const char *group = "";

	fprintf(to, "klat %s, kernel %s%s\n", KLAT_VERSION, d->release,
		d->running ? "" : " (which does not run)");
	for (size_t i = 0; i < d->nr; i++) {
		const struct finding *f = &d->findings[i];

		if (strcmp(group, f->group))
			print_title(f->group, to);
		group = f->group;
		fprintf(to, "  %-8s %s%s%s\n", doctor_status_text(f->status),
			has_class(f) ? f->id : "", has_class(f) ? ": " : "", f->text);
		if (f->advice)
			fprintf(to, "           -> %s\n", f->advice);
	}
	print_sum(d, to);
}
