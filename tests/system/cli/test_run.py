# SPDX-License-Identifier: MIT
"""ringfence, and ringfence run: environment, messages, exit statuses."""
import os
import shutil
import tempfile
import unittest

from cli import Case, PRELOAD, STAND_IN, needs_ringfence

MORE = "`ringfence run --help` tells more.\n"


class Commands(Case):
    def test_usage(self):
        result = self.tool()
        self.assertEqual(result.returncode, 2)
        self.assertIn("usage: ringfence COMMAND", result.stderr)
        self.assertIn("usage: ringfence COMMAND", self.tool("--help").stdout)

    def test_version(self):
        self.assertRegex(self.tool("--version").stdout,
                         r"\Aringfence \d+\.\d+\.\d+\n\Z")

    def test_unknown_command(self):
        result = self.tool("rn")
        self.assertEqual(result.returncode, 2)
        self.assertIn("ringfence: unknown command 'rn'\n", result.stderr)

    def test_every_command_has_help(self):
        for command in "run", "doctor", "bench":
            result = self.tool(command, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("usage: ringfence " + command, result.stdout)


class Environment(Case):
    def variable(self, name, *arguments, **variables):
        result = self.tool("run", *arguments, "printenv", name, **variables)
        self.assertEqual(result.stderr, "")
        return result.stdout.rstrip("\n")

    def test_preload(self):
        self.assertEqual(self.variable("LD_PRELOAD"), STAND_IN)

    def test_preload_goes_in_front_once(self):
        self.assertEqual(self.variable("LD_PRELOAD", LD_PRELOAD="libm.so.6"),
                         STAND_IN + ":libm.so.6")
        self.assertEqual(self.variable("LD_PRELOAD", LD_PRELOAD=STAND_IN),
                         STAND_IN)

    def test_library_option_wins(self):
        self.assertEqual(self.variable("LD_PRELOAD", "--library", STAND_IN,
                                       library="/nonexistent"), STAND_IN)

    def test_mode(self):
        self.assertEqual(self.variable("RINGFENCE_MODE", "-m", "release"),
                         "release")

    def test_mode_wins_over_options_in_the_environment(self):
        self.assertEqual(
            self.variable("RINGFENCE_OPTIONS", "-m", "release",
                          RINGFENCE_OPTIONS="mode=other:verbosity=1"),
            "mode=other:verbosity=1:mode=release")

    def test_options_keep_their_order(self):
        self.assertEqual(
            self.variable("RINGFENCE_OPTIONS", "-o", "dirty_decay_ms=1",
                          "--option", "dirty_decay_ms=2",
                          RINGFENCE_OPTIONS="verbosity=1"),
            "verbosity=1:dirty_decay_ms=1:dirty_decay_ms=2")

    def test_separators_in_values_are_quoted(self):
        self.assertEqual(
            self.variable("RINGFENCE_OPTIONS", "-o", "verbosity=1:2"),
            "verbosity='1:2'")

    @needs_ringfence
    def test_options_reach_the_library(self):
        result = self.tool("run", "-o", "dirty_decay_ms=77", "-o", "help=1",
                           "ls", "/", library=PRELOAD)
        self.assertRegex(result.stderr, r"dirty_decay_ms\s*=\s*77\b")


class Errors(Case):
    def test_no_program(self):
        self.expect(self.tool("run"), 125,
                    err="ringfence run: no program to run\n" + MORE)

    def test_program_not_found(self):
        self.expect(
            self.tool("run", "no-such-program"), 127,
            err="ringfence run: 'no-such-program': No such file or "
                "directory\n")

    def test_program_not_executable(self):
        self.expect(self.tool("run", "/etc/passwd"), 126,
                    err="ringfence run: '/etc/passwd': Permission denied\n")

    def test_library_not_found(self):
        self.expect(
            self.tool("run", "--library", "/no/lib.so", "true"), 125,
            err="ringfence run: library '/no/lib.so': No such file or "
                "directory\n")

    def test_library_with_a_colon(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.path.realpath(folder), "a:b.so")
            shutil.copy(STAND_IN, path)
            self.expect(
                self.tool("run", "--library", path, "true"), 125,
                err=f"ringfence run: library '{path}': LD_PRELOAD cannot "
                    "hold a path with a colon or a space\n")

    def test_unknown_mode(self):
        self.expect(self.tool("run", "-m", "fast", "true"), 125,
                    err="ringfence run: unknown mode 'fast' (known: "
                        "release)\n")

    def test_unknown_option(self):
        self.expect(self.tool("run", "-o", "verbosty=1", "true"), 125,
                    err="ringfence run: unknown option 'verbosty', did you "
                        "mean 'verbosity'?\n")
        self.expect(self.tool("run", "-o", "xyzzy=1", "true"), 125,
                    err="ringfence run: unknown option 'xyzzy'\n")

    def test_option_without_value(self):
        self.expect(self.tool("run", "-o", "verbosity", "true"), 125,
                    err="ringfence run: option 'verbosity' is not of the "
                        "form key=value\n")

    def test_unknown_argument(self):
        result = self.tool("run", "--fast", "true")
        self.assertEqual(result.returncode, 125)
        self.assertTrue(result.stderr.endswith(MORE))


class Programs(Case):
    def test_exit_status_passes_through(self):
        self.expect(self.tool("run", "--", "sh", "-c", "exit 9"), 9)

    def test_arguments_are_the_programs_own(self):
        self.expect(self.tool("run", "echo", "-o", "--help"), 0,
                    out="-o --help\n")

    def test_static_program(self):
        program = "/sbin/ldconfig"
        if not os.access(program, os.X_OK):
            self.skipTest("no static program here")
        result = self.tool("run", program, "--version")
        self.assertEqual(
            (result.returncode, result.stderr),
            (0, f"ringfence run: warning: ringfence has no effect on "
                f"'{program}': it is statically linked\n"))

    def test_set_uid_program(self):
        if os.getuid() != 0:
            self.skipTest("needs root to make a set-uid program")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "true")
            shutil.copy("/bin/true", program)
            os.chown(program, 65534, 65534)
            os.chmod(program, 0o4755)
            result = self.tool("run", program)
        self.assertEqual(
            result.stderr,
            f"ringfence run: warning: ringfence has no effect on "
            f"'{program}': it gains rights when it starts (set-uid, set-gid "
            "or file capabilities)\n")


if __name__ == "__main__":
    unittest.main()
