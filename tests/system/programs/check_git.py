#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""git: clones this repository, or a small one made for the purpose, repacks
it with several threads and checks every object. The repository may grow while
the check runs, so all runs look at the commit that the first one found."""

import os

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
IDENTITY = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
            "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
            "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*"}


START = []


def make_source(trial, git):
    """A repository of our own, small enough for a quick look."""
    source = trial.path("source")
    trial.run([git, "init", "-q", source])
    for i in range(8):
        trial.write(f"source/file{i % 4}.txt",
                    "".join(f"{i} {line}\n" for line in range(2000)))
        trial.run([git, "add", "."], cwd=source)
        trial.run([git, "commit", "-q", "-m", f"change {i}"], cwd=source,
                  env=IDENTITY)
    return source


def find_source(trial, git):
    """This repository, if these files are in one."""
    if trial.is_full():
        top = trial.run(["/bin/sh", "-c", f"'{git}' -C '{HERE}' rev-parse "
                         "--show-toplevel 2>&1 || true"], env=IDENTITY).strip()
        if os.path.exists(os.path.join(top, ".git")):
            return top
    return make_source(trial, git)


def work(trial):
    git = harness.find("git")
    clone = trial.path("clone")

    def run(*command):
        return trial.run([git, *command], cwd=clone, env=IDENTITY)

    source = find_source(trial, git)
    trial.run([git, "clone", "-q", "--no-local", source, clone], env=IDENTITY)
    head = run("rev-parse", "HEAD").strip()
    if not START:
        START.append(head)
    run("checkout", "-q", START[0])
    run("gc", "-q", "--prune=now")
    run("repack", "-a", "-d", "-f", "-q", "--threads=4", "--depth=20")
    return [run("fsck", "--full", "--strict", "--no-progress"),
            run("rev-parse", "HEAD"), run("status", "--short"),
            run("log", "--stat", "--oneline", "-M", START[0])]


harness.main(work)
