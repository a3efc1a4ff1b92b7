#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions stay short enough to be read at one look, and so do the files of
the library. Relies on the layout of the code: the name of a function opens a
line, and so do the brace that begins its body and the one that ends it."""

import re

from common import SRC, Findings, tracked_files

LINES_OF_FUNCTION = 70
LINES_OF_FILE = 400
NAME = re.compile(r"^(\w+)\(")


def functions(lines):
    """Yields (name, first line, number of lines) of each definition."""
    name = start = None
    in_body = False
    for number, line in enumerate(lines, 1):
        match = NAME.match(line)
        if match and not in_body:
            name, start = match.group(1), number
        elif line == "{" and name:
            in_body = True
        elif line.startswith("}"):
            if in_body:
                yield name, start, number - start + 1
            name, in_body = None, False


def main():
    findings = Findings()
    checked = 0
    for path in tracked_files():
        if path.suffix not in (".c", ".h"):
            continue
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
        if len(lines) > LINES_OF_FILE and SRC in path.parents:
            findings.add(path, 1, f"{len(lines)} lines, {LINES_OF_FILE} are "
                         "allowed")
        for name, start, length in functions(lines):
            checked += 1
            if length > LINES_OF_FUNCTION:
                findings.add(path, start, f"{name} has {length} lines, "
                             f"{LINES_OF_FUNCTION} are allowed")
    findings.finish(checked)


if __name__ == "__main__":
    main()
