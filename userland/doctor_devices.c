// SPDX-License-Identifier: GPL-2.0
/* The devices that interrupts are to come from: whether a driver holds them. */
#include "doctor.h"

#define ID	"device"

static void check_device(struct doctor *d, const struct pci_device *dev)
{
	const char *family = device_family(dev);
	char why[512];

	strlist_join(&dev->reasons, why, sizeof(why));
	switch (dev->use) {
	case DEVICE_FREE:
		doctor_find(d, DOCTOR_OK, ID, "%s (%s) is free", dev->bdf, family);
		return;
	case DEVICE_OURS:
		doctor_find(d, DOCTOR_OK, ID, "%s (%s) is being measured", dev->bdf, family);
		return;
	case DEVICE_UNSUPPORTED:
		doctor_find(d, DOCTOR_WARN, ID, "%s cannot be used: %s", dev->bdf, why);
		return;
	case DEVICE_IDLE:
		doctor_find(d, DOCTOR_WARN, ID, "driver %s holds %s (%s), and nothing depends on "
			    "it", dev->driver, dev->bdf, family);
		doctor_advise(d, "klat msi-lat --bdf %s (takes it for the run, and gives it back)",
			      dev->bdf);
		return;
	case DEVICE_IN_USE:
		break;
	}
	if (*dev->driver)
		doctor_find(d, DOCTOR_WARN, ID, "driver %s holds %s (%s), which is in use: %s",
			    dev->driver, dev->bdf, family, why);
	else
		doctor_find(d, DOCTOR_WARN, ID, "%s (%s) is in use: %s", dev->bdf, family, why);
	doctor_advise(d, "end that use, or klat msi-lat --bdf %s --force (cuts it off for the run)",
		      dev->bdf);
}

void doctor_devices(struct doctor *d)
{
	if (!d->inventory) {
		doctor_find(d, DOCTOR_UNKNOWN, ID, "what the devices are used for cannot be read");
		doctor_advise(d, "klat devices");
		return;
	}
	for (size_t i = 0; i < d->inventory->nr; i++)
		check_device(d, &d->inventory->devices[i]);
	if (d->inventory->nr)
		return;
	doctor_find(d, DOCTOR_WARN, ID, "there is no device whose interrupts klat can measure");
	doctor_advise(d, "klat msi-lat --source soft (needs none: an interrupt from CPU to CPU)");
}
