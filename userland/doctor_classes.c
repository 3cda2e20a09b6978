// SPDX-License-Identifier: GPL-2.0
/*
 * Failures of building and loading modules that are known by what they print. The
 * wordings are those of gcc and clang, of DKMS, of kbuild, of kmod, and of the kernel.
 * Quotes are any bytes that no name has: what a compiler prints depends on the locale.
 */
#include "doctor_classes.h"

#define NO_NAME		"[^A-Za-z_]+"
#define NAME		"([A-Za-z_][A-Za-z_0-9]*)"

#define LLVM_TEXT	"the kernel was built by clang, and gcc does not know its options"
#define LLVM_ADVICE	"make LLVM=1 modules (CONFIG_CC_IS_CLANG=y; needs clang, and lld)"

#define API_TEXT	"the kernel does not have {} in the form that this source wants: its " \
			"interface has changed (hrtimer_init went in 6.15)"
#define API_ADVICE	"update the module's source to a version that knows that kernel"

#define REBUILD		"rebuild it for the kernel that runs (dkms autoinstall, or " \
			"make modules), or reboot if a new kernel is waiting for that"

#define ENROL		"mokutil --import /var/lib/dkms/mok.pub, reboot and choose Enroll MOK; " \
			"or switch Secure Boot off"

const struct failure_class failure_classes[] = {
	{
		.name = "clang-kernel",
		.pattern = "kernel was built by: .*clang.*\n.*[Yy]ou are using: .*gcc",
		.two_lines = true,
		.text = LLVM_TEXT,
		.advice = LLVM_ADVICE,
	},
	{
		.name = "clang-kernel",
		.pattern = "gcc.*: error: unrecognized command.line option " NO_NAME
			   "-?(mstack-alignment|mretpoline|fsplit-lto|Wno-gnu|fexperimental)",
		.text = LLVM_TEXT,
		.advice = LLVM_ADVICE,
	},
	{
		.name = "headers-missing",
		.pattern = "kernel headers for kernel ([^ ]+) cannot be found",
		.text = "the headers of {} are missing",
		.advice = "install the headers of exactly that kernel: apt-get install "
			  "linux-headers-{}",
	},
	{
		.name = "headers-missing",
		.pattern = "/lib/modules/([^/ ]+)/build: No such file or directory",
		.text = "the headers of {} are missing",
		.advice = "install the headers of exactly that kernel: apt-get install "
			  "linux-headers-{}",
	},
	{
		.name = "headers-missing",
		.pattern = "no kernel headers in .*: install linux-headers-([^ ,]+)",
		.text = "the headers of {} are missing",
		.advice = "install the headers of exactly that kernel: apt-get install "
			  "linux-headers-{}",
	},
	{
		.name = "unsupported-kernel",
		.pattern = "(klat (needs|knows|reads) [^\"]*)",
		.text = "{}",
		.advice = "boot a kernel that has it, such as any of Debian's since 12",
	},
	{
		.name = "unsupported-kernel",
		.pattern = "BUILD_EXCLUSIVE directive",
		.text = "DKMS passed the kernel over: klat needs Linux 6.1 or newer on x86-64 or "
			"arm64, with CONFIG_PCI_MSI and CONFIG_HIGH_RES_TIMERS",
		.advice = "boot a kernel that has it, such as any of Debian's since 12",
	},
	{
		.name = "api-changed",
		.pattern = "implicit declaration of function" NO_NAME NAME,
		.text = API_TEXT,
		.advice = API_ADVICE,
	},
	{
		.name = "api-changed",
		.pattern = "call to undeclared function" NO_NAME NAME,
		.text = API_TEXT,
		.advice = API_ADVICE,
	},
	{
		.name = "api-changed",
		.pattern = "too (few|many) arguments (to|in) function",
		.text = "too {} arguments for a function of the kernel's: its interface has "
			"changed",
		.advice = API_ADVICE,
	},
	{
		.name = "api-changed",
		.pattern = "no member named" NO_NAME NAME,
		.text = API_TEXT,
		.advice = API_ADVICE,
	},
	{
		.name = "api-changed",
		.pattern = "Unknown symbol " NAME,
		.text = "the kernel does not export {}",
		.advice = API_ADVICE,
	},
	{
		.name = "key-rejected",
		.pattern = "Key was rejected by service|Required key not available",
		.text = "the kernel does not trust the key that the module is signed with, or it "
			"is unsigned (Secure Boot)",
		.advice = ENROL,
	},
	{
		.name = "key-rejected",
		.pattern = "Loading of module with unavailable key is rejected",
		.nameless = true,
		.text = "the kernel refused a module, as it does not trust its key",
		.advice = ENROL,
	},
	{
		.name = "unsigned",
		.pattern = "Loading of (unsigned module|unsigned module .*) is rejected|"
			   "unsigned module loading is restricted",
		.nameless = true,
		.text = "the kernel takes signed modules only (lockdown or sig_enforce), and "
			"refused one that is unsigned",
		.advice = "sign it (DKMS does, with openssl) and enrol the key; or boot without "
			  "lockdown= and module.sig_enforce, and with Secure Boot off",
	},
	{
		.name = "unsigned-build",
		.pattern = "modules won't be signed",
		.text = "DKMS could not sign what it built",
		.advice = "apt-get install openssl, then dkms remove and dkms install",
	},
	{
		.name = "licence",
		.pattern = "GPL-incompatible module .* uses GPL-only symbol" NO_NAME NAME,
		.text = "the module's licence does not allow it to use {}",
		.advice = "declare it: MODULE_LICENSE(\"GPL\") (klat's own do: take its source as "
			  "it came)",
	},
	{
		.name = "vermagic",
		.pattern = "version magic .* should be '([^ ']+)",
		.text = "the module was built with the headers of another kernel or flavour than "
			"{}, which runs",
		.advice = REBUILD,
	},
	{
		.name = "modversions",
		.pattern = "disagrees about version of symbol " NAME,
		.text = "the module was built with the headers of another kernel: {} is "
			"another there",
		.advice = REBUILD,
	},
	{
		.name = "compiler-missing",
		.pattern = "[ /]((gcc|clang|ld)[-.a-z0-9]*): ((command )?not found|"
			   "No such file or directory)",
		.text = "{}, which the kernel was built with, is not here",
		.advice = "apt-get install {}",
	},
	{
		.name = "foreign-headers",
		.pattern = "version .GLIBC_([0-9.]+). not found",
		.text = "the headers' tools are made for a newer system, with glibc {}",
		.advice = "take kernel and headers from this system's own release",
	},
	{
		.name = "disk-full",
		.pattern = "No space left on device",
		.text = "the disk was full",
		.advice = "df -h, make room, and build again",
	},
	{
		.name = "compiler-differs",
		.pattern = "compiler differs from the one used to build the kernel",
		.harmless = true,
		.text = "the compiler is not quite the kernel's, and the build went on",
		.advice = "nothing: ignore it",
	},
};

const size_t failure_classes_nr = sizeof(failure_classes) / sizeof(failure_classes[0]);
