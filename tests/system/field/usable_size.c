/* SPDX-License-Identifier: MIT
 *
 * Case 31: all bytes that malloc_usable_size promises may be used, belong to
 * nobody else, are kept by realloc, and their number does not change. Built
 * with _FORTIFY_SOURCE=3.
 */
#include <malloc.h>

#include "case.h"

#define LARGEST 70000

static unsigned char
pattern(size_t size)
{
    return (unsigned char)(size * 31 + 7);
}

static void
expect_filled(const unsigned char *block, unsigned char byte, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (block[i] != byte) {
            fail_case(__FILE__, __LINE__, "content is kept");
        }
    }
}

static void
resize_one(size_t size)
{
    unsigned char *block = opaque(malloc(size));
    size_t usable = malloc_usable_size(block);

    EXPECT(usable >= size);
    memset(block, pattern(size), usable);
    block = opaque(realloc(block, usable + size));
    expect_filled(block, pattern(size), usable);
    block = opaque(realloc(block, size / 2 + 1));
    expect_filled(block, pattern(size), size / 2 + 1);
    free(block);
}

/* Neighbours, each filled to its last usable byte. */
static void
fill_neighbours(size_t first)
{
    unsigned char *blocks[64];
    size_t usable[COUNT_OF(blocks)];

    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = opaque(malloc(first + i));
        usable[i] = malloc_usable_size(blocks[i]);
        memset(blocks[i], pattern(i), usable[i]);
    }
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        EXPECT(malloc_usable_size(blocks[i]) == usable[i]);
        expect_filled(blocks[i], pattern(i), usable[i]);
        free(blocks[i]);
    }
}

int
main(void)
{
    size_t step = scaled(1, 7);

    EXPECT(malloc_usable_size(opaque(NULL)) == 0);
    for (size_t size = 1; size <= LARGEST; size += step) {
        resize_one(size);
    }
    for (size_t size = 1; size <= LARGEST; size += 64 * step) {
        fill_neighbours(size);
    }
    return finish();
}
