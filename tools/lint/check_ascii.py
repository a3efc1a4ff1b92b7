#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text files are ASCII without tabs and trailing blanks, sources fit into 80
columns, and C sources open with the licence."""

from common import ROOT, Findings, tracked_files

CODE = {".c", ".h", ".cpp", ".def", ".S", ".py", ".sh", ".cmake", ".map"}
TEXT = CODE | {".md", ".txt", ".in", ".json", ".yml", ".tsv"}
NAMES = {"CMakeLists.txt", "LICENSE", "NOTICE", "Dockerfile",
         "tools/try", "tools/test", ".ci/run"}
C_SOURCES = {".c", ".h", ".cpp", ".def"}
LICENCE = "/* SPDX-License-Identifier: MIT"


def is_text(path):
    name = str(path.relative_to(ROOT))
    return path.suffix in TEXT or path.name in NAMES or name in NAMES


def check_line(findings, path, number, line):
    if not line.isascii():
        findings.add(path, number, "not ASCII")
    if "\t" in line and path.suffix != ".tsv":
        findings.add(path, number, "tab")
    if line != line.rstrip():
        findings.add(path, number, "trailing blank")
    if len(line) > 80 and path.suffix in CODE:
        findings.add(path, number, f"{len(line)} columns, 80 are allowed")


def main():
    findings = Findings()
    files = [path for path in tracked_files() if is_text(path)]
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        if text and not text.endswith("\n"):
            findings.add(path, text.count("\n") + 1, "last line is unfinished")
        if path.suffix in C_SOURCES and not text.startswith(LICENCE):
            findings.add(path, 1, f"does not start with {LICENCE}")
        for number, line in enumerate(text.split("\n"), 1):
            check_line(findings, path, number, line)
    findings.finish(len(files))


if __name__ == "__main__":
    main()
