#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""gcc and clang compile files of this project to the same objects. All runs
see one copy of the sources and work in the same directory, whose name becomes
part of an object."""

import glob
import hashlib
import os
import shutil

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(os.path.dirname(HERE))
FLAGS = ["-c", "-g", "-fPIC", "-D_GNU_SOURCE"]
COPY = []


def copy_sources(trial):
    """The directory of the copy, made by the first run."""
    if not COPY:
        COPY.append(trial.path("copy"))
        for name in ("src", "include", "tests/system/field"):
            shutil.copytree(os.path.join(os.path.dirname(TESTS), name),
                            os.path.join(COPY[0], name))
    return COPY[0]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def compile_file(trial, compiler, flags, source):
    target = trial.path("object.o")
    trial.run([compiler, *FLAGS, *flags, "-Isrc", "-Iinclude", "-o", target,
               source], cwd=COPY[0])
    return compiler, flags, source, digest(target)


def work(trial):
    root = copy_sources(trial)
    c_files = sorted(glob.glob("src/base/*.c", root_dir=root) +
                     glob.glob("tests/system/field/[lm]*.c", root_dir=root))
    cxx_files = glob.glob("tests/system/field/new_f*.cc", root_dir=root)
    if not trial.is_full():
        c_files, cxx_files = c_files[:2], []
    results = [compile_file(trial, harness.find(compiler),
                            ["-std=gnu11", "-O3"], source)
               for compiler in ("gcc", "clang") for source in c_files]
    results += [compile_file(trial, harness.find(compiler),
                             ["-std=gnu++17", "-O2"], source)
                for compiler in ("g++", "clang++") for source in cxx_files]
    return results


harness.main(work)
