#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The threaded C++ program of threaded.cc; RINGFENCE_TEST_THREADED is where
it was built."""

import os

import harness

THREADED = os.environ.get("RINGFENCE_TEST_THREADED", "")


def work(trial):
    if not THREADED:
        raise harness.Skip("RINGFENCE_TEST_THREADED is not set")
    return trial.run([THREADED, "30000" if trial.is_full() else "3000"])


harness.main(work)
