/* SPDX-License-Identifier: MIT
 *
 * Case 12: the ABI promises 16-byte alignment for every size, and compilers
 * count on it: the last function clears a structure with aligned stores.
 */
#include <new>

#include "case.h"

#define LARGEST 4096

struct vectors {
    long double first;
    char rest[152];
};

static void
expect_aligned(void *block)
{
    EXPECT(block != NULL);
    EXPECT((reinterpret_cast<uintptr_t>(block) & 15) == 0);
}

static void
try_size(size_t size)
{
    void *plain = malloc(size);
    void *zeroed = calloc(1, size);
    void *grown = realloc(opaque(malloc(1)), size);
    void *object = ::operator new(size);

    expect_aligned(plain);
    expect_aligned(zeroed);
    expect_aligned(grown);
    expect_aligned(object);
    free(plain);
    free(zeroed);
    free(grown);
    ::operator delete(object);
}

__attribute__((noinline)) static vectors *
cleared_vectors()
{
    vectors *object = static_cast<vectors *>(opaque(new vectors));

    *object = vectors();
    return object;
}

int
main()
{
    size_t rounds = scaled(25, 5);

    for (size_t round = 0; round < rounds; round++) {
        for (size_t size = 1; size <= LARGEST; size++) {
            try_size(size);
        }
    }
    for (int i = 0; i < 1000; i++) {
        expect_aligned(cleared_vectors());
    }
    return finish();
}
