// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../compat/pci.h"
#include "../core/pin.h"
#include "edu.h"
#include "e1000e.h"
#include "igb.h"
#include "igc.h"
#include "pci.h"
#include "pci_aspm.h"
#include "shot.h"

static const struct klat_pci_model *const models[] = {
	&klat_igb_model,
	&klat_igc_model,
	&klat_e1000e_model,
	&klat_edu_model,
};

static const struct klat_source_ops pci_ops;

const struct klat_pci_model *klat_pci_find_model(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i]->name, name))
			return models[i];
	return NULL;
}

/* "igb, igc, ..." or, of all or just model @name, "I210, I211, ..." */
static void list_models(bool devices, const char *name, char *list, size_t size)
{
	size_t i, length = 0;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (!name || !strcmp(models[i]->name, name))
			length += scnprintf(list + length, size - length, "%s%s",
					    length ? ", " : "",
					    devices ? models[i]->devices : models[i]->name);
}

void klat_pci_model_names(char *list, size_t size)
{
	list_models(false, NULL, list, size);
}

/* The model that knows @pdev, out of all or just @name's */
static const struct klat_pci_model *model_of(struct pci_dev *pdev, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if ((!name || !strcmp(models[i]->name, name)) &&
		    pci_match_id(models[i]->ids, pdev))
			return models[i];
	return NULL;
}

/* Who keeps us from taking @pdev, into @who; false if nobody does */
static bool taken_by(struct pci_dev *pdev, const char *user, char *who, size_t size)
{
	char reserved[32];
	bool taken = true;

	device_lock(&pdev->dev);
	if (pdev->dev.driver)
		snprintf(who, size, "held by driver %s", pdev->dev.driver->name);
	else if (klat_pci_driver_override(pdev, reserved, sizeof(reserved)) &&
		 strcmp(reserved, user))
		snprintf(who, size, "reserved for driver %s by driver_override", reserved);
	else
		taken = false;
	device_unlock(&pdev->dev);
	return taken;
}

static int choose_named(struct klat_pci *pci, const char *name, const char *bdf,
			struct klat_refusal *refusal)
{
	struct klat_pci_address address;
	char who[96];

	if (!klat_pci_parse_address(bdf, &address))
		return -EINVAL;		/* klat_source_check() has refused it */
	pci->pdev = pci_get_domain_bus_and_slot(address.domain, address.bus, address.devfn);
	if (!pci->pdev)
		return klat_refuse(refusal, -ENODEV, "bdf = %s: there is no such device", bdf);
	pci->model = model_of(pci->pdev, name);
	if (!pci->model) {
		list_models(true, name, who, sizeof(who));
		return klat_refuse(refusal, -EINVAL,
				   "bdf = %s: device %04x:%04x is not supported by source %s (%s)",
				   bdf, pci->pdev->vendor, pci->pdev->device,
				   name ? name : "auto", who);
	}
	if (taken_by(pci->pdev, pci->source->user, who, sizeof(who)))
		return klat_refuse(refusal, -EBUSY, "bdf = %s: %s; unbind it first", bdf, who);
	return 0;
}

static int choose_only(struct klat_pci *pci, const char *name, struct klat_refusal *refusal)
{
	char seen[128] = "", free[96] = "", who[96];
	struct pci_dev *pdev = NULL;
	const struct klat_pci_model *model;
	int count = 0;

	for_each_pci_dev(pdev) {
		model = model_of(pdev, name);
		if (!model)
			continue;
		if (taken_by(pdev, pci->source->user, who, sizeof(who))) {
			scnprintf(seen + strlen(seen), sizeof(seen) - strlen(seen),
				  " %s is %s;", pci_name(pdev), who);
			continue;
		}
		scnprintf(free + strlen(free), sizeof(free) - strlen(free), " %s",
			  pci_name(pdev));
		if (!count++) {
			pci->pdev = pci_dev_get(pdev);
			pci->model = model;
		}
	}
	if (count > 1)
		return klat_refuse(refusal, -EINVAL,
				   "several devices are free:%s; name one with bdf", free);
	if (!count && *seen)
		return klat_refuse(refusal, -ENODEV,
				   "no free device:%s unbind one, or use source=soft", seen);
	if (!count) {
		list_models(true, name, free, sizeof(free));
		return klat_refuse(refusal, -ENODEV,
				   "no supported device (%s) was found; source=soft measures without one",
				   free);
	}
	return 0;
}

int klat_pci_choose(struct klat_source *source, const char *name, const char *bdf,
		    struct klat_refusal *refusal)
{
	struct klat_pci *pci;
	int ret;

	pci = kzalloc(sizeof(*pci), GFP_KERNEL);
	if (!pci)
		return klat_refuse(refusal, -ENOMEM, "not enough memory");
	pci->source = source;
	mutex_init(&pci->lock);
	ret = *bdf ? choose_named(pci, name, bdf, refusal) : choose_only(pci, name, refusal);
	if (ret) {
		pci_dev_put(pci->pdev);
		kfree(pci);
		return ret;
	}
	source->priv = pci;
	source->name = pci->model->name;
	source->ops = &pci_ops;
	return 0;
}

/*
 * ASPM is switched off in the link's two ends directly: pci_disable_link_state()
 * cannot be undone on all kernels, and a link that takes microseconds to leave
 * L1 is then in every sample. The device's end goes first, and comes back last
 * (PCIe base specification, 5.4.1.4).
 */
static void aspm_write(struct pci_dev *pdev, u16 state)
{
	if (pdev && pci_is_pcie(pdev) && klat_pci_aspm(pdev) != state)
		pcie_capability_clear_and_set_word(pdev, PCI_EXP_LNKCTL,
						   PCI_EXP_LNKCTL_ASPMC, state);
}

static void aspm_off(struct klat_pci *pci)
{
	struct pci_dev *bridge = pci_upstream_bridge(pci->pdev);

	pci->aspm_device = klat_pci_aspm(pci->pdev);
	pci->aspm_bridge = klat_pci_aspm(bridge);
	aspm_write(pci->pdev, 0);
	aspm_write(bridge, 0);
}

/* The bridge is still there when the device has been pulled out */
static void aspm_restore(struct klat_pci *pci, bool present)
{
	aspm_write(pci_upstream_bridge(pci->pdev), pci->aspm_bridge);
	if (present)
		aspm_write(pci->pdev, pci->aspm_device);
}

static int take_interrupt(struct klat_pci *pci)
{
	struct klat_source *source = pci->source;
	int ret;

	ret = pci_alloc_irq_vectors(pci->pdev, 1, 1, pci->model->irq_types);
	if (ret < 0)
		return klat_refuse(pci->refusal, ret, "%s: no MSI vector to be had (%d)",
				   pci_name(pci->pdev), ret);
	source->irq = pci_irq_vector(pci->pdev, 0);
	/*
	 * Before it is requested: an interrupt that is moved while active keeps
	 * its old vector until the next one arrives, and that one pays for it.
	 */
	ret = klat_pin_irq(source->irq, source->cpu);
	if (ret) {
		klat_refuse(pci->refusal, ret, "%s: interrupt %d does not move to CPU %u (%d)",
			    pci_name(pci->pdev), source->irq, source->cpu, ret);
		goto err_vectors;
	}
	ret = request_threaded_irq(source->irq, source->handler, source->thread,
				   IRQF_NO_THREAD, source->user, source->context);
	if (!ret)
		return 0;
	klat_refuse(pci->refusal, ret, "%s: interrupt %d refused (%d)", pci_name(pci->pdev),
		    source->irq, ret);
err_vectors:
	pci_free_irq_vectors(pci->pdev);
	source->irq = -1;
	return ret;
}

static void give_interrupt_back(struct klat_pci *pci)
{
	free_irq(pci->source->irq, pci->source->context);
	pci_free_irq_vectors(pci->pdev);
	pci->source->irq = -1;
}

static int map_device(struct klat_pci *pci)
{
	struct pci_dev *pdev = pci->pdev;
	int ret;

	pci->power = pdev->current_state;
	pci_read_config_word(pdev, PCI_COMMAND, &pci->command);
	ret = pci_enable_device_mem(pdev);
	if (ret)
		return klat_refuse(pci->refusal, ret, "%s: cannot be enabled (%d)",
				   pci_name(pdev), ret);
	ret = pci_request_region(pdev, 0, pci->source->user);
	if (ret) {
		klat_refuse(pci->refusal, ret, "%s: BAR 0 is in use (%d)", pci_name(pdev), ret);
		goto err_disable;
	}
	pci->bar = pci_iomap(pdev, 0, 0);
	if (pci->bar)
		return 0;
	ret = klat_refuse(pci->refusal, -ENOMEM, "%s: BAR 0 cannot be mapped", pci_name(pdev));
	pci_release_region(pdev, 0);
err_disable:
	pci_disable_device(pdev);
	return ret;
}

static void unmap_device(struct klat_pci *pci)
{
	struct pci_dev *pdev = pci->pdev;

	pci_iounmap(pdev, pci->bar);
	pci_release_region(pdev, 0);
	pci_disable_device(pdev);
	if (!pci_device_is_present(pdev))
		return;
	pci_write_config_word(pdev, PCI_COMMAND, pci->command);
	if (pci->power != PCI_UNKNOWN && pci->power != pdev->current_state)
		pci_set_power_state(pdev, pci->power);
}

static int probe_chosen(struct klat_pci *pci)
{
	int ret;

	ret = map_device(pci);
	if (ret)
		return ret;
	/* a former driver's rings must not be written to once we are bus master */
	pci->model->quiesce(pci);
	pci_set_master(pci->pdev);
	aspm_off(pci);
	ret = take_interrupt(pci);
	if (ret) {
		aspm_restore(pci, true);
		unmap_device(pci);
		return ret;
	}
	pci->model->arm(pci);
	pci->model->unmask(pci);
	return 0;
}

static struct klat_pci *pci_of(struct pci_dev *pdev)
{
	return container_of(to_pci_driver(pdev->dev.driver), struct klat_pci, driver);
}

static int klat_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct klat_pci *pci = pci_of(pdev);

	/* offered every match, also one that was plugged in just now */
	if (pdev != pci->pdev || pci->bound || pci->gone)
		return -ENODEV;
	pci->probe_error = probe_chosen(pci);
	pci->bound = !pci->probe_error;
	return pci->probe_error;
}

/* From here on nobody touches the device but the caller */
static void let_go(struct klat_pci *pci, int error, const char *why)
{
	mutex_lock(&pci->lock);
	WRITE_ONCE(pci->gone, true);
	mutex_unlock(&pci->lock);
	pci->source->lost(pci->source->context, error, why);
	synchronize_rcu();
}

static void klat_pci_remove(struct pci_dev *pdev)
{
	struct klat_pci *pci = pci_of(pdev);
	bool present;

	let_go(pci, ENODEV, "device lost: it was removed or unbound");
	present = pci_device_is_present(pdev);
	if (present) {
		pci->model->mask(pci);
		pci->model->quiesce(pci);
	}
	give_interrupt_back(pci);
	if (present)
		pci->model->disarm(pci);
	aspm_restore(pci, present);
	unmap_device(pci);
	pci->bound = false;
}

/* Reboot and kexec: the next kernel must not meet a device that interrupts */
static void klat_pci_shutdown(struct pci_dev *pdev)
{
	struct klat_pci *pci = pci_of(pdev);

	let_go(pci, ESHUTDOWN, "the system is shutting down");
	pci->model->mask(pci);
	pci->model->quiesce(pci);
	pci_clear_master(pdev);
}

static pci_ers_result_t klat_pci_error(struct pci_dev *pdev, pci_channel_state_t state)
{
	let_go(pci_of(pdev), EIO, "device lost: PCI error");
	return PCI_ERS_RESULT_DISCONNECT;
}

static const struct pci_error_handlers error_handlers = {
	.error_detected = klat_pci_error,
};

/*
 * The driver exists for the length of a run: registering it offers it the
 * device, unregistering it takes the device back from it and waits for a
 * remove() that is under way.
 */
static int klat_pci_open(struct klat_source *source, struct klat_refusal *refusal)
{
	struct klat_pci *pci = source->priv;
	int ret;

	pci->refusal = refusal;
	pci->driver.name = source->user;
	pci->driver.id_table = pci->model->ids;
	pci->driver.probe = klat_pci_probe;
	pci->driver.remove = klat_pci_remove;
	pci->driver.shutdown = klat_pci_shutdown;
	pci->driver.err_handler = &error_handlers;
	pci->driver.driver.probe_type = PROBE_FORCE_SYNCHRONOUS;
	ret = __pci_register_driver(&pci->driver, source->owner, source->user);
	if (ret) {
		klat_refuse(refusal, ret, "the PCI driver %s cannot be registered (%d)",
			    source->user, ret);
		goto err_put;
	}
	if (!pci->bound) {
		ret = pci->probe_error;
		if (!ret)
			ret = klat_refuse(refusal, -EBUSY,
					  "%s: the kernel did not offer it to us (see drivers_autoprobe and driver_override)",
					  pci_name(pci->pdev));
		goto err_unregister;
	}
	strscpy(source->device, pci_name(pci->pdev), sizeof(source->device));
	pci->refusal = NULL;
	return 0;

err_unregister:
	pci_unregister_driver(&pci->driver);
err_put:
	pci_dev_put(pci->pdev);
	kfree(pci);
	return ret;
}

static void klat_pci_close(struct klat_source *source)
{
	struct klat_pci *pci = source->priv;

	pci_unregister_driver(&pci->driver);
	pci_dev_put(pci->pdev);
	kfree(pci);
}

static int klat_pci_fire(struct klat_source *source, struct klat_shot *shot)
{
	struct klat_pci *pci = source->priv;
	void __iomem *reg = pci->bar + pci->model->request_reg;
	void __iomem *flush_reg = pci->bar + pci->model->flush_reg;

	if (unlikely(READ_ONCE(pci->gone))) {
		if (!shot->hold)
			local_irq_enable();
		return -ENODEV;
	}
	if (pci->model->ready_reg)
		klat_pci_write(pci, pci->model->ready_reg, pci->model->ready_value);
	klat_shot_write(shot, pci->model->request_value, reg, flush_reg);
	return 0;
}

/* The lock keeps remove() from freeing the interrupt meanwhile */
static void klat_pci_pause(struct klat_source *source)
{
	struct klat_pci *pci = source->priv;

	mutex_lock(&pci->lock);
	if (!pci->gone) {
		pci->model->mask(pci);
		disable_irq(source->irq);
	}
	mutex_unlock(&pci->lock);
}

static void klat_pci_resume(struct klat_source *source)
{
	struct klat_pci *pci = source->priv;

	mutex_lock(&pci->lock);
	if (!pci->gone) {
		enable_irq(source->irq);
		pci->model->unmask(pci);
	}
	mutex_unlock(&pci->lock);
}

static bool klat_pci_present(struct klat_source *source)
{
	struct klat_pci *pci = source->priv;

	return !READ_ONCE(pci->gone) && pci_device_is_present(pci->pdev);
}

static int klat_pci_cpu(struct klat_source *source)
{
	struct klat_pci *pci = source->priv;
	int cpu = KLAT_PIN_SEVERAL;

	mutex_lock(&pci->lock);
	if (!pci->gone)
		cpu = klat_pin_irq_cpu(source->irq);
	mutex_unlock(&pci->lock);
	return cpu;
}

static bool klat_pci_fact(struct klat_source *source, unsigned int i,
			  struct klat_source_fact *fact)
{
	struct klat_pci *pci = source->priv;

	fact->asked = 0;
	switch (i) {
	case 0:
		fact->name = "power_state";
		fact->effect = (__force int)pci->pdev->current_state;
		return true;
	case 1:
		/* a device that is not there reads as if it had it all on */
		if (!klat_pci_present(source))
			return false;
		fact->name = "aspm";
		fact->effect = klat_pci_aspm(pci->pdev) |
			       klat_pci_aspm(pci_upstream_bridge(pci->pdev));
		return true;
	default:
		return pci->model->fact && pci->model->fact(pci, i - 2, fact);
	}
}

static int klat_pci_timer_start(struct klat_source *source, enum klat_source_timer timer,
				u64 period_ns, struct klat_refusal *refusal)
{
	struct klat_pci *pci = source->priv;
	int ret = -EOPNOTSUPP;

	if (!pci->model->timer_start)
		return ret;
	mutex_lock(&pci->lock);
	ret = pci->gone ? klat_refuse(refusal, -ENODEV, "device lost") :
			  pci->model->timer_start(pci, timer, period_ns, refusal);
	mutex_unlock(&pci->lock);
	return ret;
}

static bool klat_pci_timer_served(struct klat_source *source, u64 stamp,
				  struct klat_source_tick *tick)
{
	struct klat_pci *pci = source->priv;

	/* handlers run with interrupts off: let_go() waits for us */
	if (unlikely(READ_ONCE(pci->gone)))
		return false;
	return pci->model->timer_served(pci, stamp, tick);
}

static const struct klat_source_ops pci_ops = {
	.open = klat_pci_open,
	.close = klat_pci_close,
	.fire = klat_pci_fire,
	.pause = klat_pci_pause,
	.resume = klat_pci_resume,
	.present = klat_pci_present,
	.cpu = klat_pci_cpu,
	.fact = klat_pci_fact,
	.timer_start = klat_pci_timer_start,
	.timer_served = klat_pci_timer_served,
};
