// SPDX-License-Identifier: GPL-2.0
/* `klat devices` for programs. */
#include <string.h>

#include "devices.h"
#include "json_set.h"
#include "output.h"
#include "version.h"

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_text(text) : json_null();
}

static json_t *list(const struct strlist *from)
{
	json_t *json = json_array();

	for (size_t i = 0; i < from->nr; i++)
		json_array_append_new(json, json_text(from->items[i]));
	return json;
}

static json_t *interface(const struct netdev *n)
{
	json_t *json;

	if (!*n->name)
		return json_null();
	json = json_object();
	set(json, "name", json_text(n->name));
	set(json, "up", json_boolean(n->up));
	set(json, "carrier", n->carrier < 0 ? json_null() : json_boolean(n->carrier));
	set(json, "operstate", text_or_null(n->operstate));
	set(json, "mac", text_or_null(n->mac));
	set(json, "mac_set", json_boolean(n->mac_set));
	set(json, "mtu", json_integer(n->mtu));
	set(json, "elsewhere", json_boolean(n->elsewhere));
	set(json, "addresses", list(&n->addresses));
	set(json, "routes", list(&n->routes));
	set(json, "default_route", json_boolean(n->default_route));
	set(json, "master", text_or_null(n->master));
	set(json, "master_kind", text_or_null(n->kind));
	set(json, "uppers", list(&n->uppers));
	return json;
}

static json_t *msi(const struct pci_interrupts *irq)
{
	json_t *json;

	if (!irq->msi_vectors)
		return json_null();
	json = json_object();
	set(json, "vectors", json_integer(irq->msi_vectors));
	set(json, "enabled", json_boolean(irq->msi_enabled));
	set(json, "maskable", json_boolean(irq->msi_maskable));
	return json;
}

static json_t *msix(const struct pci_interrupts *irq)
{
	json_t *json;

	if (!irq->msix_vectors)
		return json_null();
	json = json_object();
	set(json, "vectors", json_integer(irq->msix_vectors));
	set(json, "enabled", json_boolean(irq->msix_enabled));
	set(json, "table_bar", json_integer(irq->table_bar));
	set(json, "table_offset", json_integer(irq->table_offset));
	return json;
}

static json_t *bar(unsigned int nr, const struct pci_bar *b)
{
	json_t *json = json_object();

	set(json, "bar", json_integer(nr));
	set(json, "type", json_text(b->io ? "io" : b->wide ? "mem64" : "mem32"));
	set(json, "prefetchable", json_boolean(b->prefetchable));
	set(json, "base", b->base ? json_u64(b->base) : json_null());
	set(json, "size", b->size ? json_u64(b->size) : json_null());
	set(json, "state", json_text(pci_bar_state_text(b)));
	set(json, "refusal", text_or_null(pci_bar_refusal(b)));
	set(json, "warning", text_or_null(pci_bar_warning(b)));
	return json;
}

static json_t *bars(const struct pci_device *dev)
{
	json_t *json = json_array();

	for (unsigned int i = 0; i < PCI_BARS; i++)
		if (dev->bars[i].state != PCI_BAR_NONE)
			json_array_append_new(json, bar(i, &dev->bars[i]));
	return json;
}

static json_t *device(const struct pci_device *dev)
{
	json_t *json = json_object();

	set(json, "bdf", json_text(dev->bdf));
	set(json, "vendor", json_integer(dev->vendor));
	set(json, "device", json_integer(dev->device));
	set(json, "class", json_integer(dev->class));
	set(json, "name", text_or_null(dev->name));
	set(json, "family", text_or_null(dev->model ? dev->model->family : NULL));
	set(json, "source", text_or_null(dev->model ? dev->model->source : NULL));
	set(json, "numa_node", dev->node < 0 ? json_null() : json_integer(dev->node));
	set(json, "driver", text_or_null(dev->driver));
	set(json, "driver_override", text_or_null(dev->override));
	set(json, "interface", interface(&dev->net));
	set(json, "irq", dev->irq.line ? json_integer(dev->irq.line) : json_null());
	set(json, "msi_known", json_boolean(dev->irq.known));
	set(json, "msi", msi(&dev->irq));
	set(json, "msix", msix(&dev->irq));
	set(json, "bars", bars(dev));
	set(json, "use", json_text(device_use_text(dev->use)));
	set(json, "reasons", list(&dev->reasons));
	set(json, "notes", list(&dev->notes));
	return json;
}

void devices_json(const struct devices *d, FILE *to)
{
	json_t *json = json_object(), *array = json_array();

	for (size_t i = 0; i < d->inv.nr; i++)
		json_array_append_new(array, device(&d->inv.devices[i]));
	set(json, "tool", json_string("klat"));
	set(json, "version", json_string(KLAT_VERSION));
	set(json, "chosen", text_or_null(d->chosen));
	set(json, "devices", array);
	set(json, "taken", list(&d->taken));
	json_dumpf(json, to, JSON_INDENT(2));
	fputs("\n", to);
	json_decref(json);
}
