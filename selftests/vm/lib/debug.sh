# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The kernels of the release "debug": with every checker on. Debian has none like
# it, so they are built, from its linux-source, in a root that has what that takes.
# What they are configured for is in debug.config; debug-FLAVOUR.config comes on top.

readonly DEBUG=debug
# whose archive and compiler it is
readonly DEBUG_SUITE=trixie
readonly DEBUG_PACKAGES=(gcc libc6-dev bc bison flex libelf-dev kmod xz-utils)

# how many times as long everything may take there
readonly DEBUG_PATIENCE=4

is_debug()
{
	[[ $1 == "$DEBUG" ]]
}

# debug_fragments FLAVOUR: files of options, of which the later overrule the earlier
debug_fragments()
{
	local file

	for file in "$VM_DIR/debug.config" "$VM_DIR/debug-$1.config"; do
		[[ ! -e $file ]] || printf '%s\n' "$file"
	done
}

# debug_source: "KERNEL VERSION" of the newest linux-source: the kernel as in the
# package's name, the version of the package.
debug_source()
{
	apt_in "$(release_apt_dir "$DEBUG")" apt-cache show linux-source |
	sed -n 's/^Depends: linux-source-\([0-9.]*\) (= \([^)]*\)).*/\1 \2/p' |
	sort -k2,2Vr | head -n 1
}

# resolve_debug_kernel FLAVOUR: "KERNEL VERSION". Debian's version begins with that
# of the kernel, as "6.12.5-1" does; "6.12~rc1-1" would be another.
resolve_debug_kernel()
{
	local name version upstream

	read -r name version < <(debug_source)
	upstream=${version%%[-+]*}
	if [[ $upstream != "$name".* ]]; then
		say "$DEBUG: no linux-source of a released kernel in $DEBUG_SUITE, but '$version'"
		return 1
	fi
	printf '%s-%s-%s %s\n' "$upstream" "$DEBUG" "$1" "$version"
}

# debug_source_package KERNEL: 6.12.5-debug-amd64 comes from linux-source-6.12
debug_source_package()
{
	printf 'linux-source-%s\n' "$(cut -d. -f1,2 <<< "$1")"
}

# debug_packages KERNELS-FILE: that the root has to have beside make and perl. All
# flavours come from one source.
debug_packages()
{
	local _ kernel version

	printf '%s\n' "${DEBUG_PACKAGES[@]}"
	read -r _ kernel version < "$1"
	printf '%s=%s\n' "$(debug_source_package "$kernel")" "$version"
}

# debug_version FLAVOUR VERSION: other options make another kernel.
debug_version()
{
	local hash fragments

	mapfile -t fragments < <(debug_fragments "$1")
	hash=$(last_words "${fragments[@]}" | sha256sum | cut -c1-8)
	printf '%s-%s\n' "$2" "$hash"
}

# in_source DIR COMMAND...: in the sources that are unpacked in DIR
in_source()
{
	local dir=$1

	shift
	in_root "$DEBUG" "$dir/source" "$@"
}

unpack_source()
{
	local package tarball

	package=$(debug_source_package "$2")
	tarball=$(root_dir "$DEBUG")/usr/src/$package.tar.xz
	mkdir "$1/source" &&
		as_owner tar -x -C "$1/source" --strip-components=1 --no-same-owner \
			-f "$tarball"
}

# last_words FRAGMENT...: each option once, as the last that speaks of it has it
last_words()
{
	awk '
	!/^(# )?CONFIG_/ { next }
	{
		name = $0
		sub(/^# /, "", name)
		sub(/[= ].*/, "", name)
		line[name] = $0
	}
	END {
		for (name in line)
			print line[name]
	}' "$@" | LC_ALL=C sort
}

# configure_source DIR KERNEL FLAVOUR: from nothing, so that what is not asked for
# is not there.
configure_source()
{
	local dir=$1 kernel=$2 fragments release wanted=$1/source/klat.config

	mapfile -t fragments < <(debug_fragments "$3")
	{
		last_words "${fragments[@]}"
		printf 'CONFIG_LOCALVERSION="-%s-%s"\n' "$DEBUG" "$3"
	} > "$wanted"
	in_source "$dir" make KCONFIG_ALLCONFIG=klat.config allnoconfig || return 1
	options_survived "$wanted" "$dir/source/.config" || return 1
	release=$(in_source "$dir" make -s kernelrelease)
	[[ $release == "$kernel" ]] && return 0
	echo "the sources of $kernel call themselves '$release'"
	return 1
}

# options_survived WANTED CONFIG: an option whose dependencies are not met is dropped
# without a word.
options_survived()
{
	local line status=0

	while IFS= read -r line; do
		case $line in
		CONFIG_*)	! grep -Fxq -- "$line" "$2" || continue ;;
		*)		grep -q "^$(name_of_option "$line")=" "$2" || continue ;;
		esac
		echo "asked for, and did not come to be: $line"
		status=1
	done < "$1"
	return "$status"
}

# name_of_option LINE: of "# CONFIG_A is not set"
name_of_option()
{
	cut -d' ' -f2 <<< "$1"
}

# build_source DIR KERNEL: what a downloaded kernel has, and what modules are
# built against.
build_source()
{
	local dir=$1 source=$1/source
	# shellcheck disable=SC2016 # for make
	local headers='$(srctree)/scripts/package/install-extmod-build /build/headers'

	in_source "$dir" make -j"$(nproc)" bzImage modules &&
		in_source "$dir" make INSTALL_MOD_PATH=/build/installed \
			modules_install &&
		in_source "$dir" make run-command "KBUILD_RUN_COMMAND=$headers" || return 1
	mkdir -p "$dir/usr/lib" && ln -s usr/lib "$dir/lib" &&
		mv "$source/installed/lib/modules" "$dir/usr/lib/modules" &&
		rm -f "$dir/usr/lib/modules/$2"/{build,source} &&
		mv "$source/headers" "$dir/build" &&
		mv "$source/.config" "$dir/config" &&
		mv "$source/arch/x86/boot/bzImage" "$dir/vmlinuz" &&
		unpack_vmlinux "$dir" &&
		run_depmod "$dir" "$2"
}

build_debug_kernel()
{
	unpack_source "$1" "$2" &&
		configure_source "$1" "$2" "$3" &&
		build_source "$1" "$2"
}

# prepare_debug_kernel KERNEL VERSION
prepare_debug_kernel()
{
	local kernel=$1 flavour=${1#*-"$DEBUG"-} dir new

	dir=$(kernel_dir "$kernel" "$2")
	[[ ! -e $dir/build/Makefile ]] || return 0
	say "$DEBUG: building the kernel $kernel (ten minutes on two idle CPUs)"
	new=$(new_dir "$dir")
	quietly "$dir.log" build_debug_kernel "$new" "$kernel" "$flavour" || return 1
	mv "$dir.log" "$new/.log"
	rm -rf "$new/source"
	put_in_place "$dir"
}
