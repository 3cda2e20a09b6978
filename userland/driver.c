// SPDX-License-Identifier: GPL-2.0
/* Which driver has a PCI device, and giving it to another. */
#include <stdio.h>
#include <string.h>

#include "driver.h"
#include "sysfs.h"

/* False, and "", if nobody has it */
bool driver_of(const char *sys, const char *bdf, char *buf, size_t len)
{
	return sysfs_link(buf, len, "%s/bus/pci/devices/%s/driver", sys, bdf);
}

/* False, and "", if it is reserved for nobody */
bool driver_override(const char *sys, const char *bdf, char *buf, size_t len)
{
	sysfs_line(buf, len, "%s/bus/pci/devices/%s/driver_override", sys, bdf);
	if (!strcmp(buf, "(null)"))
		buf[0] = '\0';
	return *buf;
}

/* "" for nobody */
int driver_override_set(const char *sys, const char *bdf, const char *driver)
{
	char text[128];

	/* an empty write never reaches the kernel */
	snprintf(text, sizeof(text), "%s\n", driver);
	return sysfs_put(text, "%s/bus/pci/devices/%s/driver_override", sys, bdf);
}

int driver_bind(const char *sys, const char *driver, const char *bdf)
{
	return sysfs_put(bdf, "%s/bus/pci/drivers/%s/bind", sys, driver);
}

int driver_unbind(const char *sys, const char *driver, const char *bdf)
{
	return sysfs_put(bdf, "%s/bus/pci/drivers/%s/unbind", sys, driver);
}
