# SPDX-License-Identifier: GPL-2.0
#
# Asks the kernel's headers what they have: KLAT_HAVE_* for compat.h.

# $(call klat-probe,MACRO,PATTERN,HEADER): -DMACRO if HEADER has PATTERN
klat-probe = $(shell grep -qE '$(2)' $(srctree)/$(3) 2>/dev/null && echo -D$(1))

klat-compat-y := -include $(klat-dir)/drivers/compat/compat.h
klat-compat-y += $(call klat-probe,KLAT_HAVE_ASM_TSC_ORDERED,rdtsc_ordered,arch/x86/include/asm/tsc.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_RDMSRQ,rdmsrq_safe,arch/x86/include/asm/msr.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_IRQ_STAT_COUNTS,IRQ_COUNT_NMI,arch/x86/include/asm/hardirq.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_DEVICE_OVERRIDE,device_has_driver_override,include/linux/device.h)
klat-compat-y += $(call klat-probe,KLAT_HAVE_HRTIMER_SETUP,void hrtimer_setup.struct,include/linux/hrtimer.h)
