#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on all:*/amd64:
#
# What users install: the Debian packages, and the modules by DKMS without them. In a
# fresh Debian of each release, as a directory; the tests go through its life in order.
# KLAT_KERNEL chooses the release, and the kernel that is there from the beginning
# (default: bookworm/amd64).

bats_require_minimum_version 1.5.0

readonly KERNEL=${KLAT_KERNEL:-bookworm/amd64}
readonly RELEASE=${KERNEL%/*}
# the system that klat is installed in, and the one that the packages are built in
readonly SYSTEM=packages-$RELEASE BUILDER=packages-$RELEASE-builder
readonly MODULES=$'caterpillar\nhwlat_detector\nmmio_latency\nmsi_jitter\nmsi_lat'
readonly SIGNER='klat test key'

load ../lib/packages

# names of this release's kernels: set by every test, once they are known
kernels()
{
	local version

	read -r first version < <(kernel_of "$RELEASE" "${KERNEL#*/}")
	first_headers=linux-headers-$first=$version
	read -r second version < <(kernel_of "$RELEASE" cloud-amd64)
	second_headers=linux-headers-$second=$version
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$TREE/dkms.conf")
	this_version=$version
	next_version=$version.1
}

# build DIR: the packages, from the copy of the tree, into that directory of it
build()
{
	inside "$BUILDER" scripts/deb "$1"
}

# loaded_modules: their names; a kernel that cannot load any has no list
loaded_modules()
{
	[[ ! -e /proc/modules ]] || cut -d' ' -f1 /proc/modules
}

# package DIR NAME VERSION: its file, as apt-get in the system wants it
package()
{
	(cd "$BATS_FILE_TMPDIR/tree" && ls "./$1/$2_$3_"*.deb)
}

# What DKMS would make itself, but with a name that nobody else has
make_mok()
{
	inside "$SYSTEM" openssl req -new -x509 -nodes -days 36500 -subj "/CN=$SIGNER" \
		-newkey rsa:2048 -outform DER \
		-keyout /var/lib/dkms/mok.key -out /var/lib/dkms/mok.pub
}

# Everything but klat: what it depends on, the key, and what depmod leaves of any kernel.
# That the running kernel has a directory, but no headers, is so on many a machine.
prepare_system()
{
	local depends deb

	depends=$(
		for deb in "$BATS_FILE_TMPDIR"/tree/dist/*.deb; do
			dpkg-deb -f "$deb" Depends | tr ',' '\n'
		done | sed 's/^ *//; /^klat/d' | sort -u | paste -sd,
	)
	apt_inside "$SYSTEM" satisfy "$depends" && make_mok || return
	mkdir -p "$(root_dir "$SYSTEM")/lib/modules/$(uname -r)"
	inside "$SYSTEM" depmod "$first" && files_of "$SYSTEM" > "$BATS_FILE_TMPDIR/files"
}

# without FILE COMMAND...: which must fail
without()
{
	local file

	file=$(root_dir "$SYSTEM")$1
	mv "$file" "$file.away"
	run ! inside "$SYSTEM" "${@:2}"
	mv "$file.away" "$file"
}

no_file_is_left()
{
	diff "$BATS_FILE_TMPDIR/files" <(files_of "$SYSTEM")
}

setup_file()
{
	(( EUID == 0 )) || skip "a Debian system has files of several users: takes root"
	"$VM_DIR/prepare" -k "$KERNEL"
	kernels
	copy_of_tree
	make_system "$SYSTEM" "$RELEASE" "$first_headers"
	copy_system "$SYSTEM" "$BUILDER"
	build dist
	prepare_system
}

setup()
{
	kernels
}

teardown_file()
{
	remove_system "$SYSTEM"
	remove_system "$BUILDER"
}

@test "lintian has nothing to say of the packages" {
	apt_inside "$BUILDER" install lintian
	run -0 inside "$BUILDER" sh -c 'lintian --fail-on error,warning dist/*.changes 2>&1'
	[[ $output != *[EW]:\ klat* ]]
}

@test "what is missing is said" {
	run ! inside "$BUILDER" make dkms-install
	[[ $output == *'dkms is not installed: apt-get install dkms openssl'* ]]
	without /usr/bin/openssl make dkms-install
	[[ $output == *'openssl,'*'is not installed: apt-get install openssl'* ]]
	without /usr/lib/modules make dkms-install
	[[ $output == *"no kernel's headers are installed: apt-get install linux-headers-"* ]]
	run ! inside "$SYSTEM" make modules
	[[ $output == *"no kernel headers in /lib/modules/$(uname -r)/build: install"* ]]
	no_file_is_left
}

@test "kernels that klat is not for are refused in one sentence" {
	local setting headers=/lib/modules/$first/build

	for setting in CONFIG_PCI_MSI= CONFIG_HIGH_RES_TIMERS= VERSION=5; do
		run ! inside "$SYSTEM" make modules "KDIR=$headers" "$setting"
		[ "$(grep -c 'klat needs' <<< "$output")" -eq 1 ]
	done
	[[ $output == *'klat needs Linux 6.1 or newer'* ]]
	no_file_is_left
}

@test "without packages: make dkms-install, and make dkms-uninstall leaves no file" {
	inside "$SYSTEM" make dkms-install
	dkms_has "$SYSTEM" "$this_version" "$first"
	[ "$(modules_of "$SYSTEM" "$first")" = "$MODULES" ]
	inside "$SYSTEM" make dkms-uninstall
	no_file_is_left
	run -0 inside "$SYSTEM" make dkms-uninstall
	[[ $output == *'DKMS has nothing of klat'* ]]
}

@test "the packages: modules for every kernel with headers, signed, none loaded" {
	local module loaded

	loaded=$(loaded_modules)
	apt_inside "$SYSTEM" install "$(package dist klat "$this_version")" \
		"$(package dist klat-dkms "$this_version")"
	dkms_has "$SYSTEM" "$this_version" "$first"
	[ "$(modules_of "$SYSTEM" "$first")" = "$MODULES" ]
	for module in $MODULES; do
		run -0 inside "$SYSTEM" modinfo -k "$first" -F signer "$module"
		[ "$output" = "$SIGNER" ]
	done
	[ "$(loaded_modules)" = "$loaded" ]
	inside "$SYSTEM" klat --version
	run ! inside "$SYSTEM" make dkms-install
	[[ $output == *'the package klat-dkms is installed'* ]]
}

@test "bash completes what the tool knows" {
	complete_line()
	{
		# shellcheck disable=SC2016 # for the inner shell
		inside "$SYSTEM" bash -c '
			compopt() { :; }
			. /usr/share/bash-completion/completions/klat
			COMP_LINE=$1 COMP_POINT=${#1}
			_klat klat
			printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
	}
	[ "$(complete_line 'klat mm')" = mmio ]
	[[ $(complete_line 'klat ') == *hwlat*info* ]]
	[ "$(complete_line 'klat hwlat --thr')" = --threshold= ]
	[ "$(complete_line 'klat hwlat --alig')" = --aligned ]
	# behind the last place where bash breaks words
	[ "$(complete_line 'klat hwlat --format=js')" = json ]
	[ "$(complete_line 'klat hwlat -f kt')" = ktap ]
	[ "$(complete_line 'klat hwlat --threshold ')" = '' ]
	[[ $'\n'$(complete_line 'klat msi-lat --cpu ') == *$'\n'0* ]]
}

@test "an upgrade leaves the new version only" {
	inside "$BUILDER" sed -i "s/$this_version/$next_version/" \
		debian/changelog dkms.conf userland/version.h
	build next
	apt_inside "$SYSTEM" install "$(package next klat "$next_version")" \
		"$(package next klat-dkms "$next_version")"
	dkms_has "$SYSTEM" "$next_version" "$first"
	[ "$(inside "$SYSTEM" dkms status | grep -c '^klat')" -eq 1 ]
	[ "$(modules_of "$SYSTEM" "$first")" = "$MODULES" ]
	[ ! -e "$(root_dir "$SYSTEM")/usr/src/klat-$this_version" ]
}

@test "the tests are a package of their own" {
	apt_inside "$SYSTEM" install "$(package next klat-selftests "$next_version")"
	run -0 inside "$SYSTEM" /usr/lib/klat/selftests/run --list
	[[ $output == *abi/test_msi_lat* && $output == *unit/* && $output == *msi_lat_soft* ]]
}

@test "headers that come later get their modules" {
	apt_inside "$SYSTEM" install "$second_headers"
	dkms_has "$SYSTEM" "$next_version" "$second"
	[ "$(modules_of "$SYSTEM" "$second")" = "$MODULES" ]
}

@test "a machine loads them by modprobe" {
	run --separate-stderr -0 "$VM_DIR/run" -k "$KERNEL" -d igb \
		--modules "$(root_dir "$SYSTEM")/lib/modules/$first/updates/dkms" -- bash -c '
		modprobe msi_lat irqPeriod=10 || exit
		until grep -q "Interrupts seen: [1-9]" \
			/sys/kernel/debug/msi_latency_test/current_value; do
			sleep 0.1
		done
		cat /sys/module/msi_lat/parameters/irqPeriod
		modinfo -F signer msi_lat'
	[ "$output" = $'10\n'"$SIGNER" ]
}

@test "purging leaves no file" {
	local rest

	apt_inside "$SYSTEM" purge klat klat-dkms klat-selftests "linux-headers-$second"
	# what depmod left of a kernel that is gone
	rest=$(root_dir "$SYSTEM")/lib/modules/$second
	[ -z "$(find "$rest" -type f ! -name 'modules.*')" ]
	rm -r "$rest"
	no_file_is_left
}

@test "without DKMS: make install, and make uninstall leaves no file" {
	local headers=KDIR=/lib/modules/$first/build files

	apt_inside "$BUILDER" install kmod
	inside "$BUILDER" depmod "$first"
	files=$(files_of "$BUILDER")
	inside "$BUILDER" make install "$headers"
	inside "$BUILDER" klat --version
	# shellcheck disable=SC2086 # several
	[ "$(inside "$BUILDER" modinfo -k "$first" -F name $MODULES | sort)" = "$MODULES" ]
	inside "$BUILDER" make uninstall "$headers"
	diff <(files_of "$BUILDER") - <<< "$files"
	inside "$BUILDER" make install "$headers" PREFIX=/usr DESTDIR=/build/stage
	diff <(files_of "$BUILDER") - <<< "$files"
	[ -x "$BATS_FILE_TMPDIR/tree/stage/usr/bin/klat" ]
	[ "$(find "$BATS_FILE_TMPDIR/tree/stage/lib/modules/$first/updates" -name '*.ko*' | wc -l)" -eq 5 ]
	inside "$BUILDER" make uninstall "$headers" PREFIX=/usr DESTDIR=/build/stage
	[ -z "$(find "$BATS_FILE_TMPDIR/tree/stage" -type f)" ]
}
