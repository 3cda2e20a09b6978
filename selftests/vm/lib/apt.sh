# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian packages without touching the machine's own apt: every release has
# a package index of its own in the cache, and all downloads go through it.

readonly DEBIAN_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The machine's own Debian archives, one "SUITE URI" a line. What another
# vendor calls "stable" is not Debian's: where apt knows the origin, it counts.
machine_archives()
{
	# shellcheck disable=SC2016 # apt expands these, not the shell
	apt-get indextargets \
		--format '$(ORIGIN)|$(RELEASE)|$(REPO_URI)' \
		'Created-By: Packages' 'Component: main' 2> /dev/null |
	awk -F'|' '
		$1 == "Debian" || $1 ~ /^\$/ {
			print ($1 == "Debian" ? 0 : 1), $2, $3
		}' |
	LC_ALL=C sort -u | cut -d' ' -f2-
}

# archive_of PATTERN: the URI of the first archive whose suite matches.
archive_of()
{
	awk -v pattern="$1" '$1 ~ pattern && !found { print $2; found = 1 }' \
		<<< "$archives"
}

main_mirror()
{
	local uri=${KLAT_MIRROR:-}

	[[ -n $uri ]] || uri=$(archive_of \
		'^(bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$')
	[[ -n $uri ]] || bench_error "no Debian mirror in apt's configuration:" \
		"set KLAT_MIRROR to one"
	printf '%s\n' "${uri%/}"
}

security_mirror()
{
	local uri=${KLAT_SECURITY_MIRROR:-}

	[[ -n $uri ]] || uri=$(archive_of '(-security|/updates)$')
	printf '%s\n' "${uri%/}"
}

# deb_line URI SUITE
deb_line()
{
	local options=

	[[ ! -e $DEBIAN_KEYRING ]] || options="[signed-by=$DEBIAN_KEYRING] "
	printf 'deb %s%s %s main\n' "$options" "$1" "$2"
}

# sources_of RELEASE [SUITE...]: the lines of its sources.list, with further
# suites of the main archive. sid is the one release that has neither -updates
# nor -security.
sources_of()
{
	local release=$1 suite mirror security archives

	archives=$(machine_archives)
	mirror=$(main_mirror) || return 1
	for suite in "$@"; do
		deb_line "$mirror" "$suite"
	done
	[[ $release != sid ]] || return 0
	[[ -z $(archive_of '-updates$') ]] ||
		deb_line "$mirror" "$release-updates"
	security=$(security_mirror)
	[[ -z $security ]] || deb_line "$security" "$release-security"
}

# apt_options DIR: what makes apt keep to DIR, which is named after a release. The
# release's files may be past their Valid-Until on a mirror that lags, which sid's
# often are.
apt_options()
{
	local arch

	arch=$(arch_of "${1##*/}")
	printf '%s\n' \
		"Dir::Etc::SourceList=$1/sources.list" \
		"Dir::Etc::SourceParts=/dev/null" \
		"Dir::Etc::Preferences=/dev/null" \
		"Dir::Etc::PreferencesParts=/dev/null" \
		"Dir::State=$1/state" \
		"Dir::State::status=$1/status" \
		"Dir::Cache=$1/cache" \
		"APT::Architecture=$arch" \
		"APT::Architectures=$arch" \
		"APT::Sandbox::User=root" \
		"Acquire::Languages=none" \
		"Acquire::Retries=3" \
		"Acquire::Check-Valid-Until=false"
}

# apt_in DIR COMMAND...: apt-get, apt-cache, with DIR's index.
apt_in()
{
	local dir=$1 command=$2 options=() option

	shift 2
	while read -r option; do
		options+=(-o "$option")
	done < <(apt_options "$dir")
	"$command" "${options[@]}" "$@"
}

# apt_make_dir DIR < SOURCES: an index that has not been fetched yet.
apt_make_dir()
{
	mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial"
	: >> "$1/status"
	cat > "$1/sources.list.new"
	if ! cmp -s "$1/sources.list.new" "$1/sources.list"; then
		rm -f "$1/fetched"
		mv "$1/sources.list.new" "$1/sources.list"
	fi
	rm -f "$1/sources.list.new"
}

# apt_fetch_index DIR: fails when the mirror does not answer.
apt_fetch_index()
{
	quietly "$1/update.log" \
		apt_in "$1" apt-get -q -o APT::Update::Error-Mode=any update ||
		return 1
	touch "$1/fetched"
}

# suite_of RELEASE: the one of Debian whose packages it is made of
suite_of()
{
	if is_debug "$1"; then
		printf '%s\n' "$DEBUG_SUITE"
	else
		printf '%s\n' "${1%-arm64}"
	fi
}

release_apt_dir()
{
	printf '%s\n' "$KLAT_CACHE/apt/$1"
}

# release_index RELEASE: 0 when the index is young. An old one is fetched anew;
# when the mirror does not answer, the old one must do.
release_index()
{
	local release=$1 dir sources

	dir=$(release_apt_dir "$release")
	! { is_fresh "$dir/fetched" && is_for_mirror "$dir"; } || return 0
	sources=$(sources_of "$(suite_of "$release")") || return 1
	apt_make_dir "$dir" <<< "$sources"
	say "$release: fetching the package index"
	apt_fetch_index "$dir" && return 0
	[[ -e $dir/fetched ]] ||
		bench_error "$release: the mirror does not answer, and nothing is cached"
	say "$release: the mirror does not answer: going on with what is cached"
	touch "$dir/fetched"
}

# Was the index fetched from where the user now wants it from? What apt is
# configured for is only asked when a new index is due: it takes a second.
is_for_mirror()
{
	[[ -z ${KLAT_MIRROR:-} ]] ||
		grep -qF " ${KLAT_MIRROR%/} " "$1/sources.list"
}
