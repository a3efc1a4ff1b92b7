/* SPDX-License-Identifier: MIT
 *
 * Case 8: what the aligned functions promise about bad alignments, impossible
 * sizes, size 0 and the caller's variable when they fail. ringfence answers
 * aligned_alloc with an alignment that is no power of two as glibc 2.38 does:
 * EINVAL; the older glibc rounds up, so both are accepted of it.
 */
#include <errno.h>
#include <malloc.h>

#include "case.h"

static bool
is_aligned(const void *block, size_t alignment)
{
    return ((uintptr_t)block & (alignment - 1)) == 0;
}

static void
refuse(size_t alignment, size_t size, int error)
{
    char mark;
    void *block = &mark;

    EXPECT(posix_memalign(&block, alignment, size) == error);
    EXPECT(block == &mark);
}

static void
check_posix_memalign(void)
{
    const size_t bad[] = {0, 1, 4, 24, SIZE_MAX};
    void *block = NULL;

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        refuse(bad[i], 100, EINVAL);
    }
    refuse(64, (size_t)PTRDIFF_MAX - 64, ENOMEM);
    refuse(64, SIZE_MAX, ENOMEM);
    refuse((size_t)1 << 62, 100, ENOMEM);
    for (size_t alignment = 8; alignment <= MIB; alignment *= 2) {
        EXPECT(posix_memalign(&block, alignment, 0) == 0);
        EXPECT(is_aligned(block, alignment));
        free(block);
    }
}

static void
check_aligned_alloc(bool is_base)
{
    volatile size_t odd = 24;
    void *block = aligned_alloc(64, 100);

    EXPECT(block != NULL && is_aligned(block, 64));
    EXPECT(malloc_usable_size(block) >= 100);
    free(block);
    errno = 0;
    block = aligned_alloc(odd, 48);
    EXPECT(block == NULL ? errno == EINVAL
                         : is_base && is_aligned(block, 32));
    free(block);
    errno = 0;
    EXPECT(opaque(aligned_alloc(64, (size_t)PTRDIFF_MAX)) == NULL);
    EXPECT(errno == ENOMEM);
}

static void
check_memalign(void)
{
    volatile size_t odd = 24;
    volatile size_t none = 0;
    void *block = memalign(odd, 48);

    EXPECT(block != NULL && is_aligned(block, 32));
    free(block);
    block = memalign(none, 48);
    EXPECT(block != NULL && is_aligned(block, 16));
    free(block);
    errno = 0;
    EXPECT(opaque(memalign(64, (size_t)PTRDIFF_MAX)) == NULL);
    EXPECT(errno == ENOMEM);
}

int
main(int count, char **arguments)
{
    (void)arguments;
    check_posix_memalign();
    check_aligned_alloc(count > 1);
    check_memalign();
    return finish();
}
