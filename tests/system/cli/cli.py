# SPDX-License-Identifier: MIT
"""Runs the command-line tool for the tests beside this file."""
import os
import subprocess
import unittest

TOOL = os.environ["RINGFENCE_TOOL"]
# A library that replaces malloc by the C library's own.
STAND_IN = os.path.realpath(os.environ["RINGFENCE_STAND_IN"])
# ringfence itself, or "" when it is not built.
PRELOAD = os.environ.get("RINGFENCE_TEST_PRELOAD", "")

needs_ringfence = unittest.skipUnless(PRELOAD, "the library is not built")


class Case(unittest.TestCase):
    maxDiff = None

    def tool(self, *arguments, library=STAND_IN, **variables):
        """Result of the tool in a clean environment."""
        environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith("RINGFENCE_") and key != "LD_PRELOAD"}
        if library:
            environment["RINGFENCE_LIBRARY"] = library
        environment.update(variables)
        return subprocess.run([TOOL, *arguments], env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=200, check=False)

    def expect(self, result, status, out="", err=""):
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (status, out, err))
