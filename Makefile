# SPDX-License-Identifier: GPL-2.0
#
# For people. What the modules are made of is in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build

help:
	@echo 'On any Debian 12 or newer, without KVM, a NIC or a reboot:'
	@echo '  make demo       measure in a virtual machine and show the results'
	@echo '  make check      the tests that every change must pass'
	@echo '  make check-all  every test on every kernel'
	@echo '  make check-debug  every test on kernels that check all they run'
	@echo '  make bench      what the measuring itself costs'
	@echo 'For this machine and its kernel:'
	@echo '  make modules    build the modules     (KDIR=$(KDIR))'
	@echo '  make userland   build the tool, userland/klat'
	@echo '  make clean      remove what was built'

demo:
	selftests/demo

check:
	selftests/check

check-all:
	selftests/check --all

check-debug:
	selftests/check --debug

bench:
	selftests/bench/run

modules:
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

userland:
	$(MAKE) -C userland

clean:
	[ ! -d $(KDIR) ] || $(MAKE) -C $(KDIR) M=$(CURDIR) clean
	$(MAKE) -C userland clean
	$(MAKE) -C selftests clean

.PHONY: help demo check check-all check-debug bench modules userland clean
