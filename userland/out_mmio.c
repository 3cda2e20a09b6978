// SPDX-License-Identifier: GPL-2.0
/* What a result of mmio has of its own. */
#include <inttypes.h>

#include "output.h"
#include "units.h"

struct reg {
	uint64_t bar;
	uint64_t offset;
	uint64_t width;
	uint64_t value;
};

static bool reg_read(const struct result *r, struct reg *reg)
{
	bool bar = result_setting(r, "bar", &reg->bar);
	bool offset = result_setting(r, "offset", &reg->offset);
	bool width = result_setting(r, "width", &reg->width);

	return result_setting(r, "value", &reg->value) && bar && offset && width;
}

static void print_register(const struct result *r, FILE *to)
{
	uint64_t mmio, sched;
	struct reg reg;

	if (reg_read(r, &reg))
		fprintf(to, "reads:  %s BAR %" PRIu64 " offset 0x%" PRIx64 ", %" PRIu64
			" bytes each, the last one gave 0x%0*" PRIx64 "\n", r->status.device,
			reg.bar, reg.offset, reg.width, (int)(2 * reg.width), reg.value);
	if (result_setting(r, "mmio_outliers", &mmio) &&
	    result_setting(r, "sched_outliers", &sched))
		fprintf(to, "beyond: %" PRIu64 " mmio-outliers, %" PRIu64
			" sched-outliers (above their thresholds)\n", mmio, sched);
}

static bool all_ones(const struct reg *reg)
{
	if (reg->width >= 8)
		return reg->value == UINT64_MAX;
	return reg->value == (1ULL << (8 * reg->width)) - 1;
}

static void add_notes(struct result *r)
{
	struct reg reg;
	uint64_t yes;

	if (result_setting(r, "bound", &yes) && yes)
		strlist_add(&r->notes, "a driver holds the device: what it does there, and what "
			    "these reads do to it, is in the figures");
	if (result_setting(r, "prefetchable", &yes) && yes)
		strlist_add(&r->notes, "the BAR is prefetchable: a bridge on the way may answer "
			    "instead of the device");
	if (reg_read(r, &reg) && all_ones(&reg))
		strlist_add(&r->notes, "the last value read is all ones, as of a device that "
			    "does not answer: is this the register you mean?");
}

static void print_outliers(const struct result *r, const char *name, const char *setting,
			   FILE *to)
{
	uint64_t nr;

	if (result_setting(r, setting, &nr))
		fprintf(to, " %s: %" PRIu64 "\n", name, nr);
	else
		fprintf(to, " %s: unknown\n", name);
}

/* The names and blanks are those of the driver that this stands in for */
static void print_block(const struct result *r, FILE *to)
{
	const struct series *s = result_primary(r);
	long double mean = ticks_to_ns_real(series_mean(s), r->info.clock_hz);

	fputs("RT Core Module\n------------------------\n", to);
	if (s->stats.count) {
		fprintf(to, " Stats:\n  max= %" PRIu64 "\n  avg= %.0Lf\n  min= %" PRIu64 "\n",
			result_ns(r, s->stats.max), mean, result_ns(r, s->stats.min));
		fprintf(to, "  total= %.0Lf\n  loops= %" PRIu64 "\n",
			mean * (long double)s->stats.count, (uint64_t)s->stats.count);
	} else {
		fputs(" no data\n", to);
	}
	fputs("\n", to);
	print_outliers(r, "mmio-outliers", "mmio_outliers", to);
	print_outliers(r, "sched-outliers", "sched_outliers", to);
}

const struct result_kind mmio_kind = {
	.notes = add_notes,
	.text = print_register,
	.eci = print_block,
};
