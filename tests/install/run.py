#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs a build into a temporary prefix and uses it as a stranger would.

The consumer project is built through find_package(ringfence), and once more
by hand with pkg-config's flags. Every program is run and its symbol table
read: a program that links ringfence's malloc must not contain libc's.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **options):
    """Runs a command; its output is shown only when it fails."""
    result = subprocess.run([str(word) for word in command], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False, **options)
    if result.returncode != 0:
        shown = " ".join(str(word) for word in command)
        sys.exit(f"{result.stdout}\nfailed ({result.returncode}): {shown}")
    return result.stdout


def symbols(program, *options):
    """Symbol name -> nm's type letter."""
    table = {}
    for line in run("nm", *options, program).splitlines():
        *_, kind, name = line.split()
        table[name] = kind
    return table


def check_symbols(name, program):
    """The malloc that the program calls is the one its name promises."""
    if name.startswith("api"):
        bound = symbols(program).get("malloc")
        wanted = bound is None or name == "api_full_static"
        error = None if wanted else "rf_* only, yet malloc is not libc's"
    elif "preload" in name:
        # libc's malloc would be listed with its version: malloc@GLIBC_2.2.5.
        wanted = symbols(program, "-D").get("malloc", "U") == "U"
        linked = "libringfence_preload.so" in run("readelf", "-d", program)
        error = None if wanted and linked else "malloc is bound to libc's"
    else:
        table = symbols(program)  # static PIE makes globals local: "t"
        wanted = all(table.get(s) in ("T", "t") for s in ("malloc",
                                                          "rf_malloc"))
        foreign = [s for s in ("_int_malloc", "_int_free") if s in table]
        error = None if wanted and not foreign else "contains libc's malloc"
    if error:
        sys.exit(f"{name}: {error}")


def check_program(name, program, library_path):
    check_symbols(name, program)
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library_path))
    output = run(program, env=environment, timeout=60)
    if output != "OK\n":
        sys.exit(f"{name}: printed {output!r} instead of OK")
    print(f"ok {name}", flush=True)


def build_with_cmake(arguments, prefix, directory):
    run(arguments.cmake, "-S", HERE / "consumers", "-B", directory,
        "-G", arguments.generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={arguments.cc}",
        f"-DCMAKE_CXX_COMPILER={arguments.cxx}")
    run(arguments.cmake, "--build", directory)
    return sorted(path for path in directory.iterdir()
                  if path.is_file() and os.access(path, os.X_OK))


def build_with_pkg_config(arguments, prefix, directory):
    """One program for each .pc file, flags in the order of a makefile."""
    pc_path = next(prefix.glob("**/pkgconfig"))
    environment = dict(os.environ, PKG_CONFIG_PATH=str(pc_path))
    directory.mkdir()
    programs = []
    for module, source, extra in (("ringfence", "api.c", []),
                                  ("ringfence-preload", "malloc.c", []),
                                  ("ringfence-malloc", "malloc.c", []),
                                  ("ringfence-malloc", "malloc.c",
                                   ["-static", "-flto"])):
        flags = run("pkg-config", "--cflags", "--libs", module,
                    env=environment).split()
        name = module.replace("ringfence-", "pc_").replace("ringfence",
                                                           "api_pc")
        program = directory / (name + "".join(extra).replace("-", "_"))
        run(arguments.cc, "-O2", "-pthread", *extra,
            HERE / "consumers" / source, "-o", program, *flags)
        programs.append(program)
    return programs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build directory")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--generator", default="Ninja")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        prefix = root / "prefix"
        run(arguments.cmake, "--install", arguments.build,
            "--prefix", prefix)
        library_path = next(prefix.glob("**/libringfence.so")).parent
        programs = build_with_cmake(arguments, prefix, root / "cmake")
        programs += build_with_pkg_config(arguments, prefix, root / "pc")
        for program in programs:
            check_program(program.name, program, library_path)
    print(f"{len(programs)} programs")


if __name__ == "__main__":
    main()
