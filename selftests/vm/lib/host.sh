# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The tools that the bench needs on the host, and how they get there.

# COMMAND PACKAGE
host_tools()
{
	cat <<-'END'
	mmdebstrap mmdebstrap
	cpio cpio
	flock util-linux
	setpriv util-linux
	unshare util-linux
	depmod kmod
	xz xz-utils
	bats bats
	zstd zstd
	END
	# mmdebstrap as an ordinary user
	(( EUID == 0 )) || printf 'newuidmap uidmap\n'
}

missing_packages()
{
	local command package

	while read -r command package; do
		has_command "$command" || printf '%s\n' "$package"
	done < <(host_tools) | sort -u
	[[ -e $DEBIAN_KEYRING ]] || printf '%s\n' debian-archive-keyring
}

# depmod and its like lie in sbin, which a user's PATH need not have.
has_command()
{
	PATH=$PATH:/usr/sbin:/sbin command -v "$1" > /dev/null
}

# qemu_is_good ARCH: igb came with QEMU 8.0: ask for the device, not for the version.
qemu_is_good()
{
	local qemu

	qemu=$(qemu_of "$1")
	has_command "$qemu" &&
		"$qemu" -device help 2> /dev/null | grep -q '^name "igb"'
}

as_root()
{
	if (( EUID == 0 )); then
		"$@"
	elif has_command sudo; then
		sudo "$@"
	else
		bench_error "root or sudo is needed to install: $*"
	fi
}

apt_install()
{
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 "$@"
}

# A machine that never ran apt-get update knows no packages yet.
install_packages()
{
	local log=$KLAT_CACHE/host-install.log

	say "host: installing $*"
	apt_install install "$@" > "$log" 2>&1 && return 0
	quietly "$log" apt_install update &&
		quietly "$log" apt_install install "$@"
}

# qemu_suite: where a QEMU with igb is, when not in the machine's own archive.
qemu_suite()
{
	local codename

	codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
	[[ $codename != bookworm ]] || printf '%s\n' bookworm-backports
}

# Backports are read from lists of their own, so that this machine's apt
# offers after it exactly what it offered before.
# install_qemu_from SUITE PACKAGE
install_qemu_from()
{
	local suite=$1 dir=$KLAT_CACHE/apt/host log=$KLAT_CACHE/host-install.log
	local private sources

	sources=$(sources_of "${suite%-backports}" "$suite") || return 1
	apt_make_dir "$dir" <<< "$sources"
	private=(
		-o "Dir::Etc::SourceList=$dir/sources.list"
		-o "Dir::Etc::SourceParts=/dev/null"
		-o "Dir::State::Lists=$dir/state/lists"
		-o "Dir::Cache=$dir/cache"
		-o "APT::Sandbox::User=root"
	)
	say "host: installing QEMU from $suite"
	quietly "$log" apt_install "${private[@]}" update &&
		quietly "$log" apt_install "${private[@]}" -t "$suite" \
			install "$2"
}

# install_qemu PACKAGE
install_qemu()
{
	local suite

	suite=$(qemu_suite)
	if [[ -n $suite ]]; then
		install_qemu_from "$suite" "$1"
	else
		install_packages "$1"
	fi
}

# prepare_host [ARCH]: for kernels of it
prepare_host()
{
	local missing arch=${1:-amd64}

	mapfile -t missing < <(missing_packages)
	(( ${#missing[@]} == 0 )) || install_packages "${missing[@]}" ||
		bench_error "could not install: ${missing[*]}"
	qemu_is_good "$arch" && return 0
	install_qemu "$(qemu_package "$arch")" || bench_error "could not install QEMU"
	qemu_is_good "$arch" || bench_error "this QEMU has no igb: 8.0 or newer is needed"
}
