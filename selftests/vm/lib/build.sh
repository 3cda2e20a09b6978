# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Building the project. A build is named after the contents of the files it is made
# from and after how, so that what was built once is never built again, and a change to
# another script or to the documentation builds nothing.

readonly KEEP_BUILDS=10

# list_sources TREE PATH...: the files, NUL-separated, sorted. In a checkout
# those that git knows or would add; elsewhere all that are not built.
list_sources()
{
	local tree=$1

	shift
	(
		cd "$tree" || exit 1
		if git -c safe.directory='*' rev-parse --git-dir &> /dev/null; then
			git -c safe.directory='*' ls-files -z -co --exclude-standard -- "$@"
		else
			find "$@" -type f ! -name '*.o' ! -name '*.ko' \
				\( ! -name '.*' -o -name .shellcheckrc \) \
				! -name '*.mod' ! -name '*.mod.c' -print0 2> /dev/null
		fi | existing_files | LC_ALL=C sort -zu
	)
}

# git goes on listing what was deleted and not yet committed.
existing_files()
{
	local file

	while IFS= read -r -d '' file; do
		[[ ! -f $file ]] || printf '%s\0' "$file"
	done
}

# What the modules, and what the programs, are built from.
module_sources()
{
	list_sources "$1" Kbuild uapi drivers selftests |
	grep -zE '^(Kbuild$|uapi/|drivers/)|^selftests/(.*/)?([^/]*\.[chS]|Kbuild|Makefile)$' |
	grep -zv '^selftests/vm/'
}

tool_sources()
{
	{
		module_sources "$1"
		list_sources "$1" userland | grep -zvE '^userland/eci/|\.(md|[1-8])$'
	} | LC_ALL=C sort -zu
}

# build_key TREE WORD... < FILES: of these files, made as this file has it
build_key()
{
	{
		(cd "$1" && xargs -0r sha256sum --)
		cat "$VM_DIR/lib/build.sh" "$VM_DIR/lib/arch.sh"
		printf '%s\n' "${@:2}"
	} | sha256sum | cut -c1-16
}

# copy_files TREE DIR < FILES
copy_files()
{
	tar -C "$1" --null --files-from=- -c | tar -x -C "$2" --no-same-owner
}

# prune_builds PREFIX: all but the latest KEEP_BUILDS.
prune_builds()
{
	local dir

	# shellcheck disable=SC2012 # the names are ours
	ls -dt "$KLAT_CACHE/builds/$1"-* 2> /dev/null |
	tail -n "+$((KEEP_BUILDS + 1))" |
	while read -r dir; do
		rm -rf "$dir"
	done
}

# build_once RELEASE NAME KEY TREE SOURCES RECIPE [ARG...]: prints nothing; the
# result is build_dir NAME KEY.
build_once()
{
	local release=$1 name=$2 key=$3 tree=$4 sources=$5 recipe=$6 dir new log

	shift 6
	dir=$(build_dir "$name" "$key")
	if [[ -e $dir ]]; then
		touch "$dir"
		return 0
	fi
	mkdir -p "$KLAT_CACHE/builds"
	say "building $name"
	new=$(new_dir "$dir")
	log=$new.log
	"$sources" "$tree" | copy_files "$tree" "$new" || return 1
	if ! "$recipe" "$release" "$new" "$@" > "$log" 2>&1; then
		cat "$log" >&2
		rm -rf "$new" "$log"
		return 1
	fi
	show_warnings "$name" "$log"
	mv "$log" "$new/.log"
	put_in_place "$dir"
	prune_builds "$name"
}

build_dir()
{
	printf '%s\n' "$KLAT_CACHE/builds/$1-$2"
}

show_warnings()
{
	grep -q 'warning:' "$2" || return 0
	say "$1: the compiler warns:"
	grep -A5 'warning:' "$2" >&2
}

# What a debugger would want is most of a module, and of an initramfs with it.
readonly NO_DEBUG_INFO=(CONFIG_DEBUG_INFO= CONFIG_DEBUG_INFO_BTF_MODULES=)

# module_options RELEASE: what make is told
module_options()
{
	cross_options "$1"
	printf '%s\n' W=1 KLAT_TEST_MODULES=1 "${NO_DEBUG_INFO[@]}"
	! is_debug "$1" || echo KLAT_GCOV=1
}

# module_recipe RELEASE DIR KERNEL VERSION
module_recipe()
{
	local options headers=/lib/modules/$3/build

	[[ -e $2/Kbuild ]] || return 0
	mapfile -t options < <(module_options "$1")
	! is_debug "$1" || headers=/kernels/$3-$4/build
	in_root "$1" "$2" make -j"$(nproc)" -C "$headers" M=/build "${options[@]}" modules
}

# build_modules RELEASE KERNEL VERSION TREE: prints the directory.
build_modules()
{
	local name=modules-$2 key

	key=$(module_sources "$4" | build_key "$4" "$3")
	build_once "$1" "$name" "$key" "$4" module_sources module_recipe "$2" "$3" ||
		return 1
	build_dir "$name" "$key"
}

# make_part RELEASE DIR PART OPTION...: programs
make_part()
{
	local options

	mapfile -t options < <(program_options "$1")
	in_root "$1" "$2" make -j"$(nproc)" -C "$3" "${options[@]}" "${@:4}"
}

# tool_recipe RELEASE DIR
tool_recipe()
{
	local part

	for part in userland selftests; do
		[[ ! -e $2/$part/Makefile ]] || make_part "$1" "$2" "$part" CFLAGS=-O2 ||
			return 1
	done
}

# The same, with the sanitized tool in the place of the ordinary one
sanitized_tool_recipe()
{
	tool_recipe "$@" && make_part "$1" "$2" userland SANITIZE=1 &&
		mv "$2/userland/sanitized/klat" "$2/userland/klat"
}

# build_tools_by NAME RECIPE TREE ARCH: prints the directory.
build_tools_by()
{
	local name=$1-$4 key release

	release=$(tool_release "$4")
	key=$(tool_sources "$3" | build_key "$3" "$2")
	build_once "$release" "$name" "$key" "$3" tool_sources "$2" || return 1
	build_dir "$name" "$key"
}

# build_tools TREE ARCH
build_tools()
{
	build_tools_by tools tool_recipe "$@"
}

# build_sanitized_tools TREE ARCH
build_sanitized_tools()
{
	build_tools_by sanitized-tools sanitized_tool_recipe "$@"
}
