// SPDX-License-Identifier: GPL-2.0
/* libpci, whose errors would otherwise end the program. */
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

#include "libpci.h"

#ifdef __SANITIZE_ADDRESS__
/* What LeakSanitizer asks: libpci loses its udev where that has no database */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:udev_new\n";
}
#endif

/*
 * Where libpci's fatal errors lead, for which its own handler ends the program:
 * a device that was pulled out is one of them.
 */
static jmp_buf fatal;

static _Noreturn void escape(char *format, ...)
{
	(void)format;
	longjmp(fatal, 1);
}

static void ignore(char *format, ...)
{
	(void)format;
}

static bool guarded(struct pci_access *pci, void (*use)(struct pci_access *pci, void *context),
		    void *context)
{
	if (setjmp(fatal))
		return false;
	pci_init(pci);
	use(pci, context);
	return true;
}

/*
 * Calls @use with libpci open on the sysfs at @sys. False if there is no PCI
 * there, or libpci gave up: @use may then have stopped at any of its calls.
 */
bool libpci_with(const char *sys, void (*use)(struct pci_access *pci, void *context),
		 void *context)
{
	struct pci_access *pci;
	char path[PATH_MAX];
	bool done;

	/* without any PCI there is nothing that libpci could clean up */
	snprintf(path, sizeof(path), "%s/bus/pci/devices", sys);
	if (access(path, R_OK))
		return false;
	pci = pci_alloc();
	if (!pci)
		return false;
	pci->warning = ignore;
	pci->error = escape;
	pci->method = PCI_ACCESS_SYS_BUS_PCI;
	snprintf(path, sizeof(path), "%s/bus/pci", sys);
	pci_set_param(pci, (char *)"sysfs.path", path);
	done = guarded(pci, use, context);
	pci_cleanup(pci);
	return done;
}
