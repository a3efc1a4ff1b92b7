#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Case 5, the static half: the library's TLS segment has at most 64 bytes, so
# that it fits into the dynamic linker's reserve. Usage: LIBRARY
set -eu

size=$(readelf -lW "$1" | awk '$1 == "TLS" { print $6 }')
echo "TLS segment of $1: ${size:-none}"
[ "$((${size:-0}))" -le 64 ]
echo OK
