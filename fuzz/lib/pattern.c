/* SPDX-License-Identifier: MIT
 *
 * See pattern.h. Works in words of eight bytes, which every stretch starts
 * on; its last word may be cut.
 */
#include "pattern.h"

#include <string.h>

#define WORD sizeof(uint64_t)
#define STRETCHES 3u
#define STRETCH_BYTES ((size_t)256)

typedef struct stretch {
    size_t start, end;
} stretch_t;

/* The stretch number `index` of a block; empty when there is none. */
static stretch_t
stretch_of(size_t size, unsigned index)
{
    if (size <= PATTERN_WHOLE_MAX) {
        return (stretch_t){0, index == 0 ? size : 0};
    }
    if (index == STRETCHES - 1) {
        return (stretch_t){(size - STRETCH_BYTES) / WORD * WORD, size};
    }
    size_t start = (size - STRETCH_BYTES) / (STRETCHES - 1) * index;

    start = start / WORD * WORD;
    return (stretch_t){start, start + STRETCH_BYTES};
}

static uint64_t
word_at(uint64_t seed, size_t offset)
{
    uint64_t mixed = (seed + offset / WORD) * 0x9e3779b97f4a7c15u;

    return mixed ^ mixed >> 29;
}

static size_t
smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void
pattern_fill(unsigned char *start, size_t size, uint64_t seed)
{
    for (unsigned i = 0; i < STRETCHES; i++) {
        stretch_t stretch = stretch_of(size, i);

        for (size_t at = stretch.start; at < stretch.end; at += WORD) {
            uint64_t word = word_at(seed, at);

            memcpy(start + at, &word, smaller(WORD, stretch.end - at));
        }
    }
}

/* First byte in which [bytes, bytes + count) differs from the word. */
static size_t
difference_in_word(const unsigned char *bytes, uint64_t word, size_t count)
{
    unsigned char expected[WORD];

    memcpy(expected, &word, WORD);
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != expected[i]) {
            return i;
        }
    }
    return PATTERN_NOWHERE;
}

size_t
pattern_find_difference(const unsigned char *start, size_t size, uint64_t seed,
                        size_t limit)
{
    for (unsigned i = 0; i < STRETCHES; i++) {
        stretch_t stretch = stretch_of(size, i);
        size_t end = smaller(stretch.end, limit);

        for (size_t at = stretch.start; at < end; at += WORD) {
            uint64_t word = word_at(seed, at);
            size_t count = smaller(WORD, end - at);

            if (memcmp(start + at, &word, count) != 0) {
                return at + difference_in_word(start + at, word, count);
            }
        }
    }
    return PATTERN_NOWHERE;
}

size_t
pattern_find_nonzero(const unsigned char *start, size_t size)
{
    for (unsigned i = 0; i < STRETCHES; i++) {
        stretch_t stretch = stretch_of(size, i);

        for (size_t at = stretch.start; at < stretch.end; at++) {
            if (start[at] != 0) {
                return at;
            }
        }
    }
    return PATTERN_NOWHERE;
}
