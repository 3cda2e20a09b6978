# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian's kernels: which one is current, and its image, unpacked.

# flavours_of RELEASE
flavours_of()
{
	case $1 in
	"$DEBUG")	printf '%s\n' amd64 rt-amd64 ;;
	*-arm64)	printf '%s\n' arm64 rt-arm64 ;;
	*)		printf '%s\n' amd64 rt-amd64 cloud-amd64 ;;
	esac
}

# meta_kernels RELEASE FLAVOUR: "KERNEL VERSION" for each version of the
# meta-package that the archive knows, the newest first.
meta_kernels()
{
	apt_in "$(release_apt_dir "$1")" apt-cache show "linux-image-$2" |
	sed -n 's/^Depends:.*linux-image-\([0-9][^ ]*\) (= \([^)]*\)).*/\1 \2/p' |
	sort -k2,2Vr
}

# has_package RELEASE PACKAGE VERSION
has_package()
{
	apt_in "$(release_apt_dir "$1")" apt-cache madison "$2" 2> /dev/null |
	awk -v version="$3" '$3 == version { found = 1 } END { exit !found }'
}

# resolve_kernel RELEASE FLAVOUR: "KERNEL VERSION" of the newest kernel that
# has both image and headers. The two come from different source packages and
# do not always reach the archive on the same day.
resolve_kernel()
{
	local kernel version

	if is_debug "$1"; then
		resolve_debug_kernel "$2"
		return
	fi
	while read -r kernel version; do
		if has_package "$1" "linux-image-$kernel" "$version" &&
		   has_package "$1" "linux-headers-$kernel" "$version"; then
			printf '%s %s\n' "$kernel" "$version"
			return 0
		fi
	done < <(meta_kernels "$1" "$2")
	say "$1: no kernel for $2 with both image and headers"
	return 1
}

# image_packages RELEASE KERNEL VERSION: newer releases split the image.
image_packages()
{
	local part

	for part in image binary modules base; do
		! has_package "$1" "linux-$part-$2" "$3" ||
			printf 'linux-%s-%s=%s\n' "$part" "$2" "$3"
	done
}

kernel_dir()
{
	printf '%s\n' "$KLAT_CACHE/kernels/$1-$2"
}

# Modules are unpacked here rather than by the guest, where it is slow.
# unpack_image DIR DEBS KERNEL
unpack_image()
{
	local dir=$1 debs=$2 deb vmlinuz

	# Some releases say /lib, some /usr/lib, and some say both.
	mkdir -p "$dir/usr/lib"
	ln -s usr/lib "$dir/lib"
	for deb in "$debs"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
		tar -x -C "$dir" --no-same-owner --keep-directory-symlink \
			--wildcards --wildcards-match-slash \
			--exclude='./usr/share/*' --exclude='./boot/System.map*' || return 1
	done
	vmlinuz=$(find "$dir" -name 'vmlinuz*' -type f | head -n 1)
	[[ -n $vmlinuz ]] && mv "$vmlinuz" "$dir/vmlinuz"
	unpack_vmlinux "$dir"
	find "$dir/usr/lib/modules" -name '*.ko.xz' -exec xz -d -T0 {} + &&
		run_depmod "$dir" "$3"
}

# number_at FILE OFFSET BYTES
number_at()
{
	od -A n -j "$2" -N "$3" -t "u$3" --endian=little "$1" | tr -d ' '
}

# run_depmod BASE KERNEL
run_depmod()
{
	PATH=$PATH:/usr/sbin:/sbin depmod -b "$1" "$2"
}

# unpack_vmlinux DIR: the kernel as an ELF file, which QEMU starts directly
# (PVH). The compressed one takes seconds to unpack itself in an
# emulated CPU. Where this fails, the compressed one is started. The offsets
# are those of the x86 boot protocol, which begins with "HdrS": setup_sects,
# payload_offset and payload_length, which counts a trailing word that is not the
# compressor's. arm64's is not compressed.
unpack_vmlinux()
{
	local image=$1/vmlinuz sectors offset length unpack

	[[ $(number_at "$image" $((0x202)) 4) == $((0x53726448)) ]] || return 0
	sectors=$(number_at "$image" $((0x1f1)) 1)
	offset=$(( ((sectors ? sectors : 4) + 1) * 512 +
		$(number_at "$image" $((0x248)) 4) ))
	length=$(( $(number_at "$image" $((0x24c)) 4) - 4 ))
	case $(od -A n -j "$offset" -N 4 -t x1 "$image" | tr -d ' ') in
	fd377a58)	unpack='xz -dc' ;;
	28b52ffd)	unpack='zstd -dc' ;;
	02214c18)	unpack='lz4 -dc' ;;
	1f8b*)		unpack='gzip -dc' ;;
	*)		return ;;
	esac
	# In this order no part of the pipe stops reading before its end.
	head -c "$((offset + length))" "$image" | tail -c "$length" |
	$unpack > "$1/vmlinux" || rm -f "$1/vmlinux"
}

# start_image DIR: which of the two QEMU is to start.
start_image()
{
	if [[ -e $1/vmlinux ]]; then
		printf '%s\n' "$1/vmlinux"
	else
		printf '%s\n' "$1/vmlinuz"
	fi
}

# prepare_kernel RELEASE KERNEL VERSION: only unpacked or built, never installed.
prepare_kernel()
{
	local release=$1 kernel=$2 version=$3 dir new packages

	if is_debug "$release"; then
		prepare_debug_kernel "$kernel" "$version"
		return
	fi
	dir=$(kernel_dir "$kernel" "$version")
	[[ ! -e $dir/usr/lib/modules/$kernel/modules.dep ]] || return 0
	say "$release: fetching the kernel $kernel ($version)"
	new=$(new_dir "$dir")
	mkdir "$new/debs"
	mapfile -t packages < <(image_packages "$release" "$kernel" "$version")
	(( ${#packages[@]} )) || return 1
	(
		cd "$new/debs" &&
		quietly "$new/download.log" apt_in "$(release_apt_dir "$release")" \
			apt-get -q download "${packages[@]}"
	) || return 1
	unpack_image "$new" "$new/debs" "$kernel" || return 1
	rm -rf "$new/debs"
	put_in_place "$dir"
}
