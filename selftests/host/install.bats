#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on */amd64:
#
# What is installed says the same in several places: the version, which is in
# userland/version.h, and the names of the modules, which are in Kbuild.

bats_require_minimum_version 1.5.0

readonly TREE=$BATS_TEST_DIRNAME/../..

setup()
{
	version=$(sed -n 's/^#define KLAT_VERSION[[:space:]]*"\(.*\)"/\1/p' "$TREE/userland/version.h")
	[[ $version =~ ^[0-9]+(\.[0-9]+)+$ ]]
}

@test "DKMS has the tool's version" {
	[ "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$TREE/dkms.conf")" = "$version" ]
}

@test "Debian's packages have the tool's version" {
	[ "$(sed -n '1s/^klat (\(.*\)) .*/\1/p' "$TREE/debian/changelog")" = "$version" ]
}

modules()
{
	sed -n 's/^obj-m += \(.*\)\.o/\1/p' "$TREE/Kbuild" | sort
}

@test "DKMS builds the modules, all of them" {
	(( $(modules | wc -l) > 1 ))
	diff <(modules) \
		<(sed -n 's/^BUILT_MODULE_NAME\[[0-9]*\]="\(.*\)"/\1/p' "$TREE/dkms.conf" | sort)
}

@test "udev's rule knows the devices of all modules" {
	diff <(modules) \
		<(sed -n 's/.*KERNEL=="\([^"]*\)".*/\1/p' "$TREE/userland/udev/60-klat.rules" |
			tr '|' '\n' | sort)
}
