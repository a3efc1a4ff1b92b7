# SPDX-License-Identifier: MIT
"""ringfence doctor: verdicts, exit statuses, JSON."""
import json
import unittest

from cli import Case, PRELOAD, STAND_IN, needs_ringfence

CHECKS = ["kernel", "page size", "address bits", "overcommit",
          "max_map_count", "huge pages", "guard markers", "RLIMIT_AS",
          "RLIMIT_DATA", "RLIMIT_MEMLOCK", "LD_PRELOAD", "rule file",
          "library", "loading", "bench peers", "gnuplot", "strace"]


class Doctor(Case):
    def findings(self, *arguments, status=0, **variables):
        """By name."""
        result = self.tool("doctor", "--json", *arguments, **variables)
        self.assertEqual(result.returncode, status, result.stderr)
        return {finding["name"]: finding
                for finding in json.loads(result.stdout)}

    def test_all_checks_are_there(self):
        found = self.findings()
        self.assertEqual([name for name in CHECKS if name not in found], [])
        self.assertEqual(found["library"]["value"], STAND_IN)
        self.assertEqual(found["loading"]["verdict"], "ok")

    def test_text(self):
        result = self.tool("doctor")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^ok +kernel +Linux ")
        self.assertRegex(result.stdout,
                         r"\n\d+ ok, \d+ warnings, 0 broken\n\Z")

    def test_library_missing(self):
        result = self.tool("doctor", "--library", "/no/lib.so")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr,
                         "ringfence doctor: library '/no/lib.so': No such "
                         "file or directory\n")
        self.assertRegex(result.stdout, r"(?m)^broken +library +not usable$")

    def test_library_that_does_not_replace_malloc(self):
        with open("/proc/self/maps", encoding="utf-8") as maps:
            paths = [line.split()[-1] for line in maps]
        libm = next(path for path in paths if "/libm.so" in path)
        found = self.findings("--library", libm, status=1)
        self.assertEqual(found["loading"]["verdict"], "broken")
        self.assertIn("malloc still comes from", found["loading"]["value"])

    def test_preload_is_noticed(self):
        found = self.findings(LD_PRELOAD="libm.so.6")
        self.assertEqual(found["LD_PRELOAD"]["verdict"], "warn")

    def test_wrong_argument(self):
        self.expect(self.tool("doctor", "please"), 2,
                    err="ringfence doctor: unexpected argument 'please'\n")

    @needs_ringfence
    def test_options_in_effect(self):
        found = self.findings(library=PRELOAD,
                              RINGFENCE_OPTIONS="dirty_decay_ms=42")
        self.assertIn("dirty_decay_ms=42",
                      found["options in effect"]["value"].split())

    @needs_ringfence
    def test_wrong_option_is_shown(self):
        found = self.findings(library=PRELOAD,
                              RINGFENCE_OPTIONS="verbosty=1")
        self.assertEqual(found["options"]["verdict"], "warn")
        self.assertIn("verbosty", found["options"]["value"])


if __name__ == "__main__":
    unittest.main()
