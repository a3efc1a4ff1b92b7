#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Python's own regression tests, on pymalloc and on plain malloc. They wait
more than they compute, so a few of them run at a time."""

import concurrent.futures
import re

import harness

QUICK = ["test_list", "test_dict"]
FULL = ["test_subprocess", "test_threading", "test_json", "test_mmap"] + QUICK
PYTHON = "/usr/bin/python3"
AT_ONCE = 3


def run_tests(trial, name, allocator):
    out = trial.run([PYTHON, "-m", "test", name],
                    env={"PYTHONMALLOC": allocator})
    verdicts = re.findall(r"^(?:All |Total |\d+ ).*(?:OK|run|omitted).*$", out,
                          re.MULTILINE)
    skipped = re.findall(r"^(?:test_\w+ skipped.*|Tests result: .*)$", out,
                         re.MULTILINE)
    return verdicts + skipped


def work(trial):
    probe = "import test.test_list, test.support.script_helper"
    if trial.attempt([PYTHON, "-c", probe]) != 0:
        raise harness.Skip("python3 came without its tests")
    jobs = [(name, allocator) for name in (
        FULL if trial.is_full() else QUICK)
        for allocator in ("default", "malloc")]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda job: run_tests(trial, *job), jobs))
    trial.complaints.sort()
    return results


harness.main(work)
