#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the seeds of the targets: small inputs that already do what random
bytes would take long to find. Run it after the encoding in fuzz/lib/ops.h or
a target's menu has changed:

    fuzz/seeds/make_seeds.py
"""

import pathlib
import random
import re
import struct

SEEDS = pathlib.Path(__file__).resolve().parent
TARGETS = SEEDS.parent / "targets"
REGRESSIONS = SEEDS.parent / "regressions"

# Where the size families of fuzz/lib/ops.c begin in its table.
CLASS, LINEAR, FAST, MEDIUM, PAGE, GRANULE = 0, 8, 12, 15, 18, 20
PAST_CLASSES, LARGE, HUGE_MIN, HUGE, ABSURD = 25, 27, 29, 30, 31


def family(number, step=0):
    """The byte for a family, `step` (-4 ... 3) bytes from the boundary."""
    return number + 32 * (4 + step)


class Menu:
    """Writes records for a target, whose menu is read from its source."""

    def __init__(self, target):
        source = (TARGETS / f"{target}.c").read_text(encoding="ascii")
        menu = re.search(r"uint8_t kinds\[\] = \{(.*?)\};", source, re.DOTALL)
        self.kinds = re.findall(r"OP_\w+", menu.group(1))

    def op(self, kind, size=(0, 0), pick=0, extra=0, worker=0):
        return struct.pack("<BBHBHB", self.kinds.index("OP_" + kind),
                           worker % 256, pick % 65536, size[0],
                           size[1] % 65536, extra % 256)


# Control bytes stand at the end, the first one last.
def with_controls(records, *controls):
    return b"".join(records) + bytes(reversed(controls))


def sequence_seeds():
    op = Menu("fuzz_alloc_sequence").op
    everything = 7  # MiB beyond the least: room for all but many huge blocks

    def seed(records, decay=5, audit=200, room=everything):
        return with_controls(records, decay, audit, room)

    for kind in ("MALLOC", "CALLOC", "REALLOC_NULL"):
        yield f"classes_{kind.lower()}", seed(
            [op(kind, (family(CLASS, step), c), extra=1)
             for c in range(44) for step in (0, 1)]
            + [op("FREE", pick=i * 7) for i in range(88)])
    for name, number in (("tiny", 0), ("page", 27), ("wide", 32), ("last", 43)):
        size = (family(CLASS), number)
        yield f"fill_and_drain_{name}", seed(
            [op("BURST", size, extra=255)] * 6 + [op("AUDIT")]
            + [op("FREE_MANY", extra=255, worker=w) for w in (0, 4, 1)]
            + [op("BURST", size, extra=100), op("TRIM"),
               op("CALLOC", size, extra=1), op("AUDIT")], room=60)
    yield "realloc_growth", seed(
        [op("MALLOC", (family(LINEAR), 1))]
        + [op("REALLOC", (family(f), n)) for f, n in
           [(FAST, 200), (MEDIUM, 2000), (MEDIUM, 30000), (PAST_CLASSES, 1),
            (PAGE, 40), (GRANULE, 2), (GRANULE, 20), (LARGE, 16000),
            (LARGE, 65535), (HUGE_MIN, 0), (HUGE, 9000), (HUGE, 100),
            (LARGE, 3000), (MEDIUM, 100), (ABSURD, 1), (LINEAR, 1)]],
        room=100)
    yield "neighbours", seed(
        [op("MALLOC", (family(GRANULE), n % 5)) for n in range(12)]
        + [op("FREE", pick=n) for n in range(1, 12, 2)]
        + [op("REALLOC", (family(GRANULE, 1), 1), pick=n)
           for n in range(0, 12, 2)]
        + [op("CALLOC", (family(GRANULE), 3), extra=1), op("AUDIT")])
    yield "alignments", seed(
        [op(kind, (family(f), 5), extra=n) for n in range(22)
         for kind, f in (("ALIGNED_ALLOC", LINEAR), ("MEMALIGN", MEDIUM),
                         ("POSIX_MEMALIGN", GRANULE))]
        + [op("FREE_SIZED", pick=3 * n) for n in range(66)], room=200)
    yield "bad_requests", seed(
        [op(kind, (family(ABSURD), n), extra=240 + n)
         for n in range(16) for kind in
         ("MALLOC", "CALLOC", "ALIGNED_ALLOC", "MEMALIGN", "POSIX_MEMALIGN",
          "REALLOC_NULL", "REALLOCARRAY")])
    yield "kernel_refuses", seed(
        [record for n in range(8) for record in
         (op("FAIL", extra=n, pick=7), op("MALLOC", (family(LARGE), 9000)),
          op("CALLOC", (family(HUGE), n), extra=1),
          op("BURST", (family(CLASS), 30 + n), extra=50),
          op("REALLOC", (family(LARGE), 20000 + n)), op("TRIM"),
          op("AUDIT"))], decay=1, room=200)
    yield "decay", seed(
        [record for n in range(6) for record in
         (op("SET_DECAY", extra=n), op("BURST", (family(PAGE), 9), extra=40),
          op("FREE_MANY", extra=60), op("CALLOC", (family(PAGE), 30), extra=2),
          op("MALLOC", (family(HUGE), 50)), op("FREE", pick=n))], room=120)
    yield "small_room", seed([op("BURST", (family(LINEAR), 3), extra=200)] * 3)


def threads_seeds():
    op = Menu("fuzz_alloc_threads").op

    def seed(records, decay=5, threads=0, stepped=1, free_shift=0):
        return with_controls(records, decay, threads, stepped, free_shift)

    for name, number in (("tiny", 0), ("small", 13), ("page", 27),
                         ("wide", 36)):
        size = (family(CLASS), number)
        hand_over = [
            record for _ in range(4) for record in
            (op("BURST", size, extra=250, worker=0),
             op("GIVE", extra=253, worker=0, pick=3), op("END_ROUND", extra=0),
             op("RECEIVE", extra=1, worker=1),
             op("FREE_MANY", extra=100, worker=0, pick=9),
             op("END_ROUND", extra=1))]
        yield f"hand_over_{name}", seed(hand_over)
        yield f"race_{name}", seed(
            [op("END_ROUND")] + [
                op(kind, size, extra=extra, worker=w, pick=w * 17)
                for kind, extra in (("BURST", 120), ("GIVE", 250),
                                    ("RECEIVE", 0), ("FREE_MANY", 90),
                                    ("GIVE", 129), ("RECEIVE", 1),
                                    ("BURST", 60), ("FREE_MANY", 120)) * 4
                for w in range(4)], threads=2, free_shift=1)
        # The owner ends while others hold its blocks.
        yield f"orphans_{name}", seed(
            [record for w in range(12) for record in
             (op("BURST", size, extra=200, worker=w),
              op("GIVE", extra=200 + w + 1, worker=w),
              op("FREE_MANY", extra=20, worker=w),
              op("END_THREAD", worker=w),
              op("RECEIVE", extra=w, worker=w + 1), op("TRIM", worker=w + 1))],
            threads=1, free_shift=1)
    yield "large_blocks", seed(
        [op(kind, (family(f), 900 * w + n), extra=w + 1, worker=w, pick=w)
         for n in range(4) for w in range(3)
         for kind, f in (("MALLOC", LARGE), ("CALLOC", HUGE), ("GIVE", FAST),
                         ("RECEIVE", FAST), ("REALLOC", LARGE),
                         ("FREE", FAST))], threads=1, stepped=0)
    yield "kernel_refuses", seed(
        [record for n in range(8) for record in
         (op("FAIL", extra=n, pick=3, worker=n),
          op("BURST", (family(CLASS), n), extra=100, worker=n),
          op("GIVE", extra=n + 100, worker=n), op("END_THREAD", worker=n),
          op("RECEIVE", extra=n, worker=n + 1),
          op("END_ROUND", extra=n // 2))], threads=2)


def threads_regressions():
    """Found by fuzzing, then written down as what they mean, so that they
    survive a change of the encoding."""
    op = Menu("fuzz_alloc_threads").op
    size = (family(CLASS), 21)  # 42 blocks to a span

    # One block of a full span is freed by its owner, who ends; all others by
    # another thread.
    yield "orphan_local_free", with_controls(
        [op("MALLOC", worker=1), op("BURST", size, extra=21),
         op("FREE", pick=5),
         op("GIVE", extra=253), op("END_THREAD"),
         op("RECEIVE", extra=1, worker=1)], 5, 1, 1, 0)


def options_seeds():
    texts = {
        "all": "mode=release:unowned=ignore:abort_on_error=0:"
               "dirty_decay_ms=-1:thp=never:print_stats=1:verbosity=2:"
               "strict_options=1:help=0",
        "separators": "verbosity=1,  thp=always\tunowned=abort\nmode=release",
        "quotes": "unowned='abort':thp=\"never\":verbosity='1",
        "mistakes": "unownd=abort:verbosity=9:dirty_decay_ms=99999999999999"
                    "999999:thp=:=:mode=hardened:help=maybe",
    }
    for name, text in texts.items():
        for control in (0, 1):
            yield f"{name}_{control}", text.encode() + bytes([control])
    rules = b"# all\n*: verbosity=1\nprogram: unowned=ignore:thp=never\n" \
            b"/opt/program: abort_on_error=0\nother: help=1\nno colon\n"
    for control in (2, 3):
        yield f"rules_{control}", rules + bytes([control])


def format_seeds():
    for conversion in range(17):
        flags = (0, 4, 5, 6, 7)[conversion % 5]
        controls = bytes([3, 200, 12, flags, conversion])
        yield f"conversion_{conversion}", \
            struct.pack("<q", -1234567 << flags) + b"some text" + controls


def bitmap_seeds():
    for number, bits in enumerate((0, 15, 255)):
        rng = random.Random(f"bitmap {number}")
        yield f"random_{number}", b"".join(
            struct.pack("<HBBB", rng.randrange(4096), rng.randrange(256),
                        rng.randrange(256), rng.randrange(256))
            for _ in range(200)) + bytes([bits])


def random_records(menu, rng, count):
    # Menu entries, not kinds: each kind as often as its weight.
    return [struct.pack("<BBHBHB", rng.randrange(len(menu.kinds)),
                        rng.randrange(256), rng.randrange(65536),
                        rng.randrange(256), rng.randrange(65536),
                        rng.randrange(256)) for _ in range(count)]


def random_seeds(target, controls):
    menu = Menu(target)
    for number in range(6):
        rng = random.Random(f"{target} {number}")
        yield f"random_{number}", with_controls(
            random_records(menu, rng, 40 + 60 * number),
            *(rng.randrange(256) for _ in range(controls)))


def write(directory, *sources):
    directory.mkdir(parents=True, exist_ok=True)
    for source in sources:
        for name, data in source:
            (directory / f"{name}.bin").write_bytes(data)


def main():
    write(SEEDS / "fuzz_alloc_sequence", sequence_seeds(),
          random_seeds("fuzz_alloc_sequence", 3))
    write(SEEDS / "fuzz_alloc_threads", threads_seeds(),
          random_seeds("fuzz_alloc_threads", 4))
    write(SEEDS / "fuzz_options", options_seeds())
    write(SEEDS / "fuzz_format", format_seeds())
    write(SEEDS / "fuzz_bitmap", bitmap_seeds())
    write(REGRESSIONS / "fuzz_alloc_threads", threads_regressions())


if __name__ == "__main__":
    main()
