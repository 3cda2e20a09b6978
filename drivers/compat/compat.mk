# SPDX-License-Identifier: GPL-2.0
#
# Refuses kernels that klat is not for, and asks the others' headers what they have:
# KLAT_HAVE_* for compat.h.

# Before anything is compiled, so that it is said once. Nothing is known of the kernel's
# configuration where nothing is to be built, as in "make clean".
ifdef CONFIG_MODULES
ifneq ($(filter 0 1 2 3 4 5,$(VERSION))$(filter 6.0,$(VERSION).$(PATCHLEVEL)),)
$(error klat needs Linux 6.1 or newer, and these headers are of $(VERSION).$(PATCHLEVEL))
endif
ifeq ($(CONFIG_X86_64)$(CONFIG_ARM64),)
$(error klat reads the clocks of x86-64 and arm64 only, and these headers are of $(SRCARCH))
endif
ifndef CONFIG_PCI_MSI
$(error klat needs a kernel with CONFIG_PCI_MSI, which $(KERNELRELEASE) has not)
endif
ifndef CONFIG_HIGH_RES_TIMERS
$(error klat needs a kernel with CONFIG_HIGH_RES_TIMERS, which $(KERNELRELEASE) has not)
endif
endif

# $(call klat-probe,MACRO,PATTERN,HEADER): -DMACRO if HEADER has PATTERN
klat-probe = $(shell grep -qE '$(2)' $(srctree)/$(3) 2>/dev/null && echo -D$(1))

klat-compat-y := -include $(klat-dir)/drivers/compat/compat.h
klat-compat-y += $(call klat-probe,KLAT_HAVE_ASM_TSC_ORDERED,rdtsc_ordered,arch/x86/include/asm/tsc.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_RDMSRQ,rdmsrq_safe,arch/x86/include/asm/msr.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_IRQ_STAT_COUNTS,IRQ_COUNT_NMI,arch/x86/include/asm/hardirq.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_DEVICE_OVERRIDE,device_has_driver_override,include/linux/device.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_HRTIMER_SETUP,void hrtimer_setup.struct,include/linux/hrtimer.h)
