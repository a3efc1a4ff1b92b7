#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the model of span ownership with Spin.

    run.py DIRECTORY [quick]

Builds in DIRECTORY and explores every configuration completely. Then shows
that the model can fail: each mutant of the protocol must break a property,
and each place marked REACHED(n) must be reached by some configuration. Quick
leaves out the largest configurations. Exit status 77 without Spin.
"""
import pathlib
import re
import shutil
import subprocess
import sys

MODEL = pathlib.Path(__file__).with_name("span_ownership.pml")
CONFIGURATIONS = {1: "owner and freer", 2: "two freers",
                  3: "descriptors reused", 4: "death and adoption",
                  5: "death and remote frees"}
LARGE = (2, 5)
# What is wrong, and the configuration that must notice.
MUTANTS = {
    1: ("owner not looked at again under the lock", 4),
    2: ("claimed at the wake count", 4),
    3: ("life ends without the lock", 3),
    4: ("shelved twice", 4),
    5: ("shelved span never claimed", 4),
    6: ("let go over pushed blocks", 4),
}
WITNESSES = {1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4, 9: 4, 10: 4,
             11: 4}
# Compiling costs more than it saves but for the largest state spaces.
COMPILE = ["gcc", "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=2048",
           "-DMEMLIM=3500", "-o", "pan", "pan.c"]


def explore(directory, **defines):
    """Returns (errors, states, the first complaint)."""
    options = [f"-D{name.upper()}={value}" for name, value in defines.items()]
    subprocess.run(["spin", *options, "-a", MODEL], cwd=directory, check=True,
                   stdout=subprocess.DEVNULL)
    level = "-O1" if defines["config"] in LARGE and len(defines) == 1 else "-O0"
    subprocess.run([*COMPILE, level], cwd=directory, check=True)
    result = subprocess.run(["./pan", "-m3000000", "-w24", "-n"],
                            cwd=directory, capture_output=True, text=True)
    text = result.stdout
    errors = re.search(r"errors: (\d+)", text)
    states = re.search(r"(\d+) states, stored", text)
    complaint = re.search(r"^pan:\d+: (.*)", text, re.M)
    if not errors or "error: max search depth" in text \
            or "Search not completed" in text and not complaint:
        sys.exit(f"{defines}: not explored completely\n{text}")
    return (int(errors[1]), int(states[1]) if states else 0,
            complaint[1] if complaint else "")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if shutil.which("spin") is None:
        print("skipped: spin is not installed")
        sys.exit(77)
    directory = pathlib.Path(sys.argv[1]) / "spin"
    directory.mkdir(parents=True, exist_ok=True)
    quick = "quick" in sys.argv[2:]
    failed = 0

    def judge(is_right, line):
        nonlocal failed
        failed += not is_right
        print("ok  " if is_right else "FAIL", line, flush=True)

    for number, what in CONFIGURATIONS.items():
        if not (quick and number in LARGE):
            errors, states, complaint = explore(directory, config=number)
            judge(errors == 0,
                  f"{what}: {states} states {complaint}".rstrip())
    for number, (what, config) in MUTANTS.items():
        errors, _, complaint = explore(directory, config=config,
                                       mutant=number)
        judge(errors != 0, f"mutant {number}, {what}: {complaint}")
    for number, config in WITNESSES.items():
        errors, _, complaint = explore(directory, config=config,
                                       witness=number)
        judge(f"({number}!={number})" in complaint, f"reached: {number}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
