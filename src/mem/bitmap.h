/* SPDX-License-Identifier: MIT
 *
 * Sets of small numbers as arrays of 64-bit words, with the searches that
 * the granule layer needs: next member, next gap, a run of members at an
 * aligned place. Pure; the caller guards the words. Ranges are half open,
 * numbers below 2^31.
 */
#ifndef RINGFENCE_MEM_BITMAP_H
#define RINGFENCE_MEM_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#define RFI_BITMAP_NONE UINT32_MAX

/* Words for a set of the numbers below `bits`. */
static inline uint32_t
rfi_bitmap_words(uint32_t bits)
{
    return (bits + 63) / 64;
}

static inline bool
rfi_bitmap_has(const uint64_t *words, uint32_t bit)
{
    return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

void rfi_bitmap_set(uint64_t *words, uint32_t first, uint32_t count);
void rfi_bitmap_clear(uint64_t *words, uint32_t first, uint32_t count);

/* Members among the `count` numbers from `first`. */
uint32_t rfi_bitmap_count(const uint64_t *words, uint32_t first,
                          uint32_t count);

/* The first member, or the first gap, in [from, end); `end` when none. */
uint32_t rfi_bitmap_next_set(const uint64_t *words, uint32_t from,
                             uint32_t end);
uint32_t rfi_bitmap_next_clear(const uint64_t *words, uint32_t from,
                               uint32_t end);

/* The last member, or the last gap, below `end`; RFI_BITMAP_NONE when
 * none. */
uint32_t rfi_bitmap_last_set(const uint64_t *words, uint32_t end);
uint32_t rfi_bitmap_last_clear(const uint64_t *words, uint32_t end);

/* The lowest start in [from, end) of `count` members in a row such that
 * start + phase is a multiple of `align` (a power of two, phase below it);
 * RFI_BITMAP_NONE when there is none. */
uint32_t rfi_bitmap_find_run(const uint64_t *words, uint32_t from,
                             uint32_t end, uint32_t count, uint32_t align,
                             uint32_t phase);

#endif
