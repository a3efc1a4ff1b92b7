/* SPDX-License-Identifier: MIT
 *
 * The sets of granules against a plain array of truths: every search must
 * find what a walk finds. The payload is a sequence of ranges that are set,
 * cleared and searched.
 *
 * Control byte: size of the set.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "input.h"
#include "mem/bitmap.h"
#include "target.h"

#define BITS_MAX 4096u

static uint64_t words[BITS_MAX / 64];
static bool truths[BITS_MAX];

/* The first number from `from` to `end` at which the truth is `wanted`. */
static uint32_t
walk_up(uint32_t from, uint32_t end, bool wanted)
{
    while (from < end && truths[from] != wanted) {
        from++;
    }
    return from;
}

static uint32_t
walk_down(uint32_t end, bool wanted)
{
    while (end > 0) {
        if (truths[--end] == wanted) {
            return end;
        }
    }
    return RFI_BITMAP_NONE;
}

static uint32_t
walk_for_run(uint32_t from, uint32_t end, uint32_t count, uint32_t align,
             uint32_t phase)
{
    for (uint32_t start = from; start + count <= end; start++) {
        if ((start + phase) % align == 0 &&
            walk_up(start, start + count, false) == start + count) {
            return start;
        }
    }
    return RFI_BITMAP_NONE;
}

static uint32_t
walk_count(uint32_t first, uint32_t count)
{
    uint32_t members = 0;

    for (uint32_t i = 0; i < count; i++) {
        members += truths[first + i];
    }
    return members;
}

static void
compare(uint32_t first, uint32_t count, uint32_t bits, unsigned choice)
{
    uint32_t length = 1 + choice % 40;
    uint32_t align = 1u << choice % 7;
    uint32_t phase = choice / 8 % align;

    check(rfi_bitmap_count(words, first, count) == walk_count(first, count),
          "count of [%u, +%u)", first, count);
    check(rfi_bitmap_next_set(words, first, bits) == walk_up(first, bits, true),
          "next member from %u", first);
    check(rfi_bitmap_next_clear(words, first, bits) ==
              walk_up(first, bits, false),
          "next gap from %u", first);
    check(rfi_bitmap_last_set(words, first) == walk_down(first, true),
          "last member below %u", first);
    check(rfi_bitmap_last_clear(words, first) == walk_down(first, false),
          "last gap below %u", first);
    check(rfi_bitmap_find_run(words, first, bits, length, align, phase) ==
              walk_for_run(first, bits, length, align, phase),
          "run of %u from %u, alignment %u, phase %u", length, first, align,
          phase);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_t input;
    uint8_t record[5];

    memset(words, 0, sizeof(words));
    memset(truths, 0, sizeof(truths));
    input_start(&input, data, size);
    uint32_t bits = BITS_MAX / 256 * (1u + input_control(&input));

    while (input_take(&input, record, sizeof(record))) {
        uint32_t first = (record[0] | (uint32_t)record[1] << 8) % bits;
        uint32_t count = record[2];

        count = count < bits - first ? count : bits - first;
        if (record[3] % 2 != 0) {
            rfi_bitmap_set(words, first, count);
        } else {
            rfi_bitmap_clear(words, first, count);
        }
        memset(truths + first, record[3] % 2, count);
        compare(first, count, bits, record[4]);
        compare(bits - 1 - first, 0, bits, record[4] ^ record[3]);
    }
    return 0;
}
