#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Case 37: runs a program where /proc and /sys are empty. Usage: PROGRAM
# Started without the allocator; LIBRARY_UNDER_TEST names it, so that neither
# unshare nor mount runs on it.
set -eu

unshare -rm true 2>/dev/null || {
    echo "skipped: no permission for a mount namespace"
    exit 77
}
exec unshare -rm sh -c '
    mount -t tmpfs none /proc && mount -t tmpfs none /sys || exit 77
    LD_PRELOAD=${LIBRARY_UNDER_TEST-} exec "$1"' sh "$1"
