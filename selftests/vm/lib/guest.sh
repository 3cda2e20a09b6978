# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guest's file system: an initramfs of two cpio archives, one after the
# other. base.cpio holds the programs and is kept; the other holds what
# differs from run to run. Equal input gives equal bytes, which --icount needs.

readonly GUEST_PACKAGES=(bash dash coreutils grep sed mawk findutils diffutils
	bats gojq pciutils iproute2 iputils-ping ethtool util-linux mount bsdutils procps
	kmod gzip tar xz-utils strace libpci3 libhwloc15 libjansson4 libkmod2
	libcmocka0)

# What a guest may want to load, for its channels to the host, for its
# devices, and to be in a benchmark's way: other drivers for a device, other
# users of a network interface. A kernel has some of them built in, or lacks
# them.
readonly GUEST_MODULES=(virtio_pci virtio_console igb igc e1000e msr cpuid
	configs vfio-pci uio uio_pci_generic pci-stub dummy veth bonding bridge
	8021q macvlan tun)

# Nothing here is read by a test, and half of it is never read at all.
strip_tree()
{
	(
		cd "$1" || exit 1
		rm -rf boot dev proc run sys tmp var media mnt opt srv home \
			usr/share/{doc,man,info,locale,lintian,bug,bash-completion} \
			usr/share/{zoneinfo,terminfo,common-licenses,debconf,perl5} \
			usr/share/{perl,i18n,pam,pam-configs,menu,doc-base} \
			usr/lib/{systemd,*-linux-gnu/gconv,init,tmpfiles.d,sysusers.d} \
			usr/lib/*-linux-gnu/{perl,perl5,perl-base,security} \
			usr/share/gdb usr/games usr/include etc/systemd
		find . -path './usr/lib/*-linux-gnu/libicu*' -delete
	)
}

# What the packages' installation scripts would have done; and gojq for jq, whose start
# takes an emulated CPU six times as long.
finish_tree()
{
	(
		cd "$1" || exit 1
		mkdir -p dev proc run sys tmp var root etc klat
		ln -sf mawk usr/bin/awk
		ln -s gojq usr/bin/jq
		[[ -e usr/bin/sh ]] || ln -s dash usr/bin/sh
		ln -sf /proc/self/mounts etc/mtab
		printf 'root:x:0:0:root:/root:/bin/bash\n' > etc/passwd
		printf 'nobody:x:65534:65534:nobody:/:/bin/false\n' >> etc/passwd
		printf 'root:x:0:\nnogroup:x:65534:\n' > etc/group
		printf '127.0.0.1 localhost klat\n' > etc/hosts
		printf 'klat\n' > etc/hostname
	)
}

# make_cpio DIR > ARCHIVE
make_cpio()
{
	(
		cd "$1" || exit 1
		find . -exec touch -h -d @0 {} +
		find . -mindepth 1 -print0 | LC_ALL=C sort -z |
		cpio --quiet --null --create --format=newc \
			--reproducible --owner=+0:+0
	)
}

# guest_base ARCH
guest_base()
{
	printf '%s\n' "$KLAT_CACHE/guest/base-$1.cpio"
}

# base_is_current ARCH: it is made again when it is old, and when it is made differently.
base_is_current()
{
	local base

	base=$(guest_base "$1")
	is_fresh "$base" && [[ $(cat "$base.key" 2> /dev/null) == "$(base_key)" ]]
}

base_key()
{
	{
		printf '%s\n' "${GUEST_PACKAGES[@]}"
		declare -f strip_tree finish_tree make_cpio
	} | sha256sum
}

# make_base ARCH
make_base()
{
	local base new packages

	base=$(guest_base "$1")
	say "guest: making the user land for $1"
	new=$(new_dir "$KLAT_CACHE/guest/tree-$1")
	packages=$(printf '%s,' "${GUEST_PACKAGES[@]}")
	debian_tree "$(tool_release "$1")" "$1" extract "$new" "${packages%,}" \
		--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr || return 1
	as_owner chmod -R u+rwX "$new" &&
	strip_tree "$new" && finish_tree "$new" &&
	make_cpio "$new" > "$base.new" || return 1
	rm -rf "$new"
	base_key > "$base.key"
	mv "$base.new" "$base"
}

# prepare_base ARCH
prepare_base()
{
	local base

	base=$(guest_base "$1")
	! base_is_current "$1" || return 0
	make_base "$1" && return 0
	[[ -e $base ]] || return 1
	say "guest: going on with the old user land"
	touch "$base"
}

# copy_kernel_modules KERNEL-DIR KERNEL STAGE: what GUEST_MODULES need.
copy_kernel_modules()
{
	local from=$1/usr/lib/modules/$2 to=$3/usr/lib/modules/$2

	mkdir -p "$to"
	cp "$from"/modules.{builtin,order} "$to/"
	[[ ! -e $from/modules.builtin.modinfo ]] ||
		cp "$from/modules.builtin.modinfo" "$to/"
	guest_module_files "$1" "$2" | tr '\n' '\0' | copy_files "$from" "$to"
}

# guest_module_files KERNEL-DIR KERNEL: paths under the kernel's directory.
guest_module_files()
{
	local dep=$1/usr/lib/modules/$2/modules.dep

	awk -v wanted="${GUEST_MODULES[*]}" '
		function name(path) {
			sub(/.*\//, "", path)
			sub(/\.ko.*/, "", path)
			gsub(/-/, "_", path)
			return path
		}
		BEGIN {
			gsub(/-/, "_", wanted)
			n = split(wanted, names, " ")
			for (i = 1; i <= n; i++)
				is_wanted[names[i]] = 1
		}
		name(substr($1, 1, length($1) - 1)) in is_wanted {
			sub(/:/, "", $1)
			for (i = 1; i <= NF; i++)
				print $i
		}' "$dep" | LC_ALL=C sort -u
}

# modules_in DIR: compressed ones, too
modules_in()
{
	find "$1" -type f \( -name '*.ko' -o -name '*.ko.xz' \)
}

# stage_modules KERNEL-DIR KERNEL BUILD STAGE: in the working directory for
# insmod, and in the modules' tree for modprobe, which others may be for.
stage_modules()
{
	local kernel=$2 build=$3 stage=$4 for_insmod for_modprobe

	copy_kernel_modules "$1" "$kernel" "$stage"
	mkdir -p "$stage/klat" "$stage/usr/lib/modules/$kernel/updates"
	mapfile -t for_insmod < <(modules_in "$build")
	mapfile -t for_modprobe < <(modules_in "${opt_modules:-$build}")
	(( ${#for_insmod[@]} == 0 )) || cp -t "$stage/klat" "${for_insmod[@]}"
	(( ${#for_modprobe[@]} == 0 )) ||
		cp -t "$stage/usr/lib/modules/$kernel/updates" "${for_modprobe[@]}"
	ln -s usr/lib "$stage/lib"
	run_depmod "$stage" "$kernel"
	# The link is for depmod: the base has one of its own.
	rm "$stage/lib"
}

# stage_project TREE TOOLS STAGE: the scripts as they are now, the programs as
# they were built.
stage_project()
{
	local tree=$1 tools=$2 stage=$3

	list_sources "$tree" selftests userland/eci | copy_files "$tree" "$stage/klat"
	copy_built_programs "$tools" "$stage/klat"
	[[ ! -x $tools/userland/klat ]] ||
		install -D -m 755 "$tools/userland/klat" "$stage/usr/bin/klat"
}

# What make left executable under selftests/, which the sources are not. The unit tests
# are not for a machine.
copy_built_programs()
{
	[[ -d $1/selftests ]] || return 0
	(cd "$1" && find selftests -type f -perm -u+x ! -path '*/unit/*' -print0) |
		copy_files "$1" "$2"
}

# stage_added STAGE DIR...: what is in each
stage_added()
{
	local stage=$1 dir

	shift
	for dir; do
		cp -a "$dir/." "$stage/" || return 1
	done
}

# stage_command STAGE COMMAND...: NUL-separated, so that nothing is quoted.
stage_command()
{
	local stage=$1

	shift
	printf '%s\0' "$@" > "$stage/.command"
}

stage_bench()
{
	install -m 755 "$VM_DIR/guest/init" "$1/init"
	install -D -m 755 "$VM_DIR/guest/vm-host" "$1/usr/bin/vm-host"
}
