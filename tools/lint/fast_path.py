#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions of the fast paths, from disassembly.

The fast path of a function is the shortest way from its first instruction to
a `ret` that makes no call and does not leave the function: slow paths are
tail calls, and what is rare makes the way longer.

The numbers are golden: a change must be meant, and is then recorded with
--update. Another version of the compiler than the recorded one is held to
the limits only.
"""

import argparse
import heapq
import pathlib
import platform
import re
import subprocess
import sys

from common import ROOT

LIMITS = {"malloc": 20, "free": 30}
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")
TARGET = re.compile(r"\b([0-9a-f]+) <")
RETURNS = {"ret", "retq"}
CALLS = {"call", "callq", "bl", "blr"}
JUMPS = {"jmp", "jmpq", "b", "br"}
CONDITIONAL = re.compile(r"j(?!mp)\w+|b\.\w+|cbn?z|tbn?z")
FREE = {"nop", "nopw", "nopl", "endbr64", "bti", "xchg"}


def disassemble(library, function):
    """[(address, mnemonic, operands)] of one function."""
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}",
         library], check=True, capture_output=True, text=True).stdout
    matches = (LINE.match(line) for line in text.splitlines())
    found = [(int(m.group(1), 16), m.group(2), m.group(3))
             for m in matches if m]
    if not found:
        sys.exit(f"{library} has no function {function}")
    return found


def successors(code, index):
    """Where execution may go on inside of the function."""
    _, mnemonic, operands = code[index]
    target = TARGET.search(operands)
    if mnemonic in CALLS or mnemonic in RETURNS:
        return []
    if mnemonic in JUMPS:
        return [int(target.group(1), 16)] if target else []
    following = [code[index + 1][0]] if index + 1 < len(code) else []
    if CONDITIONAL.fullmatch(mnemonic):
        following.append(int(target.group(1), 16))
    return following


def shortest_path(code):
    """Instructions on the shortest way to a `ret`; 0 when there is none."""
    position = {address: index for index, (address, _, _) in enumerate(code)}
    cost = [0 if mnemonic in FREE else 1 for _, mnemonic, _ in code]
    waiting = [(cost[0], 0)]
    done = set()
    while waiting:
        length, index = heapq.heappop(waiting)
        if code[index][1] in RETURNS:
            return length
        if index not in done:
            done.add(index)
            for address in successors(code, index):
                if address in position:
                    heapq.heappush(waiting, (length + cost[position[address]],
                                             position[address]))
    return 0


def read_golden(path):
    """({library and function: instructions}, compiler) as recorded."""
    lines = path.read_text(encoding="ascii").splitlines()
    counts = {name: int(count) for name, count in
              (line.rsplit(maxsplit=1) for line in lines
               if not line.startswith("#"))}
    compiler = next(line for line in lines if line.startswith("# compiler "))
    return counts, compiler.removeprefix("# compiler ")


def write_golden(path, counts, compiler):
    lines = [f"# compiler {compiler}", "# library, function, instructions"]
    lines += [f"{name} {count}" for name, count in counts.items()]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    print(f"wrote {path}")


def judge(counts, golden, compiler):
    """What is wrong with the counts, as text."""
    recorded, recorded_compiler = golden
    for name, count in counts.items():
        limit = LIMITS[name.split()[-1].removeprefix("rf_")]
        if not 0 < count <= limit:
            yield f"{name}: {count} instructions, {limit} are allowed"
        if compiler == recorded_compiler and recorded.get(name) != count:
            yield (f"{name}: {count} instructions, {recorded.get(name)} "
                   "recorded (--update when that is meant)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True, help="gcc-12, clang-14")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("functions", nargs="+", metavar="LIBRARY:FUNCTION")
    arguments = parser.parse_args()
    family = arguments.compiler.split("-", maxsplit=1)[0]
    golden = ROOT / "tests" / "golden" / (
        f"fast_path.{platform.machine()}.{family}.txt")
    counts = {}
    for word in arguments.functions:
        library, function = word.rsplit(":", maxsplit=1)
        name = f"{pathlib.Path(library).name} {function}"
        counts[name] = shortest_path(disassemble(library, function))
        print(f"{name}: {counts[name]} instructions")
    if arguments.update:
        write_golden(golden, counts, arguments.compiler)
    if not golden.exists():
        sys.exit(f"{golden} is missing: record it with --update")
    wrong = list(judge(counts, read_golden(golden), arguments.compiler))
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
