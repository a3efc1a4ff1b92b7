#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the tests in a build that counts executed lines, then prints the
# coverage of each file of src/ and writes build/coverage/report/index.html.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset coverage
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -LE '^(golden|install|long)$'
mkdir -p build/coverage/report
gcovr --root . --filter src/ --html-details build/coverage/report/index.html \
    --print-summary --txt - build/coverage
