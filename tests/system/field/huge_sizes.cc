/* SPDX-License-Identifier: MIT
 *
 * Case 11: sizes near PTRDIFF_MAX and SIZE_MAX, and products that overflow.
 * Every function answers NULL with ENOMEM, operator new throws, and a block
 * that could not be resized is as it was.
 */
#include <cerrno>
#include <initializer_list>
#include <malloc.h>
#include <new>

#include "case.h"

static void *
call_posix_memalign(size_t size)
{
    void *block = NULL;

    errno = posix_memalign(&block, 64, size);
    return block;
}

static void *
call_realloc_null(size_t size)
{
    return realloc(opaque(NULL), size);
}

static void *
call_aligned_alloc(size_t size)
{
    return aligned_alloc(64, size);
}

static void *
call_memalign(size_t size)
{
    return memalign(64, size);
}

static void *
call_memalign_large(size_t size)
{
    return memalign(4 * MIB, size);
}

static void *
call_calloc(size_t size)
{
    return calloc(1, size);
}

typedef void *(*allocate_t)(size_t);
static const allocate_t allocators[] = {
    malloc,        call_calloc,         call_realloc_null,
    call_memalign, call_memalign_large, call_aligned_alloc,
    valloc,        pvalloc,             call_posix_memalign,
};

static bool
new_throws(size_t size)
{
    try {
        (void)opaque(::operator new(size));
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

static bool
aligned_new_throws(size_t size)
{
    try {
        (void)opaque(::operator new[](size, std::align_val_t(64)));
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

static void
refuse(size_t size, char *kept)
{
    for (allocate_t allocate : allocators) {
        errno = 0;
        EXPECT(opaque(allocate(size)) == NULL);
        EXPECT(errno == ENOMEM);
    }
    errno = 0;
    EXPECT(opaque(realloc(opaque(kept), size)) == NULL);
    EXPECT(errno == ENOMEM);
    EXPECT(kept[0] == 'k' && kept[99] == 'k');
}

static void
refuse_products(char *kept)
{
    volatile size_t half = SIZE_MAX / 2;
    volatile size_t all = SIZE_MAX;

    errno = 0;
    EXPECT(opaque(calloc(half, 3)) == NULL && errno == ENOMEM);
    errno = 0;
    EXPECT(opaque(calloc(all, all)) == NULL && errno == ENOMEM);
    errno = 0;
    EXPECT(opaque(reallocarray(opaque(kept), half, 4)) == NULL);
    EXPECT(errno == ENOMEM && kept[0] == 'k' && kept[99] == 'k');
}

/* The aligned operator new of libstdc++ rounds SIZE_MAX up to nothing, so
 * that size is not asked of it: `is_base`. */
static void
refuse_new(bool is_base)
{
    const size_t limit = static_cast<size_t>(PTRDIFF_MAX);

    for (size_t size : {limit - 4096, limit, limit + 1, SIZE_MAX}) {
        EXPECT(new_throws(size));
        EXPECT((is_base && size == SIZE_MAX) || aligned_new_throws(size));
        EXPECT(::operator new(size, std::nothrow) == NULL);
    }
}

int
main(int count, char **)
{
    const size_t limit = static_cast<size_t>(PTRDIFF_MAX);
    char *kept = static_cast<char *>(malloc(100));

    memset(kept, 'k', 100);
    for (size_t k = 0; k <= 4096; k += 7) {
        refuse(limit - k, kept);
        refuse(SIZE_MAX - k, kept);
    }
    refuse(limit + 1, kept);
    refuse_new(count > 1);
    refuse_products(kept);
    free(kept);
    return finish();
}
