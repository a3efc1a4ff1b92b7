#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Formats the given C and C++ files in place, with the version of clang-format
# whose output this tree has: tools/dev/format.sh src/heap/span.c ...
set -eu
command -v clang-format-14 >/dev/null || {
    echo "tools/dev/format.sh: needs clang-format-14" >&2
    exit 1
}
exec clang-format-14 -i "$@"
