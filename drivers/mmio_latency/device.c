// SPDX-License-Identifier: GPL-2.0
/*
 * The device that the register belongs to: found, held for the length of a run,
 * asked whether it is there, and let go of when it is removed or given to a
 * driver.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/pm_runtime.h>
#include <linux/reboot.h>
#include <linux/security.h>

#include "../core/run.h"
#include "../source/pci_address.h"
#include "../source/pci_aspm.h"
#include "mmio_latency.h"

static struct resource *bar_of(const struct mmio_device *device)
{
	return &device->pdev->resource[device->bar];
}

static bool is_assigned(const struct resource *bar)
{
	return bar->parent && !(bar->flags & IORESOURCE_UNSET);
}

static int find_by_address(struct mmio_device *device, u64 address,
			   struct klat_refusal *refusal)
{
	struct pci_dev *pdev = NULL;
	unsigned int i;

	if (page_is_ram(PHYS_PFN(address)))
		return klat_refuse(refusal, -EINVAL,
				   "address = %#llx: is RAM, not a device's register", address);
	for_each_pci_dev(pdev) {
		for (i = 0; i < PCI_STD_NUM_BARS; i++) {
			const struct resource *bar = &pdev->resource[i];

			if (resource_type(bar) != IORESOURCE_MEM || !is_assigned(bar) ||
			    address < bar->start || address > bar->end)
				continue;
			device->bar = i;
			device->offset = address - bar->start;
			/* with the reference of the loop, which ends here */
			WRITE_ONCE(device->pdev, pdev);
			return 0;
		}
	}
	return klat_refuse(refusal, -EINVAL,
			   "address = %#llx: not in a memory BAR of any PCI device (lspci -v shows them)",
			   address);
}

static int find_by_bdf(struct mmio_device *device,
		       const struct klat_mmio_latency_config *config,
		       struct klat_refusal *refusal)
{
	struct klat_pci_address address;
	struct pci_dev *pdev;

	if (!klat_pci_parse_address(config->bdf, &address))
		return -EINVAL;		/* mmio_latency_check_where() has refused it */
	pdev = pci_get_domain_bus_and_slot(address.domain, address.bus, address.devfn);
	if (!pdev)
		return klat_refuse(refusal, -ENODEV, "bdf = %s: there is no such device",
				   config->bdf);
	device->bar = config->bar;
	device->offset = config->offset;
	WRITE_ONCE(device->pdev, pdev);
	return 0;
}

/*
 * Under the lock of all removals: a device that is found here has not begun to
 * be removed, so bus_event() hears of it when it is.
 */
static int find(struct mmio_latency *mmio, struct klat_refusal *refusal)
{
	const struct klat_mmio_latency_config *config = &mmio->config;
	int ret;

	pci_lock_rescan_remove();
	if (config->flags & KLAT_MMIO_LATENCY_FLAG_PHYSICAL)
		ret = find_by_address(&mmio->device, config->address, refusal);
	else
		ret = find_by_bdf(&mmio->device, config, refusal);
	pci_unlock_rescan_remove();
	return ret;
}

static int check_register(struct mmio_device *device, unsigned int width,
			  struct klat_refusal *refusal)
{
	const char *name = pci_name(device->pdev);
	const struct resource *bar = bar_of(device);
	u64 size = resource_size(bar);

	if (device->pdev->is_virtfn)
		return klat_refuse(refusal, -EINVAL,
				   "%s: is a virtual function; only registers of physical ones are read",
				   name);
	if (resource_type(bar) == IORESOURCE_IO)
		return klat_refuse(refusal, -EINVAL,
				   "%s: BAR %u is an I/O BAR; must be a memory BAR", name,
				   device->bar);
	/* the kernel forgets BARs that it finds no address for */
	if (resource_type(bar) != IORESOURCE_MEM || !is_assigned(bar))
		return klat_refuse(refusal, -EINVAL,
				   "%s: there is no BAR %u, or it has no address assigned",
				   name, device->bar);
	if (device->offset >= size || size - device->offset < width)
		return klat_refuse(refusal, -EINVAL,
				   "offset = %#llx: beyond the end of BAR %u of %s; must be 0 .. %#llx",
				   device->offset, device->bar, name, size - width);
	if ((bar->start + device->offset) % width)
		return klat_refuse(refusal, -EINVAL,
				   "address = %#llx: must be a multiple of the width, %u",
				   bar->start + device->offset, width);
	/* a BAR that somebody put over memory would be a way to read memory */
	if (page_is_ram(PHYS_PFN(bar->start + device->offset)))
		return klat_refuse(refusal, -EINVAL, "%s: BAR %u is in RAM", name, device->bar);
	return 0;
}

static bool decodes_memory(struct pci_dev *pdev)
{
	u16 command = 0;

	pci_read_config_word(pdev, PCI_COMMAND, &command);
	return command & PCI_COMMAND_MEMORY;
}

/* Asked of the device: what the kernel has noted is "unknown" without a driver */
static bool in_d0(struct pci_dev *pdev)
{
	u16 control = 0;

	if (pdev->pm_cap)
		pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &control);
	return !(control & PCI_PM_CTRL_STATE_MASK);
}

/* What the BAR's registers must read; 0: they tell nothing (enhanced allocation) */
static u64 expected_bar(const struct mmio_device *device)
{
	const struct resource *bar = bar_of(device);
	struct pci_bus_region region;

	if (bar->flags & IORESOURCE_PCI_FIXED)
		return 0;
	pcibios_resource_to_bus(device->pdev->bus, &region, (struct resource *)bar);
	return region.start;
}

static bool bar_moved(const struct mmio_device *device)
{
	int where = PCI_BASE_ADDRESS_0 + 4 * device->bar;
	u32 low = 0, high = 0;

	if (!device->bar_value)
		return false;
	pci_read_config_dword(device->pdev, where, &low);
	if (bar_of(device)->flags & IORESOURCE_MEM_64)
		pci_read_config_dword(device->pdev, where + 4, &high);
	low &= PCI_BASE_ADDRESS_MEM_MASK;
	return ((u64)high << 32 | low) != device->bar_value;
}

/* Of all that a read passes on its way from the root */
static bool bridges_decode(const struct mmio_device *device)
{
	struct pci_dev *bridge;

	for (bridge = pci_upstream_bridge(device->pdev); bridge;
	     bridge = pci_upstream_bridge(bridge))
		if (!decodes_memory(bridge))
			return false;
	return true;
}

/*
 * First whether it answers at all: a device that is not there makes all other
 * answers meaningless. One that vanishes behind this check fails one of the
 * others, which then read all ones.
 */
const char *mmio_device_away(const struct mmio_device *device)
{
	struct pci_dev *pdev = device->pdev;

	if (pci_channel_offline(pdev) || !pci_device_is_present(pdev))
		return "it does not answer";
	if (!in_d0(pdev))
		return "it is not in power state D0";
	if (!decodes_memory(pdev))
		return "its memory BARs are not enabled (setpci COMMAND=2:2 does that)";
	if (bar_moved(device))
		return "its BAR does not have the address that the kernel gave it";
	if (!bridges_decode(device))
		return "a bridge above it does not let memory reads through (Mem- in its COMMAND)";
	return NULL;
}

/*
 * As a child of the BAR's own resource: that can be given back even when the BAR
 * has been taken out of the tree.
 */
static void claim_region(struct mmio_device *device)
{
	struct resource *bar = bar_of(device);

	if (device->region)
		return;
	device->region = __request_region(bar, bar->start, resource_size(bar), KBUILD_MODNAME,
					  0);
}

static void give_region_back(struct mmio_device *device)
{
	struct resource *region = device->region;

	/* its own place: the BAR may have been given another one meanwhile */
	if (region)
		__release_region(bar_of(device), region->start, resource_size(region));
	device->region = NULL;
}

/* A driver's region is the driver's; never taken from anybody */
static int take_region(struct mmio_device *device, bool force, struct klat_refusal *refusal)
{
	const char *name = pci_name(device->pdev);
	struct device_driver *driver = device->pdev->dev.driver;

	if (driver && !force)
		return klat_refuse(refusal, -EBUSY,
				   "%s: held by driver %s; unbind it, or read all the same with force (a read can change the device's state)",
				   name, driver->name);
	if (driver) {
		pr_warn("%s: held by driver %s: a read can change the device's state, even clear a register\n",
			name, driver->name);
		return 0;
	}
	claim_region(device);
	if (device->region)
		return 0;
	if (!force)
		return klat_refuse(refusal, -EBUSY,
				   "%s: BAR %u is in use (see /proc/iomem); force reads it all the same",
				   name, device->bar);
	pr_warn("%s: BAR %u is in use: a read can change the device's state, even clear a register\n",
		name, device->bar);
	return 0;
}

static int map_register(struct mmio_device *device, unsigned int width,
			struct klat_refusal *refusal)
{
	const struct resource *bar = bar_of(device);

	device->reg = ioremap(bar->start + device->offset, width);
	if (!device->reg)
		return klat_refuse(refusal, -ENOMEM, "%s: BAR %u cannot be mapped",
				   pci_name(device->pdev), device->bar);
	if (bar->flags & IORESOURCE_PREFETCH)
		pr_warn("%s: BAR %u is prefetchable: bridges may answer a read from a buffer\n",
			pci_name(device->pdev), device->bar);
	return 0;
}

/* Under device_lock and device->lock: no driver comes or goes */
static int take(struct mmio_latency *mmio, struct klat_refusal *refusal)
{
	const struct klat_mmio_latency_config *config = &mmio->config;
	struct mmio_device *device = &mmio->device;
	const char *name = pci_name(device->pdev), *away;
	int ret;

	if (device->gone || device->down)
		return klat_refuse(refusal, -ENODEV, "%s: was removed meanwhile", name);
	ret = check_register(device, config->width, refusal);
	if (ret)
		return ret;
	ret = pm_runtime_resume_and_get(&device->pdev->dev);
	if (ret)
		return klat_refuse(refusal, ret, "%s: does not wake up (%d)", name, ret);
	device->bar_value = expected_bar(device);
	away = mmio_device_away(device);
	if (away)
		ret = klat_refuse(refusal, -ENXIO, "%s: %s", name, away);
	if (!ret)
		ret = take_region(device, config->flags & KLAT_MMIO_LATENCY_FLAG_FORCE, refusal);
	if (ret)
		goto err_power;
	ret = map_register(device, config->width, refusal);
	if (ret)
		goto err_region;
	device->probing = false;
	device->taken = true;
	return 0;

err_region:
	give_region_back(device);
err_power:
	pm_runtime_put(&device->pdev->dev);
	return ret;
}

int mmio_device_hold(struct mmio_latency *mmio, struct klat_refusal *refusal)
{
	struct mmio_device *device = &mmio->device;
	int ret;

	if (security_locked_down(LOCKDOWN_PCI_ACCESS))
		return klat_refuse(refusal, -EPERM,
				   "refused by the kernel's lockdown: device registers must not be read (see /sys/kernel/security/lockdown)");
	ret = mmio_latency_check_where(&mmio->config, refusal);
	if (ret)
		return ret;
	if (READ_ONCE(device->down))
		return klat_refuse(refusal, -ESHUTDOWN, "the system is shutting down");
	device->gone = false;
	ret = find(mmio, refusal);
	if (ret)
		return ret;
	strscpy(device->name, pci_name(device->pdev), sizeof(device->name));
	device_lock(&device->pdev->dev);
	mutex_lock(&device->lock);
	ret = take(mmio, refusal);
	mutex_unlock(&device->lock);
	device_unlock(&device->pdev->dev);
	if (ret)
		mmio_device_release(mmio);
	return ret;
}

/* Under device->lock */
static void put_back(struct mmio_device *device)
{
	if (!device->taken)
		return;
	iounmap(device->reg);
	give_region_back(device);
	pm_runtime_put(&device->pdev->dev);
	device->taken = false;
}

void mmio_device_release(struct mmio_latency *mmio)
{
	struct mmio_device *device = &mmio->device;
	struct pci_dev *pdev = device->pdev;

	mutex_lock(&device->lock);
	put_back(device);
	WRITE_ONCE(device->pdev, NULL);
	mutex_unlock(&device->lock);
	pci_dev_put(pdev);
}

void mmio_device_settings(struct mmio_device *device, struct klat_settings *settings)
{
	struct pci_dev *pdev = device->pdev;

	klat_settings_add(settings, "bar", device->bar);
	klat_settings_add(settings, "offset", device->offset);
	klat_settings_add(settings, "prefetchable",
			  !!(bar_of(device)->flags & IORESOURCE_PREFETCH));
	klat_settings_add(settings, "bound", !!READ_ONCE(pdev->dev.driver));
	mutex_lock(&device->lock);
	/* a link that sleeps wakes up within the read */
	if (device->taken)
		klat_settings_add(settings, "aspm",
				  klat_pci_aspm(pdev) | klat_pci_aspm(pci_upstream_bridge(pdev)));
	mutex_unlock(&device->lock);
}

/* Under device->lock, so nobody reads; and nothing of the device is held after it */
__printf(3, 4)
static void let_go(struct mmio_device *device, int error, const char *fmt, ...)
{
	struct mmio_latency *mmio = container_of(device, struct mmio_latency, device);
	struct va_format why = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	why.va = &args;
	klat_run_end(&mmio->bench, KLAT_FAILED, error, 0, "%pV", &why);
	va_end(args);
	device->gone = true;
	put_back(device);
}

/* A driver is about to be tried on the device: its region must be free for it */
static void driver_comes(struct mmio_device *device, bool force)
{
	if (!device->taken)
		return;
	give_region_back(device);
	device->probing = !force;
}

/* It did not want it. If somebody else has claimed the BAR meanwhile, so be it. */
static void driver_declined(struct mmio_device *device)
{
	if (!device->taken)
		return;
	claim_region(device);
	device->probing = false;
}

/*
 * A driver that goes changes nothing for us: if it switches the device off, the
 * check after the burst finds that.
 */
static void device_event(struct mmio_device *device, unsigned long event)
{
	struct mmio_latency *mmio = container_of(device, struct mmio_latency, device);
	bool force = mmio->config.flags & KLAT_MMIO_LATENCY_FLAG_FORCE;
	struct pci_dev *pdev = device->pdev;

	switch (event) {
	case BUS_NOTIFY_DEL_DEVICE:
		let_go(device, ENODEV, "device lost: %s was removed", pci_name(pdev));
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		driver_comes(device, force);
		break;
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		driver_declined(device);
		break;
	case BUS_NOTIFY_BOUND_DRIVER:
		if (!force)
			let_go(device, EBUSY, "device lost: driver %s took %s",
			       dev_driver_string(&pdev->dev), pci_name(pdev));
		break;
	}
}

/* Called before a device is removed, and under device_lock when a driver comes */
static int bus_event(struct notifier_block *notifier, unsigned long event, void *data)
{
	struct mmio_device *device = container_of(notifier, struct mmio_device, bus_notifier);
	struct device *dev = data;
	struct pci_dev *pdev = to_pci_dev(dev);

	if (pdev != READ_ONCE(device->pdev))
		return NOTIFY_DONE;
	mutex_lock(&device->lock);
	if (pdev == device->pdev)
		device_event(device, event);
	mutex_unlock(&device->lock);
	return NOTIFY_DONE;
}

/* Before the devices are shut down: none is read after that */
static int reboot_event(struct notifier_block *notifier, unsigned long event, void *unused)
{
	struct mmio_device *device = container_of(notifier, struct mmio_device,
						  reboot_notifier);

	mutex_lock(&device->lock);
	WRITE_ONCE(device->down, true);
	if (device->pdev)
		let_go(device, ESHUTDOWN, "the system is shutting down");
	mutex_unlock(&device->lock);
	return NOTIFY_DONE;
}

int mmio_device_init(struct mmio_device *device)
{
	int ret;

	mutex_init(&device->lock);
	device->bus_notifier.notifier_call = bus_event;
	device->reboot_notifier.notifier_call = reboot_event;
	ret = bus_register_notifier(&pci_bus_type, &device->bus_notifier);
	if (ret)
		return ret;
	ret = register_reboot_notifier(&device->reboot_notifier);
	if (ret)
		bus_unregister_notifier(&pci_bus_type, &device->bus_notifier);
	return ret;
}

void mmio_device_exit(struct mmio_device *device)
{
	unregister_reboot_notifier(&device->reboot_notifier);
	bus_unregister_notifier(&pci_bus_type, &device->bus_notifier);
}
