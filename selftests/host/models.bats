#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host on */amd64:
# klat-kernels: bookworm/amd64
#
# What the tool and the modules must know alike.

bats_require_minimum_version 1.5.0

readonly TREE=$BATS_TEST_DIRNAME/../..
readonly SOURCES=$TREE/drivers/source

# number_of WORD FILE: WORD, or what FILE defines it to be
number_of()
{
	[[ $1 == 0x* ]] && echo "$1" && return
	sed -n "s/^#define $1[[:space:]]*\(0x[0-9a-f]*\).*/\1/p" "$2"
}

# "SOURCE VENDOR DEVICE", a line for each id that a module takes
ids_of_modules()
{
	local source vendor device file

	for source in igb igc e1000e edu; do
		file=$SOURCES/$source.c
		sed -n 's/.*\(PCI_VDEVICE\|PCI_DEVICE\)(\([A-Z0-9a-z_]*\), \([A-Z0-9a-z_]*\)).*/\2 \3/p' \
			"$file" | while read -r vendor device; do
			[[ $vendor != INTEL ]] || vendor=0x8086
			echo "$source $vendor $(number_of "$device" "$file")"
		done
	done | sort
}

# Those of the tool that it does not name only to refuse them
ids_of_tool()
{
	local file=$TREE/userland/models.c source vendor device

	sed -n 's/.*{ \([A-Z]*\), \(0x[0-9a-f]*\), "[^"]*", "\([^"]*\)", "[^"]*", false }.*/\3 \1 \2/p' \
		"$file" | while read -r source vendor device; do
		echo "$source $(number_of "$vendor" "$file") $device"
	done | sort
}

@test "the tool knows the PCI devices of the modules, and no others" {
	(( $(ids_of_modules | wc -l) > 20 ))
	diff <(ids_of_modules) <(ids_of_tool)
}
