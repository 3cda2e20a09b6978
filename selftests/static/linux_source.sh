# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# checkpatch, out of the release's package with the kernel's source, which is not
# kept: it is large.

readonly CHECKPATCH_FILES=(checkpatch.pl spelling.txt const_structs.checkpatch)

# source_package RELEASE: "PACKAGE VERSION" of the newest that the meta-package
# knows.
source_package()
{
	apt_in "$(release_apt_dir "$1")" apt-cache show linux-source |
	sed -n 's/^Depends:.*\(linux-source-[0-9][^ ]*\) (= \([^)]*\)).*/\1 \2/p' |
	sort -k2,2Vr | head -n 1
}

checkpatch_dir()
{
	printf '%s\n' "$KLAT_CACHE/checkpatch"
}

# unpack_checkpatch DEB DIR
unpack_checkpatch()
{
	dpkg-deb --fsys-tarfile "$1" |
	tar -x -O --wildcards './usr/src/linux-source-*.tar.xz' |
	xz -dc |
	tar -x -C "$2" --no-same-owner --strip-components=2 --wildcards \
		"${CHECKPATCH_FILES[@]/#/linux-source-*/scripts/}"
}

# fetch_checkpatch PACKAGE VERSION
fetch_checkpatch()
{
	local dir new

	dir=$(checkpatch_dir)
	say "fetching checkpatch from $1 ($2)"
	new=$(new_dir "$dir")
	(
		cd "$new" &&
		quietly "$new.log" apt_in "$(release_apt_dir "$TOOL_RELEASE")" \
			apt-get -q download "$1=$2"
	) && unpack_checkpatch "$new"/*.deb "$new" || return 1
	rm -f "$new"/*.deb
	printf '%s\n' "$2" > "$new/.version"
	put_in_place "$dir"
}

# Makes it again when a young index knows another version.
prepare_checkpatch()
{
	local dir package version index

	dir=$(checkpatch_dir)
	index=$(release_apt_dir "$TOOL_RELEASE")/fetched
	[[ ! -e $dir/.version || $index -nt $dir/.version ]] || return 0
	read -r package version < <(source_package "$TOOL_RELEASE") || return 1
	if [[ $(cat "$dir/.version" 2> /dev/null) == "$version" ]]; then
		touch "$dir/.version"
		return 0
	fi
	fetch_checkpatch "$package" "$version" && return 0
	[[ -e $dir/.version ]] || return 1
	say "going on with the old checkpatch"
}
