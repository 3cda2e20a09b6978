# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A Debian system of its own, in a directory of the bench's cache: made anew, used
# with what the bench has for its build roots, and removed.

readonly VM_DIR=$BATS_TEST_DIRNAME/../vm
readonly TREE=${BATS_TEST_DIRNAME%/selftests/*}
# shellcheck source=/dev/null
. "$VM_DIR/lib/all.sh"

# inside NAME COMMAND...: in that system, the tree's copy being where it starts
inside()
{
	in_root "$1" "$BATS_FILE_TMPDIR/tree" "${@:2}"
}

# apt_inside NAME APT-GET-ARGUMENT...
apt_inside()
{
	inside "$1" env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y --no-install-recommends "${@:2}"
}

copy_of_tree()
{
	mkdir "$BATS_FILE_TMPDIR/tree" &&
		list_sources "$TREE" . | copy_files "$TREE" "$BATS_FILE_TMPDIR/tree"
}

# make_system NAME RELEASE PACKAGES: with its documentation, which the bench's roots lack
make_system()
{
	local dir

	dir=$(root_dir "$1")
	rm -rf --one-file-system "$dir"
	mkdir -p "$dir" &&
		debian_tree "$2" amd64 apt "$dir" "$3" &&
		sed -i '/^path-exclude/d' "$dir"/etc/dpkg/dpkg.cfg.d/* &&
		cp /etc/resolv.conf "$dir/etc/resolv.conf" &&
		apt_inside "$1" update
}

copy_system()
{
	rm -rf --one-file-system "$(root_dir "$2")"
	cp -a "$(root_dir "$1")" "$(root_dir "$2")"
}

remove_system()
{
	rm -rf --one-file-system "$(root_dir "$1")" "$(root_dir "$1").log"
}

# files_of NAME: all but what apt and dpkg keep for themselves
files_of()
{
	(
		cd "$(root_dir "$1")" &&
		find . \( -path ./var/cache -o -path ./var/lib/apt -o -path ./var/log -o \
			-path ./build -o -path './var/lib/dpkg/*-old' \) -prune -o -print
	) | LC_ALL=C sort
}

# dkms_has NAME VERSION KERNEL: installed, nothing else
dkms_has()
{
	grep -qE "^klat/$2, $3, x86_64: installed$" <<< "$(inside "$1" dkms status)"
}

# modules_of NAME KERNEL: the names of those that DKMS put there
modules_of()
{
	(cd "$(root_dir "$1")/lib/modules/$2/updates/dkms" && ls) | sed 's/\.ko.*//'
}
