# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Build roots: one for each Debian release, since a kernel's modules are to be
# built with the compiler and the C library of its own release. Each holds
# the headers of all flavours; $root.kernels says which.

# What the tool and the C tests are built with; their release is TOOL_RELEASE, where
# they are for this machine.
readonly TOOL_RELEASE=bookworm
readonly TOOL_LIBRARIES=(libc6-dev libpci-dev libhwloc-dev libjansson-dev libkmod-dev
	libcmocka-dev)
readonly TOOL_PACKAGES=(gcc pkg-config "${TOOL_LIBRARIES[@]}")
readonly CROSS_PACKAGES=(gcc-aarch64-linux-gnu pkg-config
	"${TOOL_LIBRARIES[@]/%/:arm64}")

# What static/run looks at the tree with, there, too
readonly STATIC_PACKAGES=(cppcheck mandoc shellcheck)

# sparse 0.6.4 does not know the C of later kernels' headers (__typeof_unqual__)
readonly SPARSE_RELEASES=(bookworm trixie trixie-arm64)

# tool_release ARCH: the release that its user land is of
tool_release()
{
	case $1 in
	arm64)	echo trixie-arm64 ;;
	*)	echo "$TOOL_RELEASE" ;;
	esac
}

root_dir()
{
	printf '%s\n' "$KLAT_CACHE/roots/$1"
}

# resolve_kernels RELEASE: "FLAVOUR KERNEL VERSION" lines.
resolve_kernels()
{
	local flavour found

	for flavour in $(flavours_of "$1"); do
		found=$(resolve_kernel "$1" "$flavour") || return 1
		printf '%s %s\n' "$flavour" "$found"
	done
}

# root_packages RELEASE KERNELS-FILE
root_packages()
{
	local _ kernel version

	# perl is for the kernel-doc check of W=1.
	printf '%s\n' make perl
	if is_debug "$1"; then
		debug_packages "$2"
		return
	fi
	! in_list "$1" "${SPARSE_RELEASES[@]}" || printf '%s\n' sparse
	if [[ $(arch_of "$1") == arm64 ]]; then
		printf '%s\n' "${CROSS_PACKAGES[@]}"
		cross_header_packages "$1" "$2"
		return
	fi
	while read -r _ kernel version; do
		printf 'linux-headers-%s=%s\n' "$kernel" "$version"
	done < "$2"
	[[ $1 != "$TOOL_RELEASE" ]] ||
		printf '%s\n' "${TOOL_PACKAGES[@]}" "${STATIC_PACKAGES[@]}"
}

# cross_header_packages RELEASE KERNELS-FILE: what the headers of another architecture
# want beside themselves. They cannot be installed: they depend on a compiler that is
# run there.
cross_header_packages()
{
	local _ kernel version

	while read -r _ kernel version; do
		apt_in "$(release_apt_dir "$1")" \
			apt-cache show "linux-headers-$kernel=$version" |
		grep '^Depends:' | grep -oE 'linux-(headers-[^ ,]*-common[^ ,]*|kbuild-[^ ,]*)'
	done < "$2" | sort -u
}

# unpack_headers RELEASE KERNELS-FILE ROOT
unpack_headers()
{
	local _ kernel version deb

	while read -r _ kernel version; do
		(
			cd "$3/tmp" &&
			quietly "$3.log" apt_in "$(release_apt_dir "$1")" \
				apt-get -q download "linux-headers-$kernel=$version"
		) || return 1
	done < "$2"
	for deb in "$3"/tmp/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			as_owner tar -x -C "$3" --no-same-owner --keep-directory-symlink || return 1
		rm "$deb"
	done
}

apt_proxy_options()
{
	local proxy=

	eval "$(apt-config shell proxy Acquire::http::Proxy)"
	[[ -z $proxy ]] ||
		printf '%s\n' "--aptopt=Acquire::http::Proxy \"$proxy\""
}

# debian_tree RELEASE ARCHES VARIANT DIR PACKAGES [OPTION...]: the packages and what
# they depend on, in DIR. By way of a tar, so that an ordinary user can do it
# too: the device files are left out, everything belongs to the caller.
debian_tree()
{
	local suite arches=$2 variant=$3 dir=$4 packages=$5 proxy

	suite=$(suite_of "$1")
	shift 5
	mapfile -t proxy < <(apt_proxy_options)
	sources_of "$suite" |
	mmdebstrap --variant="$variant" --architectures="$arches" \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Retries "3"' \
		--dpkgopt=force-unsafe-io \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--skip=cleanup/reproducible \
		"${proxy[@]}" "$@" --include="$packages" --format=tar \
		"$suite" - - 2> "$dir.log" |
	as_owner tar -x -C "$dir" --no-same-owner --exclude='./dev/*' || {
		tail -n 20 "$dir.log" >&2
		return 1
	}
}

# as_owner COMMAND...: as root, or as what looks like root to COMMAND.
as_owner()
{
	if (( EUID == 0 )); then
		"$@"
	else
		unshare --map-root-user "$@"
	fi
}

make_root()
{
	local release=$1 kernels=$2 dir new packages arches=amd64

	[[ $(arch_of "$release") == amd64 ]] || arches+=,$(arch_of "$release")
	dir=$(root_dir "$release")
	say "$release: making the build root (some minutes)"
	new=$(new_dir "$dir")
	packages=$(root_packages "$release" "$kernels" | paste -sd,)
	debian_tree "$release" "$arches" essential "$new" "$packages" || return 1
	[[ $arches == amd64 ]] || unpack_headers "$release" "$kernels" "$new" || return 1
	cp "$kernels" "$new/.kernels"
	printf '%s\n' "$packages" > "$new/.packages"
	put_in_place "$dir"
}

# A root is known by what it was made of, in whatever order. Newer compilers alone are
# no reason to make it again.
root_is_current()
{
	[[ $(root_packages "$1" "$2" | sort -u) == \
		"$(tr ',' '\n' 2> /dev/null < "$(root_dir "$1")/.packages" | sort -u)" ]]
}

# refresh_root RELEASE: makes it when there is none, or makes it again
# when a young index knows other kernels.
refresh_root()
{
	local release=$1 dir kernels

	dir=$(root_dir "$release")
	mkdir -p "$KLAT_CACHE/roots"
	release_index "$release"
	kernels=$KLAT_CACHE/roots/$release.kernels
	if [[ $(release_apt_dir "$release")/fetched -nt $kernels ]]; then
		resolve_kernels "$release" > "$kernels.new" || return 1
		mv "$kernels.new" "$kernels"
	fi
	root_is_current "$release" "$kernels" && return 0
	make_root "$release" "$kernels" && return 0
	[[ -e $dir ]] || return 1
	say "$release: going on with the old build root"
}

# kernel_of RELEASE FLAVOUR: "KERNEL VERSION" as the root has its headers, or its
# source.
kernel_of()
{
	local kernel version

	read -r kernel version < <(awk -v flavour="$2" '$1 == flavour { print $2, $3 }' \
		"$(root_dir "$1")/.kernels")
	! is_debug "$1" || version=$(debug_version "$2" "$version")
	printf '%s %s\n' "$kernel" "$version"
}

# The archive drops a kernel when the next one comes. When the image that fits
# the root's headers is gone, everything has to move on together.
prepare_release()
{
	local release=$1 flavour=$2 kernel version

	refresh_root "$release" || return 1
	read -r kernel version < <(kernel_of "$release" "$flavour")
	prepare_kernel "$release" "$kernel" "$version" && return 0
	! is_debug "$release" || return 1
	say "$release: $kernel is no longer to be had: looking for its successor"
	rm -f "$(release_apt_dir "$release")/fetched"
	refresh_root "$release" || return 1
	read -r kernel version < <(kernel_of "$release" "$flavour")
	prepare_kernel "$release" "$kernel" "$version"
}

# in_root RELEASE SOURCE COMMAND...: with SOURCE mounted on /build, which is
# where it starts, and the unpacked kernels on /kernels. objtool reads /proc, bash's
# completion /sys, which is the machine's own, with the flags that it usually has there
# and that an ordinary user's mount must not lose. The mounts go with the namespace.
in_root()
{
	local root source=$2

	root=$(root_dir "$1")
	shift 2
	mkdir -p "$root/build" "$root/kernels" "$KLAT_CACHE/kernels"
	# shellcheck disable=SC2016 # for the inner shell
	as_owner unshare --mount --pid --fork --kill-child sh -c '
		root=$1 source=$2 kernels=$3
		shift 3
		mount --bind "$source" "$root/build" &&
		mount --bind "$kernels" "$root/kernels" &&
		mount --rbind /dev "$root/dev" &&
		mount -t proc proc "$root/proc" &&
		mount --rbind -o ro,nosuid,nodev,noexec /sys "$root/sys" &&
		mount -t tmpfs tmpfs "$root/tmp" || exit 1
		# not exec: make as the first process of its namespace could not
		# end itself by a signal, would spin, and hold our locks for ever
		chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/tmp LC_ALL=C.UTF-8 sh -c '\''cd /build && exec "$@"'\'' sh "$@"
		exit $?
		' sh "$root" "$source" "$KLAT_CACHE/kernels" "$@"
}
