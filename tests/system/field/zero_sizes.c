/* SPDX-License-Identifier: MIT
 *
 * Case 57: the edges of size: malloc(0), realloc to and from nothing, and
 * calloc that gives zeroes from memory that was used before.
 */
#include <malloc.h>

#include "case.h"

static void
check_zero_sizes(void)
{
    void *one = malloc(0);
    void *two = malloc(0);
    void *three = calloc(0, 100);
    void *four = realloc(opaque(NULL), 0);

    EXPECT(one != NULL && two != NULL && three != NULL && four != NULL);
    EXPECT(one != two && two != three && three != four);
    free(one);
    free(two);
    free(three);
    free(four);
}

/* As in glibc, realloc(block, 0) frees the block and returns NULL. */
static void
check_realloc_to_zero(void)
{
    size_t rounds = scaled(1000000, 200000);
    long before = 0;

    for (size_t i = 0; i < rounds; i++) {
        EXPECT(opaque(realloc(opaque(malloc(1 + i % 5000)), 0)) == NULL);
        if (i == 1000) {
            before = rss_kib();
        }
    }
    EXPECT_AT_MOST(rss_kib() - before, 2 * 1024);
}

static void
expect_zeroes(const unsigned char *block, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (block[i] != 0) {
            fail_case(__FILE__, __LINE__, "calloc gives zeroes");
        }
    }
}

static void
check_calloc(size_t size)
{
    unsigned char *used = opaque(malloc(size));
    unsigned char *cleared;

    memset(used, 0xFF, size);
    free(used);
    cleared = opaque(calloc(1, size));
    EXPECT(cleared != NULL);
    expect_zeroes(cleared, size);
    memset(cleared, 0xFF, malloc_usable_size(cleared));
    free(cleared);
}

static void
check_calloc_sizes(void)
{
    for (size_t size = 1; size <= MIB; size += size / 64 + 1) {
        check_calloc(size);
        check_calloc(size);
    }
}

int
main(void)
{
    check_zero_sizes();
    check_realloc_to_zero();
    check_calloc_sizes();
    sleep_ms(600);
    check_calloc_sizes();
    (void)malloc_trim(0);
    check_calloc_sizes();
    return finish();
}
