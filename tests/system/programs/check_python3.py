#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Python's own regression tests, on pymalloc and on plain malloc."""

import re

import harness

QUICK = ["test_list", "test_dict"]
FULL = QUICK + ["test_json", "test_threading", "test_subprocess", "test_mmap"]
PYTHON = "/usr/bin/python3"


def run_tests(trial, name, allocator):
    out = trial.run([PYTHON, "-m", "test", name],
                    env={"PYTHONMALLOC": allocator} if allocator else None)
    verdicts = re.findall(r"^(?:All |Total |\d+ ).*(?:OK|run|omitted).*$", out,
                          re.MULTILINE)
    skipped = re.findall(r"^(?:test_\w+ skipped.*|Tests result: .*)$", out,
                         re.MULTILINE)
    return verdicts + skipped


def work(trial):
    probe = "import test.test_list, test.support.script_helper"
    trial.run([PYTHON, "-c", probe])
    names = FULL if trial.is_full() else QUICK
    return [run_tests(trial, name, allocator)
            for allocator in (None, "malloc") for name in names]


harness.main(work)
