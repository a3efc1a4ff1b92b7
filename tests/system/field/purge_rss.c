/* SPDX-License-Identifier: MIT
 *
 * Case 55: freed memory that went back to the kernel no longer counts as
 * resident. 500 MB of large blocks, then 500 MB of small ones; after the
 * usual delay and one more allocation the resident size has fallen.
 */
#include <malloc.h>

#include "case.h"

#define MOST_BLOCKS (500 * MIB / KIB)

static void **blocks;

static void
burst(size_t bytes, size_t block_bytes)
{
    size_t count = bytes / block_bytes;
    long before = rss_kib();
    long peak;

    for (size_t i = 0; i < count; i++) {
        blocks[i] = malloc(block_bytes);
        EXPECT(blocks[i] != NULL);
        memset(blocks[i], 1, block_bytes);
    }
    peak = rss_kib();
    for (size_t i = 0; i < count; i++) {
        free(blocks[i]);
    }
    sleep_ms(700);
    free(opaque(malloc(100 * KIB)));
    (void)malloc_trim(0);
    EXPECT_AT_MOST(rss_kib() - before, (peak - before) / 10);
}

int
main(void)
{
    size_t bytes = scaled(500, 100) * MIB;

    blocks = malloc(MOST_BLOCKS * sizeof(void *));
    memset(blocks, 0, MOST_BLOCKS * sizeof(void *));
    burst(bytes, 2 * MIB);
    burst(bytes, 256 * KIB);
    burst(bytes, KIB);
    return finish();
}
