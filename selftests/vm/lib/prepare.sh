# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The order of things before the machine starts. Each lock is held for one
# step and none within another, so two runs can wait for each other only once.

# prepare_all: sets kernel, version and tools_dir, modules_dir.
prepare_all()
{
	mkdir -p "$KLAT_CACHE" || return 1
	# sudo may ask for a password, which only works in the foreground.
	with_lock host prepare_host "$(arch_of "$opt_release")" || return 1
	in_group with_lock "$opt_release" prepare_kernel_side || return 1
	read -r kernel version modules_dir < "$run_dir/kernel-side" || return 1
	in_group with_lock "$(tool_release "$(arch_of "$opt_release")")" prepare_tool_side || return 1
	read -r tools_dir < "$run_dir/tool-side"
}

# The locked steps run in a subshell, and hand over what they found in files.
prepare_kernel_side()
{
	local kernel version dir

	prepare_release "$opt_release" "$opt_flavour" || return 1
	read -r kernel version < <(kernel_of "$opt_release" "$opt_flavour")
	dir=$(build_modules "$opt_release" "$kernel" "$version" "$TREE") ||
		return 1
	ln "$(start_image "$(kernel_dir "$kernel" "$version")")" \
		"$run_dir/kernel" || return 1
	printf '%s %s %s\n' "$kernel" "$version" "$dir" > "$run_dir/kernel-side"
}

prepare_tool_side()
{
	local release arch

	arch=$(arch_of "$opt_release")
	release=$(tool_release "$arch")
	refresh_root "$release" &&
		prepare_base "$arch" &&
		if (( opt_sanitize )); then
			build_sanitized_tools "$TREE" "$arch"
		else
			build_tools "$TREE" "$arch"
		fi > "$run_dir/tool-side"
}

# stage_all DIR: the initramfs of this run.
stage_all()
{
	local stage=$1/stage

	mkdir -p "$stage"
	stage_modules "$(kernel_dir "$kernel" "$version")" "$kernel" \
		"$modules_dir" "$stage" &&
	stage_project "$TREE" "$tools_dir" "$stage" &&
	stage_added "$stage" "${opt_added[@]}" &&
	stage_bench "$stage" &&
	stage_command "$stage" "${opt_command[@]}" || return 1
	{ cat "$(guest_base "$(arch_of "$opt_release")")" && make_cpio "$stage"; } > "$1/initrd"
	rm -rf "$stage"
}
