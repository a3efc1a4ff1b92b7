#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes go downward only, in the order of src/layers.txt, and the fast
path is inlined only where it is meant to be."""

import re

from common import PUBLIC, SRC, Findings, layers

# All inline code on purpose; each includer is one more copy of it.
RESTRICTED = {
    "heap/fast.h": {"api/entry.h"},
}
# The lowest layer that may know the public headers.
LOWEST_PUBLIC = "inspect"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def check_include(findings, order, path, number, target):
    name = str(path.relative_to(SRC))
    layer = name.split("/")[0]
    target_layer = target.split("/")[0]
    if target_layer == "ringfence" and (PUBLIC / target).is_file():
        if order[layer] < order[LOWEST_PUBLIC]:
            findings.add(path, number, f"{layer} does not know {target}")
    elif "/" not in target or not (SRC / target).is_file():
        findings.add(path, number, f'"{target}" is no path below src/')
    elif order[target_layer] > order[layer]:
        findings.add(path, number, f"{layer} may not include {target}: "
                     f"{target_layer} is a higher layer")
    elif name not in RESTRICTED.get(target, {name}):
        findings.add(path, number, f"{target} is for others only")


def main():
    findings = Findings()
    order = {name: rank for rank, name in enumerate(layers())}
    files = [path for path in sorted(SRC.rglob("*"))
             if path.suffix in (".c", ".h", ".def", ".S")]
    for path in files:
        if path.relative_to(SRC).parts[0] not in order:
            findings.add(path, 1, "is in no layer of src/layers.txt")
            continue
        lines = path.read_text(encoding="ascii").splitlines()
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                check_include(findings, order, path, number, match.group(1))
    findings.finish(len(files))


if __name__ == "__main__":
    main()
