# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# shellcheck disable=SC2154 # work is run's
#
# The checks of the modules' code that ask for the headers of a kernel. All of it
# is built, the test-only modules too.

readonly MODULE_CHECKS=(W1 sparse)

# What a build says that is no complaint: kbuild's notes of what it leaves out.
readonly BUILD_NOTES='Skipping BTF generation|the compiler differs from the one'

# complaints LOG: modpost and objtool write theirs in capitals; sparse has two more
# lines for what was expected and what it found.
complaints()
{
	grep -E '(^|[: ])(warning|error|WARNING|ERROR):|:[0-9]+:[0-9]+:    [eg]' "$1" | grep -vE "$BUILD_NOTES" || :
}

# Prints "KERNEL DIR": what the bench has built for its tests with W=1, or builds
# now for them.
prepare_modules()
{
	local release kernel version dir

	release=$(release_of "$1")
	refresh_root "$release" || return 1
	read -r kernel version < <(kernel_of "$release" "${1#*/}")
	dir=$(build_modules "$release" "$kernel" "$version" "$TREE") || return 1
	printf '%s %s\n' "$kernel" "$dir"
}

# check_W1 RELEASE KERNEL DIR
check_W1()
{
	complaints "$3/.log"
}

# check_sparse RELEASE KERNEL DIR: over a copy of what is built already, by the same
# command line, so that nothing is compiled again.
check_sparse()
{
	local copy=$work/sparse options

	mapfile -t options < <(module_options "$1")
	rm -rf "$copy"
	cp -a "$3" "$copy" || return 1
	in_root "$1" "$copy" make -j"$(nproc)" -C "/lib/modules/$2/build" M=/build C=2 \
		"${options[@]}" modules > "$copy/.log" 2>&1 || {
		cat "$copy/.log"
		return 1
	}
	grep -q '^  CHECK ' "$copy/.log" || printf 'sparse has looked at nothing\n'
	complaints "$copy/.log"
}

# check_modules RELEASE/FLAVOUR
check_modules()
{
	local release output=$work/output built="" name kernel dir status

	release=$(release_of "$1")
	for name in "${MODULE_CHECKS[@]}"; do
		wanted "$name" || continue
		if [[ $name == sparse ]] && ! in_list "$release" "${SPARSE_RELEASES[@]}"; then
			printf 'ok %d - sparse %s # SKIP it cannot read the headers of %s\n' \
				$(( ++number )) "$1" "$release"
			continue
		fi
		status=0
		if [[ -z $built ]]; then
			built=$(with_lock "$release" prepare_modules "$1" 2> "$output") || status=1
		fi
		if (( ! status )); then
			read -r kernel dir <<< "$built"
			"check_$name" "$release" "$kernel" "$dir" > "$output" 2>&1 || status=1
		fi
		verdict "$name $1" "$status" "$output"
	done
}
