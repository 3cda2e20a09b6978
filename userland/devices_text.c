// SPDX-License-Identifier: GPL-2.0
/* `klat devices` for people. */
#include <inttypes.h>
#include <string.h>

#include "devices.h"

static void print_list(const char *what, const struct strlist *list, FILE *to)
{
	for (size_t i = 0; i < list->nr; i++)
		fprintf(to, "  %-11s %s\n", i ? "" : what, list->items[i]);
}

static void print_net(const struct netdev *n, FILE *to)
{
	struct strlist uses = { 0 };
	char summary[64];

	netdev_summary(n, summary, sizeof(summary));
	fprintf(to, "  interface   %s, MAC %s%s, MTU %u\n", summary, n->mac,
		n->mac_set ? " (set)" : "", n->mtu);
	netdev_uses(n, &uses);
	print_list("", &uses, to);
	strlist_free(&uses);
}

static void print_interrupts(const struct pci_interrupts *irq, FILE *to)
{
	fputs("  interrupts  ", to);
	if (irq->msix_vectors)
		fprintf(to, "MSI-X %u (%s, table in BAR %u), ", irq->msix_vectors,
			irq->msix_enabled ? "on" : "off", irq->table_bar);
	if (irq->msi_vectors)
		fprintf(to, "MSI %u (%s%s), ", irq->msi_vectors, irq->msi_enabled ? "on" : "off",
			irq->msi_maskable ? ", maskable" : "");
	if (!irq->known)
		fputs("MSI unknown (try as root), ", to);
	else if (!irq->msix_vectors && !irq->msi_vectors)
		fputs("no MSI, ", to);
	if (irq->line)
		fprintf(to, "IRQ %d\n", irq->line);
	else
		fputs("no IRQ routed\n", to);
}

static void print_size(uint64_t size, FILE *to)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
	unsigned int unit = 0;

	if (!size) {
		fputs("size unknown", to);
		return;
	}
	for (; unit < 3 && !(size % 1024); unit++)
		size /= 1024;
	fprintf(to, "%" PRIu64 " %s", size, units[unit]);
}

static void print_bar(unsigned int nr, const struct pci_bar *bar, FILE *to)
{
	const char *refusal = pci_bar_refusal(bar);

	fprintf(to, "  BAR %u       ", nr);
	if (bar->base)
		fprintf(to, "0x%" PRIx64 ", ", bar->base);
	print_size(bar->size, to);
	if (bar->io)
		fputs(", I/O ports", to);
	else
		fprintf(to, ", memory, %d bits%s", bar->wide ? 64 : 32,
			bar->prefetchable ? ", prefetchable" : "");
	fprintf(to, ", %s", pci_bar_state_text(bar));
	if (refusal && !bar->io)
		fprintf(to, ": %s", refusal);
	fputs("\n", to);
}

static const char *verdict(const struct pci_device *dev, bool chosen)
{
	switch (dev->use) {
	case DEVICE_FREE:
		return chosen ? "free; measured where no other is named" :
		       "free; with --bdf, as it is not the only one";
	case DEVICE_IDLE:
		return "with --bdf, and given back afterwards";
	case DEVICE_IN_USE:
		return "only with --bdf and --force:";
	case DEVICE_OURS:
	case DEVICE_UNSUPPORTED:
		break;
	}
	return "no:";
}

static void print_device(const struct pci_device *dev, bool chosen, FILE *to)
{
	fprintf(to, "%s  %s [%04x:%04x]%s%s\n", dev->bdf, device_family(dev), dev->vendor,
		dev->device, *dev->name ? "  " : "", dev->name);
	fprintf(to, "  %-11s %s\n", "source", dev->model ? dev->model->source : "none");
	if (dev->node >= 0)
		fprintf(to, "  %-11s %d\n", "NUMA node", dev->node);
	fprintf(to, "  %-11s %s\n", "driver", *dev->driver ? dev->driver : "none");
	if (*dev->override)
		fprintf(to, "  %-11s %s\n", "reserved", dev->override);
	if (*dev->net.name)
		print_net(&dev->net, to);
	print_interrupts(&dev->irq, to);
	for (unsigned int i = 0; i < PCI_BARS; i++)
		if (dev->bars[i].state != PCI_BAR_NONE)
			print_bar(i, &dev->bars[i], to);
	fprintf(to, "  %-11s %s\n", "klat takes", verdict(dev, chosen));
	print_list("", &dev->reasons, to);
	print_list("note", &dev->notes, to);
}

void devices_text(const struct devices *d, FILE *to)
{
	for (size_t i = 0; i < d->inv.nr; i++) {
		if (i)
			fputs("\n", to);
		print_device(&d->inv.devices[i], !strcmp(d->inv.devices[i].bdf, d->chosen), to);
	}
	if (!d->inv.nr)
		fputs("no device that klat can measure with\n", to);
	for (size_t i = 0; i < d->taken.nr; i++)
		fprintf(to, "\n%s was taken by a klat; if that was killed, "
			"klat devices --restore gives it back\n", d->taken.items[i]);
}
