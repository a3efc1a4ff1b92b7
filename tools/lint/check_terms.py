#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One word per thing: identifiers of the library use the words of
docs/glossary.md, not what other allocators call the same thing."""

import re

from common import PUBLIC, SRC, Findings, without_comments

# other projects' word -> ours
SYNONYMS = {
    "slab": "span",
    "superblock": "span",
    "zone": "span or red_zone",
    "magazine": "heap",
    "tcache": "heap",
    "abandoned": "orphan",
    "cookie": "canary",
    "junk": "fill",
    "pagemap": "directory",
}
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
SPLIT = re.compile(r"_|(?<=[a-z])(?=[A-Z])")


def main():
    findings = Findings()
    files = [path for root in (SRC, PUBLIC) for path in sorted(root.rglob("*"))
             if path.suffix in (".c", ".h", ".def")]
    for path in files:
        text = without_comments(path.read_text(encoding="ascii"))
        for number, line in enumerate(text.split("\n"), 1):
            for identifier in IDENTIFIER.findall(line):
                for word in SPLIT.split(identifier.replace("red_zone", "")):
                    if word.lower() in SYNONYMS:
                        findings.add(path, number, f"{identifier}: we say "
                                     f"{SYNONYMS[word.lower()]}")
    findings.finish(len(files))


if __name__ == "__main__":
    main()
