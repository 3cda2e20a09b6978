# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a tool may complain of all the same: TOOL.allowed has a line FILES TYPE REASON
# for each exception. FILES is a pattern of bash; the first line that fits counts.

# all_but_allowed TOOL FINDING < FINDINGS: those that are not allowed, and entries of
# the table that are of no use any more. FINDING matches a finding, with the file and
# the type as its two groups; what it does not match is not allowed.
all_but_allowed()
{
	local table=selftests/static/$1.allowed finding=$2 file type reason line entry i
	local files=() types=() used=()

	while read -r file type reason; do
		[[ -n $file && $file != \#* ]] || continue
		[[ -n $reason ]] || printf '%s: %s %s: a reason is needed\n' "$table" "$file" "$type"
		files+=("$file")
		types+=("$type")
	done < "$table"
	while IFS= read -r line; do
		if [[ $line =~ $finding ]] && find_entry "${BASH_REMATCH[@]:1}"; then
			used[entry]=1
		else
			printf '%s\n' "$line"
		fi
	done
	for i in "${!types[@]}"; do
		[[ -n ${used[i]-} ]] ||
			printf '%s: %s %s: there is none\n' "$table" "${files[i]}" "${types[i]}"
	done
}

# find_entry FILE TYPE: sets entry to its number in all_but_allowed()'s files and types.
find_entry()
{
	for entry in "${!types[@]}"; do
		# shellcheck disable=SC2053 # a pattern
		[[ $2 != "${types[entry]}" || $1 != ${files[entry]} ]] || return 0
	done
	return 1
}
