#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs one field case under a preloaded allocator and judges it.

  run_case.py [options] -- PROGRAM [ARGUMENT...]

The verdict `ok` wants: ends in time, status 0, the last line of stdout is
--last (OK), and nothing on stderr. `fault:KIND` wants SIGABRT and exactly one
line on stderr that names the kind, the pointer the program announced, the
reason and the option concerned. `no-hang` wants an end of any sort in time.
`must-fail` wants a death by signal: it tests the tests. An empty --library
runs the case on the C library's own malloc. Status 77 means skipped.
"""

import argparse
import os
import re
import resource
import signal
import subprocess
import sys

SKIPPED = 77
LIMITS = {"as": resource.RLIMIT_AS, "data": resource.RLIMIT_DATA,
          "nofile": resource.RLIMIT_NOFILE, "core": resource.RLIMIT_CORE}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default="")
    parser.add_argument("--mode", default="")
    parser.add_argument("--options", default="")
    parser.add_argument("--before", action="append", default=[],
                        help="preload this in front of the library")
    parser.add_argument("--after", action="append", default=[])
    parser.add_argument("--bare", action="store_true",
                        help="do not preload; the program knows the path")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--limit", action="append", default=[],
                        help="NAME=BYTES with NAME of " + " ".join(LIMITS))
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--verdict", default="ok")
    parser.add_argument("--last", default="OK")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def environment(args):
    env = dict(os.environ)
    for name in ("LD_PRELOAD", "RINGFENCE_MODE", "RINGFENCE_OPTIONS"):
        env.pop(name, None)
    preload = args.before + [args.library] + args.after
    if not args.bare and any(preload):
        env["LD_PRELOAD"] = ":".join(filter(None, preload))
    if args.library and args.mode:
        env["RINGFENCE_MODE"] = args.mode
    if args.library and args.options:
        env["RINGFENCE_OPTIONS"] = args.options
    env.update(pair.split("=", 1) for pair in args.env)
    return env


def set_limits(limits):
    """Called in the child, after fork and before exec."""
    for name, value in limits:
        resource.setrlimit(LIMITS[name], (value, value))


def parse_limit(text):
    name, value = text.split("=")
    unit = UNITS.get(value[-1], 1)
    return name, int(value.rstrip("KMG")) * unit


def run(args):
    """(status, stdout, stderr), with a status of None after a timeout."""
    limits = [("core", 0)] + [parse_limit(text) for text in args.limit]
    child = subprocess.Popen(
        args.command, env=environment(args), start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=lambda: set_limits(limits))
    try:
        out, err = child.communicate(timeout=args.timeout)
        status = child.returncode
    except subprocess.TimeoutExpired:
        status = None
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if status is None:
        out, err = child.communicate()
    return status, out.decode(errors="replace"), err.decode(errors="replace")


def last_line(text):
    lines = text.splitlines()
    return lines[-1] if lines else ""


def judge_ok(args, status, out, err):
    if status != 0:
        yield f"status is {status}, not 0"
    if last_line(out) != args.last:
        yield f"last line is {last_line(out)!r}, not {args.last!r}"
    if err:
        yield "stderr is not empty"


def judge_fault(kind, status, out, err):
    announced = re.search(r"^pointer (0x[0-9a-f]+)$", out, re.MULTILINE)
    pointer = announced.group(1) if announced else "0x[0-9a-f]+"
    line = rf"ringfence: ({kind}) {pointer}: .+; see option [a-z_]+\n"
    if status != -signal.SIGABRT:
        yield f"status is {status}, not a death by SIGABRT"
    if not announced:
        yield "the program did not reach its mistake"
    if not re.fullmatch(line, err):
        yield f"stderr is not one line of the form {line!r}"


def judge(args, status, out, err):
    if status is None:
        return [f"still running after {args.timeout:g} s"]
    if args.verdict == "ok":
        return list(judge_ok(args, status, out, err))
    if args.verdict == "must-fail":
        return [] if status < 0 else [f"status is {status}, not a signal"]
    if args.verdict == "no-hang":
        return []
    return list(judge_fault(args.verdict.split(":")[1], status, out, err))


def main():
    args = arguments()
    status, out, err = run(args)
    if status == SKIPPED:
        print(last_line(out))
        return SKIPPED
    differences = judge(args, status, out, err)
    for difference in differences:
        print("FAILED:", difference)
    if differences or args.verdict == "no-hang":
        print(f"status {status}\n--- stdout\n{out[-4000:]}\n"
              f"--- stderr\n{err[-4000:]}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
