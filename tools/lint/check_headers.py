#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every header compiles alone: the internal ones as GNU C11, the public ones
as strict C11 and as C++17. Include guards are named after the path."""

import argparse
import re
import subprocess

from common import PUBLIC, SRC, Findings

FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wundef", "-Werror"]


def compile_alone(findings, path, root, command, language):
    """Compiles a file, read from stdin, that includes nothing else. (Strict C
    wants at least one declaration in it.)"""
    result = subprocess.run(
        [*command, *FLAGS, f"-I{SRC}", f"-I{PUBLIC}", "-x", language, "-"],
        input=f'#include "{path.relative_to(root)}"\nextern int alone;\n',
        text=True, capture_output=True, check=False)
    if result.returncode != 0:
        first = next((line for line in result.stderr.splitlines()
                      if "error" in line), result.stderr.strip())
        findings.add(path, 1, f"alone with {' '.join(command)}: {first}")


def check_guard(findings, path, root):
    name = str(path.relative_to(root))
    if root == SRC:
        name = "ringfence/" + name
    guard = re.sub(r"[/.]", "_", name).upper()
    match = re.search(r"^#ifndef (\w+)\n#define (\w+)$",
                      path.read_text(encoding="ascii"), re.MULTILINE)
    if not match or set(match.groups()) != {guard}:
        findings.add(path, 1, f"include guard is not {guard}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    arguments = parser.parse_args()
    findings = Findings()
    internal = sorted(SRC.rglob("*.h"))
    public = sorted(PUBLIC.rglob("*.h"))
    for path in internal:
        check_guard(findings, path, SRC)
        compile_alone(findings, path, SRC,
                      [arguments.cc, "-std=gnu11", "-D_GNU_SOURCE"], "c")
    for path in public:
        check_guard(findings, path, PUBLIC)
        compile_alone(findings, path, PUBLIC,
                      [arguments.cc, "-std=c11", "-Wpedantic"], "c")
        compile_alone(findings, path, PUBLIC,
                      [arguments.cxx, "-std=c++17", "-Wpedantic"], "c++")
    findings.finish(len(internal) + len(public))


if __name__ == "__main__":
    main()
