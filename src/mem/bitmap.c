/* SPDX-License-Identifier: MIT
 *
 * Word-wise bitmap searches; see mem/bitmap.h.
 */
#include "mem/bitmap.h"

#include "base/bits.h"

#define ALL_BITS (~UINT64_C(0))

/* The part of [first, first + *count) that lies in the word of `first`, as
 * a mask of that word; *count becomes its length. */
static uint64_t
mask_in_word(uint32_t first, uint32_t *count)
{
    uint32_t bit = first % 64;

    if (*count >= 64 - bit) {
        *count = 64 - bit;
        return ALL_BITS << bit;
    }
    return ((UINT64_C(1) << *count) - 1) << bit;
}

void
rfi_bitmap_set(uint64_t *words, uint32_t first, uint32_t count)
{
    while (count != 0) {
        uint32_t length = count;

        words[first / 64] |= mask_in_word(first, &length);
        first += length;
        count -= length;
    }
}

void
rfi_bitmap_clear(uint64_t *words, uint32_t first, uint32_t count)
{
    while (count != 0) {
        uint32_t length = count;

        words[first / 64] &= ~mask_in_word(first, &length);
        first += length;
        count -= length;
    }
}

uint32_t
rfi_bitmap_count(const uint64_t *words, uint32_t first, uint32_t count)
{
    uint32_t members = 0;

    while (count != 0) {
        uint32_t length = count;
        uint64_t bits = words[first / 64] & mask_in_word(first, &length);

        members += (uint32_t)__builtin_popcountll(bits);
        first += length;
        count -= length;
    }
    return members;
}

/* Searches upwards for a member of the set, or with flip = all ones of its
 * complement. */
static inline uint32_t
next(const uint64_t *words, uint32_t from, uint32_t end, uint64_t flip)
{
    if (from >= end) {
        return end;
    }
    uint32_t word = from / 64;
    uint64_t bits = (words[word] ^ flip) & (ALL_BITS << (from % 64));

    while (bits == 0) {
        word++;
        if (word * 64 >= end) {
            return end;
        }
        bits = words[word] ^ flip;
    }
    uint32_t found = word * 64 + rfi_lowest_bit(bits);

    return found < end ? found : end;
}

uint32_t
rfi_bitmap_next_set(const uint64_t *words, uint32_t from, uint32_t end)
{
    return next(words, from, end, 0);
}

uint32_t
rfi_bitmap_next_clear(const uint64_t *words, uint32_t from, uint32_t end)
{
    return next(words, from, end, ALL_BITS);
}

/* As next(), downwards from end - 1. */
static inline uint32_t
last(const uint64_t *words, uint32_t end, uint64_t flip)
{
    if (end == 0) {
        return RFI_BITMAP_NONE;
    }
    uint32_t word = (end - 1) / 64;
    uint64_t bits = (words[word] ^ flip) & (ALL_BITS >> (63 - (end - 1) % 64));

    while (bits == 0) {
        if (word == 0) {
            return RFI_BITMAP_NONE;
        }
        word--;
        bits = words[word] ^ flip;
    }
    return word * 64 + rfi_log2_floor(bits);
}

uint32_t
rfi_bitmap_last_set(const uint64_t *words, uint32_t end)
{
    return last(words, end, 0);
}

uint32_t
rfi_bitmap_last_clear(const uint64_t *words, uint32_t end)
{
    return last(words, end, ALL_BITS);
}

uint32_t
rfi_bitmap_find_run(const uint64_t *words, uint32_t from, uint32_t end,
                    uint32_t count, uint32_t align, uint32_t phase)
{
    uint32_t position = next(words, from, end, 0);

    while (position < end) {
        uint32_t start =
            ((position + phase + align - 1) & ~(align - 1)) - phase;

        if (start >= end || end - start < count) {
            return RFI_BITMAP_NONE;
        }
        uint32_t gap = next(words, position, start + count, ALL_BITS);

        if (gap == start + count) {
            return start;
        }
        position = next(words, gap, end, 0);
    }
    return RFI_BITMAP_NONE;
}
