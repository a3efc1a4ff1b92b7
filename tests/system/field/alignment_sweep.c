/* SPDX-License-Identifier: MIT
 *
 * Case 9: every alignment from 8 bytes to 1 GiB with sizes around it, upwards,
 * downwards and with many such blocks alive at once. First and last byte are
 * written, a realloc keeps the content, and in the end the memory is back.
 */
#include <malloc.h>

#include "case.h"

#define LIVE 64
#define LARGEST_WHILE_LIVE (64 * KIB)

static void
write_ends(unsigned char *block, size_t size)
{
    block[0] = 0xA5;
    block[size - 1] = 0x5A;
}

static unsigned char *
aligned_block(size_t alignment, size_t size)
{
    void *block = NULL;

    EXPECT(posix_memalign(&block, alignment, size) == 0);
    EXPECT(((uintptr_t)block & (alignment - 1)) == 0);
    EXPECT(malloc_usable_size(block) >= size);
    write_ends(block, size);
    return block;
}

static void
try_one(size_t alignment, size_t size)
{
    unsigned char *block = aligned_block(alignment, size);

    if (size <= 16 * MIB) {
        block = realloc(block, size + 100);
        EXPECT(block != NULL && (size == 1 || block[0] == 0xA5));
        EXPECT(block[size - 1] == 0x5A);
    }
    free(block);
}

static void
try_alignment(size_t alignment)
{
    const size_t sizes[] = {1, alignment - 1, alignment, alignment + 1,
                            3 * alignment};

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (sizes[i] <= 2 * GIB) {
            try_one(alignment, sizes[i]);
        }
    }
}

static void
try_many_at_once(size_t alignment)
{
    unsigned char *live[LIVE];

    for (size_t i = 0; i < LIVE; i++) {
        live[i] = aligned_block(alignment, alignment + i);
    }
    for (size_t i = 0; i < LIVE; i++) {
        EXPECT(live[i][0] == 0xA5 && live[i][alignment + i - 1] == 0x5A);
        free(live[i]);
    }
}

int
main(void)
{
    long before = rss_kib();

    for (size_t alignment = 8; alignment <= GIB; alignment *= 2) {
        try_alignment(alignment);
        EXPECT_AT_MOST(vsz_kib(), 8 * 1024 * 1024);
    }
    for (size_t alignment = GIB; alignment >= 8; alignment /= 2) {
        try_alignment(alignment);
    }
    for (size_t alignment = 8; alignment <= LARGEST_WHILE_LIVE;
         alignment *= 2) {
        try_many_at_once(alignment);
    }
    EXPECT_AT_MOST(rss_kib() - before, 64 * 1024);
    EXPECT_AT_MOST(vsz_kib(), 8 * 1024 * 1024);
    return finish();
}
