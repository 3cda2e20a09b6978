# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# All that prepares and builds, for scripts that have set VM_DIR to selftests/vm

for part in common arch kernel debug options apt host root guest build; do
	# shellcheck source=/dev/null
	. "$VM_DIR/lib/$part.sh"
done
