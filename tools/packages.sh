#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages that a task needs and that are missing:
#
#   tools/packages.sh try    build ringfence and run it
#   tools/packages.sh test   and run the tests
#   tools/packages.sh all    and the benchmarks' peers, cross builds, campaigns
#
# Silent and quick when nothing is missing. Needs root or sudo otherwise.
set -eu

build="cmake ninja-build gcc g++ binutils libc6-dev"
try="$build python3 sqlite3"
test="$try spin gnuplot-nox clang clang-14 libclang-rt-14-dev llvm-14 lld
    ccache pkg-config libcmocka-dev valgrind strace procps git perl nodejs
    redis-server redis-tools nginx wrk libpython3.11-testsuite dpkg-dev file"
all="$test afl++ clang-format-14 clang-tidy-14 gcovr hyperfine
    g++-aarch64-linux-gnu qemu-user lua5.4
    libmimalloc2.0 libjemalloc2 libtcmalloc-minimal4 libtbbmalloc2"

fail() {
    echo "tools/packages.sh: $*" >&2
    exit 1
}

missing() {
    for package in "$@"; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" \
            2>/dev/null || true)
        [ "$status" = installed ] || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "missing packages:" $wanted "- install them, or run this as" \
            "root or with sudo installed"
    fi
}

# Keeps the servers that some tests start by themselves from being started as
# services of this machine when they are installed.
policy=/usr/sbin/policy-rc.d
forbid_services() {
    [ -e $policy ] && return
    printf '#!/bin/sh\nexit 101\n' | as_root tee $policy >/dev/null
    as_root chmod 755 $policy
    trap 'as_root rm -f $policy' EXIT
}

install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
        --no-install-recommends -o DPkg::Lock::Timeout=120 $wanted
}

case ${1:-} in
try) wanted=$(missing $try) ;;
test) wanted=$(missing $test) ;;
all) wanted=$(missing $all) ;;
*) fail "usage: tools/packages.sh try|test|all" ;;
esac
[ -n "$wanted" ] || exit 0

command -v apt-get >/dev/null || fail "no apt-get here; needed are:" $wanted
echo "== installing" $wanted
forbid_services
if ! as_root apt-get update -q; then
    echo "tools/packages.sh: no new package lists; trying the old ones" >&2
fi
install || fail "could not install:" $wanted "- is this machine online?"
