#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the symbol tables of what was built.

Archives of the layers define nothing but rf_*, rfi_* and, in the topmost
layer, libc's names. The shared libraries export exactly what
tests/golden/exports.txt lists, with rf_* versioned and the malloc family in
the base version: a program asks for malloc with libc's version, and only a
definition without one matches. --update rewrites the list.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from common import ROOT, Findings

GOLDEN = ROOT / "tests" / "golden" / "exports.txt"
OURS = re.compile(r"(rf_|rfi_|__ringfence)")


def defined_symbols(path, *options):
    """(type letter, name) of each global symbol that the file defines."""
    listing = subprocess.run(
        ["nm", "--defined-only", "--extern-only", *options, path],
        check=True, capture_output=True, text=True).stdout
    found = set()
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) >= 3:
            found.add((fields[-2], fields[-1]))
    return found


def exports(library):
    """Lines of the golden file: library and versioned name."""
    return {f"{library.name} {name}"
            for kind, name in defined_symbols(library, "--dynamic")
            if kind != "A"}


def check_versions(findings, lines):
    for line in lines:
        library, name = line.split()
        ours = OURS.match(name) is not None
        if ours != ("@@RINGFENCE_" in name):
            findings.add(library, 0, f"{name}: rf_* carry a version, and "
                         "nothing else does")


def check_golden(findings, lines, update):
    if update:
        GOLDEN.write_text("".join(f"{line}\n" for line in sorted(lines)),
                          encoding="ascii")
    if not GOLDEN.exists():
        sys.exit(f"{GOLDEN} is missing: run with --update")
    golden = set(GOLDEN.read_text(encoding="ascii").splitlines())
    for line in sorted(lines - golden):
        findings.add(GOLDEN, 0, f"exported but not listed: {line}")
    for line in sorted(golden - lines):
        findings.add(GOLDEN, 0, f"listed but not exported: {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--archives", nargs="*", type=pathlib.Path,
                        default=[], help="the layers below the topmost")
    parser.add_argument("--libraries", nargs="*", type=pathlib.Path,
                        default=[], help="the shared libraries")
    arguments = parser.parse_args()
    findings = Findings()
    checked = 0
    for archive in arguments.archives:
        for _, name in sorted(defined_symbols(archive)):
            checked += 1
            if not OURS.match(name):
                findings.add(archive, 0, f"{name} is neither rf_* nor rfi_*")
    if arguments.libraries:
        lines = set().union(*map(exports, arguments.libraries))
        checked += len(lines)
        check_versions(findings, lines)
        check_golden(findings, lines, arguments.update)
    findings.finish(checked)


if __name__ == "__main__":
    main()
