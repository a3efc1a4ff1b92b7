# SPDX-License-Identifier: MIT
"""ringfence bench: short runs with the C library on both sides."""
import csv
import os
import stat
import tempfile
import unittest

from cli import Case, PRELOAD, STAND_IN, needs_ringfence

SHORT = ("--scale", "0.001", "-n", "2", "--allocators", "glibc,ringfence")


class Output(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_table_and_raw_results(self):
        tsv = self.path("raw.tsv")
        result = self.tool("bench", *SHORT, "--only", "server,cxx_map",
                           "--tsv", tsv)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout,
                         r"(?m)^workload +glibc +ringfence +\| */glibc +/best"
                         r" +low95$")
        self.assertRegex(result.stdout,
                         r"(?m)^server +[\d.]+\* +[\d.]+ +\| +[\d.]+ +[\d.]+"
                         r" +[\d.]+$")
        self.assertRegex(result.stdout, r"(?m)^ringfence: [\d.]+ x glibc,")
        with open(tsv, encoding="ascii", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        self.assertEqual(len(rows), 2 * 2 * 2)
        for row in rows:
            self.assertEqual(row["error"], "")
            self.assertGreater(float(row["seconds"]), 0)
            self.assertGreater(float(row["peak_kib"]), 500)
            self.assertIn("workload=" + row["workload"], row["detail"])

    def test_order_rotates(self):
        tsv = self.path("raw.tsv")
        self.tool("bench", *SHORT, "--only", "pair_16", "--tsv", tsv)
        with open(tsv, encoding="ascii", newline="") as file:
            order = [row["allocator"]
                     for row in csv.DictReader(file, delimiter="\t")]
        self.assertEqual(order, ["glibc", "ringfence", "ringfence", "glibc"])

    def test_every_workload(self):
        result = self.tool("bench", "--scale", "0.0005", "-n", "1",
                           "--allocators", "glibc", "--only",
                           "workloads,containers")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("over 29 workloads", result.stdout)
        self.assertIn("Resident memory gained per live byte", result.stdout)

    def test_applications(self):
        result = self.tool("bench", "--scale", "0.01", "-n", "1",
                           "--allocators", "glibc,ringfence", "--only",
                           "python,sqlite,perl,lua,redis")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_latency(self):
        result = self.tool("bench", *SHORT, "--only", "batch_100",
                           "--latency")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout,
                         r"(?m)^batch_100 +ringfence +[\d.]+( +\d+){4}$")

    def test_plot(self):
        svg = self.path("figure.svg")
        result = self.tool("bench", *SHORT, "--only", "pair_16", "--svg", svg)
        if "gnuplot is not installed" in result.stderr:
            self.skipTest("gnuplot is not installed")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(svg, encoding="utf-8") as file:
            self.assertIn("<svg", file.read())

    def test_list(self):
        result = self.tool("bench", "--list")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"(?m)^  messages +lists of")
        self.assertIn(STAND_IN, result.stdout)

    def test_modes(self):
        result = self.tool("bench", "--list", "--modes")
        self.assertRegex(result.stdout, r"(?m)^  ringfence-release +/")

    @needs_ringfence
    def test_ringfence_itself(self):
        result = self.tool("bench", *SHORT, "--only", "generations,start_up",
                           library=PRELOAD)
        self.assertEqual(result.returncode, 0, result.stdout)


    @needs_ringfence
    def test_option_reaches_ringfence_only(self):
        result = self.tool("bench", *SHORT, "--only", "perl", "-o",
                           "print_stats=1", library=PRELOAD)
        self.assertEqual(result.returncode, 1)
        self.assertIn("perl, ringfence, repetition 1: wrote on stderr",
                      result.stdout)
        self.assertNotIn("perl, glibc, repetition", result.stdout)


class Failures(Case):
    def test_failed_runs_are_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "perl")
            with open(program, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n"
                           "case $LD_PRELOAD in\n"
                           "?*) echo no heap >&2; exit 3 ;;\n"
                           "esac\n")
            os.chmod(program, stat.S_IRWXU)
            result = self.tool("bench", *SHORT, "--only", "perl",
                               PATH=folder + ":" + os.environ["PATH"])
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^perl +[\d.]+\* +failed ")
        self.assertIn("  perl, ringfence, repetition 2: exit status 3: "
                      "no heap\n", result.stdout)

    def test_wrong_results_are_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "perl")
            with open(program, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho result ${LD_PRELOAD:+wrong}\n")
            os.chmod(program, stat.S_IRWXU)
            result = self.tool("bench", *SHORT, "--only", "perl",
                               PATH=folder + ":" + os.environ["PATH"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong result: 'result wrong', not 'result'",
                      result.stdout)


class Errors(Case):
    def test_unknown_workload(self):
        self.expect(self.tool("bench", "--only", "server,nothing"), 2,
                    err="ringfence bench: no workload is named 'nothing'; "
                        "--list shows them\n")

    def test_with_needs_name_and_path(self):
        self.expect(
            self.tool("bench", "--with", "other", "--list", "--allocators",
                      "other"), 2,
            err="ringfence bench: --with 'other' is not of the form "
                "NAME=PATH\n")

    def test_with_must_replace_malloc(self):
        self.expect(
            self.tool("bench", "--with", "other=libm.so.6", "--list",
                      "--allocators", "other"), 2,
            err="ringfence bench: --with other=libm.so.6: preloading it does "
                "not change malloc\n")

    def test_with(self):
        result = self.tool("bench", "--with", "other=" + STAND_IN, "--list",
                           "--allocators", "other")
        self.assertRegex(result.stdout, r"(?m)^  other +/")

    def test_numbers(self):
        self.expect(self.tool("bench", "-n", "many"), 2,
                    err="ringfence bench: 'many' is not a number from 1 to "
                        "1000\n")
        self.assertEqual(self.tool("bench", "--scale", "-1").returncode, 2)

    def test_tsv_not_writable(self):
        self.expect(
            self.tool("bench", *SHORT, "--only", "pair_16", "--tsv",
                      "/no/folder/raw.tsv"), 1,
            err="ringfence bench: '/no/folder/raw.tsv': No such file or "
                "directory\n")


if __name__ == "__main__":
    unittest.main()
