# SPDX-License-Identifier: MIT
"""What the lints share: where the tree is, which files belong to it, and how
findings are printed (as a compiler does, so that editors can jump to them)."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
PUBLIC = ROOT / "include"


def tracked_files():
    """The project's files: tracked by git or about to be, but not ignored.
    In an exported tree without git, every file that is not below build*/."""
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "-C", ROOT, "ls-files", "-z",
         "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*")
                 if not path.relative_to(ROOT).parts[0].startswith("build")]
    return sorted(path for path in set(paths) if path.is_file())


def layers():
    """Names of the layers, lowest first."""
    lines = (SRC / "layers.txt").read_text(encoding="ascii").splitlines()
    return [line for line in lines if re.match("[a-z]", line)]


def without_comments(text):
    """C source with comments and strings blanked, line numbers kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text,
                  flags=re.DOTALL)


class Findings:
    """Collects what is wrong; finish() prints it and ends the lint."""

    def __init__(self):
        self.messages = []

    def add(self, path, line, text):
        try:
            path = pathlib.Path(path).relative_to(ROOT)
        except ValueError:
            pass
        self.messages.append(f"{path}:{line}: {text}")

    def finish(self, checked):
        if checked == 0:
            sys.exit("found nothing to check: the lint looks in a wrong place")
        for message in self.messages:
            print(message)
        print(f"{checked} checked, {len(self.messages)} findings")
        sys.exit(1 if self.messages else 0)
