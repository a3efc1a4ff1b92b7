#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and runs the fuzz targets; docs/fuzzing.md explains them.

    tools/dev/fuzz.py list
    tools/dev/fuzz.py build
    tools/dev/fuzz.py run TARGET [--time SECONDS] [--asan] [-- option...]
    tools/dev/fuzz.py regression [TARGET]
    tools/dev/fuzz.py coverage TARGET

Corpora and artifacts are kept in build/fuzz. Options after -- are libFuzzer's.
"""

import argparse
import configparser
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUZZ = ROOT / "fuzz"
BUILD = ROOT / "build" / "fuzz"


def targets():
    return sorted(path.stem for path in (FUZZ / "targets").glob("fuzz_*.c"))


def run(*command, **options):
    """Runs a command and ends with its status when that is not 0."""
    result = subprocess.run([str(word) for word in command], check=False,
                            **options)
    if result.returncode != 0:
        sys.exit(result.returncode)


def build_tree(directory, what, *options):
    run("cmake", "-S", ROOT, "-B", directory, "-G", "Ninja",
        "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++", *options,
        stdout=subprocess.DEVNULL)
    run("cmake", "--build", directory, "--target", *what)


def build():
    replays = [f"replay_{target}" for target in targets()]
    build_tree(BUILD, ["fuzzers", *replays], "-DRINGFENCE_FUZZ=ON")


def inputs(target, *more):
    """The directories with inputs of a target that exist."""
    places = [FUZZ / "seeds" / target, FUZZ / "regressions" / target, *more]
    return [place for place in places if place.is_dir()]


def libfuzzer_options(target):
    """From the target's .options file, as ClusterFuzz reads it."""
    settings = configparser.ConfigParser()
    settings["libfuzzer"] = {"max_len": "2400", "timeout": "60",
                             "rss_limit_mb": "3000"}
    settings.read(FUZZ / "targets" / f"{target}.options")
    options = dict(settings["libfuzzer"])
    if "dict" in options:
        options["dict"] = FUZZ / "targets" / options["dict"]
    return [f"-{key}={value}" for key, value in options.items()]


def run_target(target, seconds, asan, more):
    corpus = BUILD / "corpus" / target
    artifacts = BUILD / "artifacts" / target
    corpus.mkdir(parents=True, exist_ok=True)
    artifacts.mkdir(parents=True, exist_ok=True)
    run(BUILD / "fuzz" / f"{target}-{'asan' if asan else 'fast'}",
        *libfuzzer_options(target), f"-max_total_time={seconds}",
        f"-artifact_prefix={artifacts}/", "-print_final_stats=1", *more,
        corpus, *inputs(target))


def regression(chosen):
    for target in chosen:
        run(BUILD / "fuzz" / f"replay_{target}", *inputs(target))


def coverage(target):
    """Lines of src/ that seeds, regressions and the corpus reach."""
    tree = ROOT / "build" / "fuzz-coverage"
    profile = tree / f"{target}.profraw"
    flags = "-fprofile-instr-generate -fcoverage-mapping"
    build_tree(tree, [f"replay_{target}"], f"-DCMAKE_C_FLAGS={flags}")
    program = tree / "fuzz" / f"replay_{target}"
    run("env", f"LLVM_PROFILE_FILE={profile}", program,
        *inputs(target, BUILD / "corpus" / target),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run("llvm-profdata-14", "merge", "-o", f"{profile}.data", profile)
    run("llvm-cov-14", "report", program, f"-instr-profile={profile}.data",
        ROOT / "src")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="name the targets")
    commands.add_parser("build", help="build fuzzers and replays")
    fuzz = commands.add_parser("run", help="fuzz one target")
    fuzz.add_argument("target", choices=targets())
    fuzz.add_argument("--time", type=int, default=600, metavar="SECONDS")
    fuzz.add_argument("--asan", action="store_true",
                      help="the variant with ASan and UBSan")
    fuzz.add_argument("more", nargs="*", metavar="-- option",
                      help="options of libFuzzer")
    replay = commands.add_parser("regression",
                                 help="replay seeds and regressions")
    replay.add_argument("target", choices=targets(), nargs="?")
    lines = commands.add_parser("coverage", help="what a target reaches")
    lines.add_argument("target", choices=targets())
    arguments = parser.parse_args()

    if arguments.command == "list":
        print("\n".join(targets()))
    elif arguments.command == "build":
        build()
    elif arguments.command == "run":
        run_target(arguments.target, arguments.time, arguments.asan,
                   arguments.more)
    elif arguments.command == "regression":
        regression([arguments.target] if arguments.target else targets())
    else:
        coverage(arguments.target)


if __name__ == "__main__":
    main()
