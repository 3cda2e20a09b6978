// SPDX-License-Identifier: GPL-2.0
/* `klat info` for people. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "device.h"
#include "info.h"
#include "result.h"
#include "version.h"

static void print_device(const struct module_facts *f, FILE *to)
{
	const struct klat_info *info = &f->info;
	const struct klat_status *st = &f->status;

	fprintf(to, "  version %s, interface %u\n", info->version, info->abi);
	fprintf(to, "  clock   %" PRIu64 " Hz, %sinvariant, %s\n", (uint64_t)info->clock_hz,
		info->clock_flags & KLAT_CLOCK_INVARIANT ? "" : "not ",
		info->clock_flags & KLAT_CLOCK_STABLE ? "stable" : "UNSTABLE");
	fprintf(to, "  costs   %" PRIu64 " ticks a pair of stamps, %" PRIu64
		" ticks the disturbance counters\n", (uint64_t)info->clock_cost,
		(uint64_t)info->disturb_cost);
	fputs("  series ", to);
	for (uint32_t i = 0; i < info->nr_series && i < KLAT_MAX_SERIES; i++)
		fprintf(to, " %s", info->series[i]);
	fprintf(to, "\n  run     %" PRIu64 " %s%s%s%s%s\n", (uint64_t)st->run,
		state_name(st->state), *st->source ? ", " : "", st->source,
		*st->device ? " " : "", st->device);
	if (st->run)
		fprintf(to, "          %" PRIu64 " fired, %" PRIu64 " seen%s%s\n",
			(uint64_t)st->fired, (uint64_t)st->seen, *st->message ? ": " : "",
			st->message);
}

static void print_module(const struct module_facts *f, FILE *to)
{
	fprintf(to, "\n%s: %s\n", f->name, module_state_text(f->state));
	if (!f->error)
		print_device(f, to);
	else if (f->error != ENOENT)
		fprintf(to, "  " DEVICE_DIR "/%s could not be asked: %s\n", f->name,
			strerror(f->error));
	else if (f->state == MODULE_LOADED)
		fprintf(to, "  " DEVICE_DIR "/%s does not exist\n", f->name);
}

static const char *or_unknown(const char *text)
{
	return *text ? text : "unknown";
}

static void print_machine(const struct machine *m, const struct conditions *c, int cpu,
			  const char *online, FILE *to)
{
	const struct hypervisor *hv = &m->hypervisor;

	if (hv->present)
		fprintf(to, "%s (%s)\n", hv->emulator ? "emulated" : "virtual machine", hv->name);
	fprintf(to, "klat %s\n", KLAT_VERSION);
	fprintf(to, "kernel       %s %s, %s\n", m->release, m->arch,
		m->rt ? "PREEMPT_RT" : "not PREEMPT_RT");
	fprintf(to, "CPU          %s\n", or_unknown(m->cpu_model));
	fprintf(to, "online       %s\n", or_unknown(online));
	fprintf(to, "isolated     %s\n", *m->isolated ? m->isolated : "none");
	fprintf(to, "nohz_full    %s\n", *m->nohz_full ? m->nohz_full : "none");
	fprintf(to, "SMT          %s\n", or_unknown(c->smt));
	fprintf(to, "governor     %s (CPU %d)\n", or_unknown(c->governor), cpu);
	fprintf(to, "clocksource  %s\n", or_unknown(c->clocksource));
	if (!c->rt_runtime_known)
		fputs("RT runtime   unknown\n", to);
	else if (c->rt_runtime_us < 0)
		fputs("RT runtime   not limited\n", to);
	else
		fprintf(to, "RT runtime   %lld us\n", c->rt_runtime_us);
	fprintf(to, "irqbalance   %s\n", c->irqbalance ? "running" : "not running");
}

void info_text(const struct info *info, FILE *to)
{
	print_machine(&info->machine, &info->conditions, info->cpu, info->online, to);
	for (size_t i = 0; i < info->nr; i++)
		print_module(&info->modules[i], to);
}
