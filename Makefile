# SPDX-License-Identifier: GPL-2.0
#
# For people. What the modules are made of is in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
# what the kernel calls itself: kernel.release has another name in Debian's headers
RELEASE = $(shell sed -n 's/^.define UTS_RELEASE "\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h)
# ours alone
MODULEDIR = updates/klat

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
	@echo '  make install    both, to where they belong; make uninstall'
	@echo '                  (PREFIX=/usr/local for the tool; DESTDIR is honoured)'
	@echo '  make dkms-install  the modules by DKMS, for all kernels and those to come;'
	@echo '                  make dkms-uninstall'
	@echo '  make deb        build the Debian packages'
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

modules: headers
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

headers:
	@[ -e $(KDIR)/Makefile ] || { \
		echo 'klat: no kernel headers in $(KDIR):' \
			"install linux-headers-$$(uname -r), or name others by KDIR=DIRECTORY" >&2; \
		exit 1; }

userland:
	$(MAKE) -C userland

install: install-modules install-userland

# On Debian kbuild leaves depmod out, for want of a System.map. What is below DESTDIR is
# no kernel's whole tree: depmod is for where it goes.
install-modules: modules
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(DESTDIR) INSTALL_MOD_DIR=$(MODULEDIR) \
		DEPMOD=true modules_install
	$(if $(DESTDIR),,depmod $(RELEASE))

install-userland:
	$(MAKE) -C userland install

uninstall: headers
	rm -rf $(DESTDIR)/lib/modules/$(RELEASE)/$(MODULEDIR)
	$(if $(DESTDIR),,depmod $(RELEASE))
	$(MAKE) -C userland uninstall

dkms-install:
	scripts/dkms install

dkms-uninstall:
	scripts/dkms uninstall

deb:
	scripts/deb

clean:
	[ ! -d $(KDIR) ] || $(MAKE) -C $(KDIR) M=$(CURDIR) clean
	$(MAKE) -C userland clean
	$(MAKE) -C selftests clean

.PHONY: help demo check check-all check-debug bench modules headers userland clean
.PHONY: install install-modules install-userland uninstall dkms-install dkms-uninstall deb
