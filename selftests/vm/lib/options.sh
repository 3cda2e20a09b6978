# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# run's command line: sets opt_*, or ends with a usage error.

readonly RELEASES=(bookworm trixie sid "$DEBUG")

opt_release=bookworm
opt_flavour=amd64
opt_devices=()
opt_cpus=
opt_mib=768
opt_seconds=300
opt_icount=0
opt_native_hotplug=0
opt_cmdline=()
opt_qemu_args=()
opt_modules=
opt_added=()
opt_sanitize=0
opt_prepare_only=0
opt_command=()

help()
{
	cat <<-'END'
	Usage: run [OPTION]... -- COMMAND [ARG...]

	Boots one of Debian's kernels in QEMU, or one built to check, with this tree's modules and tool
	built for it, and runs COMMAND there as root. COMMAND's output and its
	exit status become those of run.

	  -k RELEASE/FLAVOUR  which kernel: bookworm, trixie or sid, and amd64,
	                      rt-amd64 or cloud-amd64 (default: bookworm/amd64);
	                      trixie, and arm64 or rt-arm64;
	                      debug, and amd64 or rt-amd64: with every checker on
	  -d DEVICE           adds a device: igb, e1000e, edu or any string for
	                      QEMU's -device; may be repeated
	  -c CPUS             number of CPUs (default: 2)
	  -m MIB              memory (default: 768)
	  -t SECONDS          kills the machine after that time (default: 300), one on a
	                      debug kernel after four times as long
	  --icount            the deterministic machine: one CPU, one tick of its
	                      1 GHz TSC for each instruction
	  --native-hotplug    PCIe slots that the kernel's own driver serves, which looks
	                      at them once a second; else ACPI does on amd64
	  --cmdline STR       adds to the kernel's command line; may be repeated
	  -q QEMU_ARG         adds one argument to QEMU's; may be repeated
	  --modules DIR       modprobe finds the modules of DIR (*.ko, *.ko.xz) instead
	                      of this tree's
	  --add DIR           adds what is in DIR to the guest's root directory; may be
	                      repeated
	  --sanitize          the tool checks itself: ASan and UBSan
	  --prepare-only      downloads and builds, but boots nothing
	  -h, --help          shows this

	In the guest: the working directory is /klat, with the modules (*.ko), the
	selftests as they are in this tree and their programs; the modules are known
	to modprobe; klat, bats, jq, lspci, ip, ping, taskset and the like are on
	the PATH; standard input is /dev/null. `vm-host device_del ID`, `vm-host
	device_add DRIVER,id=ID...`, `vm-host nmi` and `vm-host hmp LINE` act on QEMU.

	Exit status: COMMAND's, or
	   2  the command line is wrong
	  98  the bench could not be prepared, or the machine ended by itself
	  99  the kernel complained on its console, whatever COMMAND said; that
	      it throttled real-time threads is a complaint with --icount, and
	      else a note: a busy host is enough for it
	 124  not done in time

	Environment:
	  KLAT_CACHE    where downloads and builds are kept (default: ~/.cache/klat)
	  KLAT_MIRROR   the Debian mirror (default: the one apt is configured for)
	  KLAT_SECURITY_MIRROR  likewise for the security archive
	  KLAT_COVERAGE where what a debug kernel knows of the modules' lines that
	                were run is kept, for selftests/vm/coverage
	  KLAT_VM_KEEP  when 1, keeps the console's file and says where it is
	END
}

# need_value OPTION COUNT-OF-REMAINING-ARGUMENTS
need_value()
{
	(( $2 >= 2 )) || usage_error "$1 needs a value"
}

# number OPTION VALUE MIN MAX
number()
{
	if [[ ! $2 =~ ^[1-9][0-9]{0,6}$ ]] || (( $2 < $3 || $2 > $4 )); then
		usage_error "$1 $2: a number from $3 to $4 is needed"
	fi
}

set_kernel()
{
	local release=${1%%/*} flavour=${1#*/} flavours

	[[ $1 == */* ]] ||
		usage_error "-k $1: RELEASE/FLAVOUR is needed, as bookworm/amd64"
	in_list "$release" "${RELEASES[@]}" ||
		usage_error "-k $1: no release '$release': ${RELEASES[*]}"
	mapfile -t flavours < <(
		flavours_of "$release"
		! has_arm64 "$release" || flavours_of "$release-arm64"
	)
	in_list "$flavour" "${flavours[@]}" ||
		usage_error "-k $1: no flavour '$flavour' of $release: ${flavours[*]}"
	opt_release=$(release_of "$1")
	opt_flavour=$flavour
}

set_modules()
{
	[[ -n $(modules_in "$1" 2> /dev/null) ]] ||
		usage_error "--modules $1: no directory with modules (*.ko, *.ko.xz) in it"
	opt_modules=$1
}

set_option()
{
	case $1 in
	-k)	set_kernel "$2" ;;
	-d)	[[ -n $2 ]] || usage_error "-d: the name of a device is needed"
		opt_devices+=("$2") ;;
	-c)	number -c "$2" 1 64; opt_cpus=$2 ;;
	-m)	number -m "$2" 256 65536; opt_mib=$2 ;;
	-t)	number -t "$2" 1 86400; opt_seconds=$2 ;;
	-q)	opt_qemu_args+=("$2") ;;
	--cmdline)	opt_cmdline+=("$2") ;;
	--modules)	set_modules "$2" ;;
	--add)	[[ -d $2 ]] || usage_error "--add $2: must be a directory"
		opt_added+=("$2") ;;
	esac
}

check_options()
{
	if (( opt_icount )); then
		[[ $(arch_of "$opt_release") == amd64 ]] ||
			usage_error "--icount: is for amd64 only"
		[[ -z $opt_cpus || $opt_cpus == 1 ]] ||
			usage_error "-c $opt_cpus: --icount has one CPU: 1"
		opt_cpus=1
	fi
	opt_cpus=${opt_cpus:-2}
	! is_debug "$opt_release" || opt_seconds=$((opt_seconds * DEBUG_PATIENCE))
	(( ${#opt_command[@]} || opt_prepare_only )) ||
		usage_error "a COMMAND is needed, after --"
}

parse_options()
{
	while (( $# )); do
		case $1 in
		-h|--help)
			help
			exit 0 ;;
		--)
			shift
			opt_command=("$@")
			break ;;
		--icount)
			opt_icount=1
			shift ;;
		--native-hotplug)
			opt_native_hotplug=1
			shift ;;
		--sanitize)
			opt_sanitize=1
			shift ;;
		--prepare-only)
			opt_prepare_only=1
			shift ;;
		-k|-d|-c|-m|-t|-q|--cmdline|--modules|--add)
			need_value "$1" "$#"
			set_option "$1" "$2"
			shift 2 ;;
		-*)
			usage_error "$1: no such option" ;;
		*)
			usage_error "'$1': the command comes after --" ;;
		esac
	done
	check_options
}
