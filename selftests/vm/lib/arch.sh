# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The architectures. What is built for arm64 is cross-built, in a root for that: to the
# bench, that half of a release is a release of its own, as "trixie-arm64", with another
# package index and another user land. For people it is a flavour: "trixie/arm64".

readonly ARM64_RELEASES=(trixie)

# has_arm64 RELEASE
has_arm64()
{
	in_list "$1" "${ARM64_RELEASES[@]}"
}

# release_of RELEASE/FLAVOUR: as the bench names it
release_of()
{
	case $1 in
	*/*arm64)	printf '%s-arm64\n' "${1%%/*}" ;;
	*)		printf '%s\n' "${1%%/*}" ;;
	esac
}

# arch_of RELEASE: Debian's name
arch_of()
{
	case $1 in
	*-arm64)	echo arm64 ;;
	*)		echo amd64 ;;
	esac
}

# qemu_of ARCH
qemu_of()
{
	case $1 in
	arm64)	echo qemu-system-aarch64 ;;
	*)	echo qemu-system-x86_64 ;;
	esac
}

# qemu_package ARCH
qemu_package()
{
	case $1 in
	arm64)	echo qemu-system-arm ;;
	*)	echo qemu-system-x86 ;;
	esac
}

# cross_options RELEASE: what make wants for modules
cross_options()
{
	[[ $(arch_of "$1") != arm64 ]] ||
		printf '%s\n' ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-
}

# program_options RELEASE: what make wants for programs
program_options()
{
	[[ $(arch_of "$1") != arm64 ]] ||
		printf '%s\n' CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar \
			'PKG_CONFIG=env PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig pkg-config'
}
