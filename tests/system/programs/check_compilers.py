#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""gcc and clang compile files of this project to the same objects."""

import glob
import hashlib
import os

import harness

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
FLAGS = ["-c", "-g", "-fPIC", "-std=gnu11", "-D_GNU_SOURCE",
         f"-I{ROOT}/src", f"-I{ROOT}/include"]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def compile_file(trial, compiler, level, source):
    result = trial.path("object.o")
    trial.run([compiler, *FLAGS, level, "-o", result, source],
              cwd=trial.directory)
    return os.path.basename(source), digest(result)


def work(trial):
    compilers = [harness.find("gcc"), harness.find("clang")]
    cases = os.path.join(os.path.dirname(os.path.dirname(
        os.path.abspath(__file__))), "field")
    sources = sorted(glob.glob(f"{ROOT}/src/base/*.c") +
                     glob.glob(f"{ROOT}/src/core/*.c") +
                     glob.glob(f"{cases}/[lm]*.c"))
    cxx = sorted(glob.glob(f"{cases}/*.cc"))[:1]
    if not trial.is_full():
        sources, cxx = sources[:2], []
    results = [compile_file(trial, compiler, level, source)
               for compiler in compilers for level in ("-O2", "-O3")
               for source in sources]
    for compiler in (harness.find("g++"), harness.find("clang++")):
        for source in cxx:
            trial.run([compiler, "-c", "-O2", "-std=gnu++17", "-D_GNU_SOURCE",
                       "-o", trial.path("object.o"), source])
            results.append((compiler, digest(trial.path("object.o"))))
    return results


harness.main(work)
