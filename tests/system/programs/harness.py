# SPDX-License-Identifier: MIT
"""What the checks of real programs share.

A check is a script with one function work(trial), which runs the program and
returns what is to be compared. main(work) calls it on the C library's own
malloc, on the library, and on the library with twice the address space that
the first run needed; results and stderr of all runs must be equal.

  check_NAME.py --library=PATH [--mode=MODE] [--scale=quick|full]
                [--vmpeak=PATH]

RINGFENCE_TEST_SCALE is the default of --scale. Status 77 means skipped.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SKIPPED = 77


class Failure(Exception):
    """The program did not do what it does elsewhere."""


class Skip(Exception):
    """The machine has not what the check needs."""


def find(name):
    """The path of a program, or the check is skipped."""
    path = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin")
    if not path:
        raise Skip(f"no {name} here")
    return path


def free_port():
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.02)


class Trial:
    """One run of a program: the allocator below it, a directory of its own,
    and what its processes wrote to stderr."""

    def __init__(self, args, library, limit=None):
        self.scale = args.scale
        self.name = library or "libc"
        self.limit = limit
        self.directory = tempfile.mkdtemp(prefix="ringfence-test-")
        self.peaks = os.path.join(self.directory, "vmpeak")
        self.complaints = []
        self.servers = []
        self.env = self.environment(args, library)

    def environment(self, args, library):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith(("LD_PRELOAD", "RINGFENCE_", "MALLOC_"))}
        env.update(LC_ALL="C.UTF-8", HOME=self.directory,
                   TMPDIR=self.directory)
        if library:
            env.update(LD_PRELOAD=library, RINGFENCE_MODE=args.mode)
        elif args.vmpeak:
            env.update(LD_PRELOAD=args.vmpeak,
                       RINGFENCE_TEST_VMPEAK=self.peaks)
        return env

    def is_full(self):
        return self.scale == "full"

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def prepare_child(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.limit:
            resource.setrlimit(resource.RLIMIT_AS, (self.limit, self.limit))

    def start(self, command, env=None, cwd=None):
        return subprocess.Popen(
            command, env=dict(self.env, **(env or {})),
            cwd=cwd or self.directory, preexec_fn=self.prepare_child,
            start_new_session=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace")

    def run(self, command, text="", env=None, cwd=None, timeout=300,
            status=0):
        """Runs a program to its end and returns what it printed."""
        child = self.start(command, env, cwd)
        try:
            out, err = child.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{command[0]} runs longer than {timeout} s") \
                from late
        finally:
            kill_group(child)
        self.complain(err)
        if child.returncode != status:
            raise Failure(f"{' '.join(command)[:200]}: status "
                          f"{child.returncode}, not {status}\n"
                          f"{out[-2000:]}\n{err[-4000:]}")
        return out

    def attempt(self, command):
        """The status of a command that may well fail."""
        child = self.start(command)
        child.communicate()
        return child.returncode

    def serve(self, command):
        """Starts a server that stop() ends with SIGTERM."""
        server = self.start(command)
        self.servers.append(server)
        return server

    def stop(self, server, timeout=30):
        self.servers.remove(server)
        server.send_signal(signal.SIGTERM)
        try:
            _, err = server.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as late:
            raise Failure("the server does not stop") from late
        finally:
            kill_group(server)
        self.complain(err)
        if server.returncode not in (0, -signal.SIGTERM):
            raise Failure(f"server: status {server.returncode}\n{err[-4000:]}")

    def complain(self, err):
        self.complaints.append(plain(err, self.directory))

    def peak_bytes(self):
        """The largest address space that a process of this trial had."""
        if not os.path.exists(self.peaks):
            return None
        with open(self.peaks, encoding="ascii") as file:
            return max(int(line.split()[0]) for line in file) * 1024

    def clean_up(self):
        for server in self.servers:
            kill_group(server)
            server.communicate()
        shutil.rmtree(self.directory, ignore_errors=True)


def kill_group(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def plain(text, directory):
    """Text without what differs from run to run: paths, times, addresses."""
    text = text.replace(directory, "DIRECTORY")
    text = re.sub(r"0x[0-9a-f]+", "ADDRESS", text)
    text = re.sub(r"\b\d+\.\d+ ?(m?s|sec|seconds)\b", "TIME", text)
    return re.sub(r"\b\d+ (ms|sec|min)\b", "TIME", text)


def compare(base, base_result, trial, result):
    label = f"{trial.name} with {limit_text(trial)}"
    if result != base_result:
        raise Failure(f"{label}: the result differs\n--- libc\n"
                      f"{str(base_result)[-2000:]}\n--- here\n"
                      f"{str(result)[-2000:]}")
    if trial.complaints != base.complaints:
        pairs = zip(base.complaints, trial.complaints)
        first = next((pair for pair in pairs if pair[0] != pair[1]),
                     (base.complaints, trial.complaints))
        raise Failure(f"{label}: stderr differs\n--- libc\n"
                      f"{str(first[0])[-2000:]}\n--- here\n"
                      f"{str(first[1])[-2000:]}")


def limit_text(trial):
    return f"{trial.limit >> 20} MiB" if trial.limit else "no limit"


def timed(work, trial):
    start = time.monotonic()
    result = work(trial)
    seconds = time.monotonic() - start
    print(f"{trial.name}, {limit_text(trial)}: {seconds:.1f} s", flush=True)
    return result


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default="")
    parser.add_argument("--mode", default="release")
    parser.add_argument("--vmpeak", default="",
                        help="library that measures the run on libc")
    parser.add_argument("--scale", choices=("quick", "full"),
                        default=os.environ.get("RINGFENCE_TEST_SCALE", "full"))
    return parser.parse_args()


def check(work, args, trials, is_limited):
    def new_trial(library, limit=None):
        trials.append(Trial(args, library, limit))
        return trials[-1]

    base = new_trial("")
    expected = timed(work, base)
    if not args.library:
        return
    trial = new_trial(args.library)
    compare(base, expected, trial, timed(work, trial))
    if is_limited and base.peak_bytes():
        trial = new_trial(args.library, 2 * base.peak_bytes())
        compare(base, expected, trial, timed(work, trial))


def main(work, is_limited=True):
    trials = []
    try:
        check(work, arguments(), trials, is_limited)
        print("OK")
    except Skip as reason:
        print("skipped:", reason)
        sys.exit(SKIPPED)
    except Failure as failure:
        print("FAILED", trials[-1].name, limit_text(trials[-1]), failure)
        sys.exit(1)
    finally:
        for trial in trials:
            trial.clean_up()
