#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# klat-host: all
#
# Each static check finds what it is there for: a fault is put into a copy of the
# tree, and the check has to complain of it. That they are content without one shows
# the job "static".

# shellcheck disable=SC2154 # set by bats

bats_require_minimum_version 1.5.0

setup()
{
	TREE=$BATS_TEST_TMPDIR/tree
	cp -a "$BATS_TEST_DIRNAME/../.." "$TREE"
	cd "$TREE" || return 1
}

teardown()
{
	cd / && rm -rf "$TREE"
}

# says TEXT...: each is in the output
says()
{
	local text

	for text; do
		[[ $output == *"$text"* ]] || { echo "does not say: $text"; return 1; }
	done
}

# complain CHECK...: all of them fail, and no other is run.
complain()
{
	local check

	run -1 --separate-stderr selftests/static/run -k "${KLAT_KERNEL:-bookworm/amd64}" "$@"
	echo "$output"
	echo "$stderr"
	[[ ${lines[-1]} == "1..$#" ]]
	for check; do
		[[ $output =~ not\ ok\ [0-9]+\ -\ $check ]] || return 1
	done
}

@test "shellcheck: a variable without quotes" {
	# shellcheck disable=SC2016 # not to be expanded here
	echo 'ls $1' >> selftests/demo
	complain shellcheck
	says "selftests/demo:" SC2086
}

@test "checkpatch: a brace, a word; an exception that nobody needs any more" {
	printf 'static int seeded(int a) {\n\treturn a;\n}\n/* seperate */\n' >> drivers/core/pin.c
	printf 'drivers/core/pin.c\tSWITCH_CASE_INDENT\tseeded\n' \
		>> selftests/static/checkpatch.allowed
	complain checkpatch
	says "drivers/core/pin.c:" OPEN_BRACE TYPO_SPELLING \
		"drivers/core/pin.c SWITCH_CASE_INDENT: there is none"
}

@test "cppcheck: the end of an array" {
	cat >> userland/units.c <<-'END'
	static const int seeded[4] = { 1, 2, 3, 4 };
	int seeded_sum(void)
	{
	        int sum = 0;

	        for (int i = 0; i <= 4; i++)
	                sum += seeded[i];
	        return sum;
	}
	END
	complain cppcheck
	says "userland/units.c:" arrayIndexOutOfBounds
}

@test "analyzer: freed in one function, used in another" {
	cat >> userland/units.c <<-'END'
	#include <stdlib.h>
	static void seeded_drop(char *text)
	{
	        free(text);
	}

	char seeded_use(char *text)
	{
	        seeded_drop(text);
	        return *text;
	}
	END
	complain analyzer
	says "userland/units.c:" Wanalyzer-use-after-free
}

@test "man: options that are missing and too many, pages that are not there, bad mdoc" {
	sed -i 's/^\.It Fl -flush/.It Fl -flash/' Documentation/man/klat-msi-lat.1
	sed -i 's/^\.It Fl n ,/.It Fl x ,/' Documentation/man/klat-mmio.1
	sed -i '/^\.It Cm hwlat/d' Documentation/man/klat.1
	sed -i 's/^\.It Fl -restore/.It Fl -undo/' Documentation/man/klat-eci.8
	printf '.Xr klat-seeded 1\n.Nonsense\n' >> Documentation/man/klat-info.1
	cp Documentation/man/klat-info.1 Documentation/man/klat-more.1
	rm Documentation/man/klat-devices.1
	complain man
	says "klat-msi-lat.1: klat msi-lat --help does not know --flash" \
		"klat-msi-lat.1: says nothing of --flush" \
		"klat-mmio.1: klat mmio --help does not know -x --count" \
		"klat.1: says nothing of hwlat" \
		"klat-eci.8: says nothing of --restore" \
		"klat-info.1: there is no page klat-seeded(1)" "unknown macro: .Nonsense" \
		"klat-more.1: there is no such subcommand" \
		"klat-devices.1: is missing"
}

@test "parameters: one that is new, one that is gone, one that only the table has; a file" {
	echo 'module_param(seeded, int, 0444);' >> drivers/msi_lat/params.c
	sed -i 's/^\.It Va irqCount/.It Va irqNumber/' Documentation/man/klat.4
	# shellcheck disable=SC2016 # backquotes of Markdown
	sed -i 's/^| `walk`/| `path`/' Documentation/caterpillar.md
	sed -i 's/"table"/"board"/' drivers/caterpillar/table.c
	complain parameters
	says "klat.4: says nothing of the parameter seeded of msi_lat" \
		"msi_lat.md: says nothing of the parameter seeded" \
		"klat.4: says nothing of the parameter irqCount" \
		"klat.4: msi_lat has no parameter irqNumber" \
		"caterpillar.md: says nothing of the parameter walk" \
		"caterpillar.md: caterpillar has no parameter path" \
		"says nothing of the file caterpillar_test/board"
}

@test "W1, sparse: no prototype; a pointer into a device used as one into memory" {
	cat >> drivers/core/clock.c <<-'END'
	int seeded(void __iomem *at)
	{
	        return *(int *)at;
	}
	END
	complain W1 sparse
	says "no previous prototype for 'seeded'" "address space '__iomem'"
}

@test "the sanitized unit tests: the tool reads behind the end of an array" {
	sed -i 's/^int duration_parse(.*/static const char seeded[4];\n\n&/' userland/duration.c
	sed -i '/^int duration_parse(/,/^}/s/^\twhole = digits.*/\tif (seeded[4 + strlen(text)])\n\t\treturn -ERANGE;\n&/' \
		userland/duration.c
	grep -q 'seeded\[4 +' userland/duration.c
	run ! selftests/vm/in-root make -s -C selftests check-unit-sanitized
	says "runtime error: index" "out of bounds"
}

@test "a check that does not exist, a kernel that does not exist" {
	run -2 selftests/static/run nonsense
	says nonsense checkpatch sparse
	run -2 selftests/static/run -k bookworm/nonsense
	says nonsense
}
