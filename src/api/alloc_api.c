/* SPDX-License-Identifier: MIT
 *
 * The functions of ringfence/alloc.h.
 */
#include "ringfence/alloc.h"

#include "api/entry.h"

void *
rf_malloc(size_t size)
{
    return rfi_entry_malloc(size);
}

void
rf_free(void *block)
{
    rfi_entry_free(block);
}

void *
rf_calloc(size_t count, size_t size)
{
    return rfi_entry_calloc(count, size);
}

void *
rf_realloc(void *block, size_t size)
{
    return rfi_entry_realloc(block, size);
}

void *
rf_reallocarray(void *block, size_t count, size_t size)
{
    return rfi_entry_reallocarray(block, count, size);
}

void
rf_free_sized(void *block, size_t size)
{
    (void)size;
    rfi_entry_free(block);
}

void
rf_free_aligned_sized(void *block, size_t align, size_t size)
{
    (void)align;
    (void)size;
    rfi_entry_free(block);
}

void *
rf_aligned_alloc(size_t align, size_t size)
{
    return rfi_entry_aligned_alloc(align, size);
}

void *
rf_memalign(size_t align, size_t size)
{
    return rfi_entry_memalign(align, size);
}

int
rf_posix_memalign(void **result, size_t align, size_t size)
{
    return rfi_entry_posix_memalign(result, align, size);
}

size_t
rf_usable_size(void *block)
{
    return rfi_entry_usable_size(block);
}

int
rf_trim(size_t keep)
{
    return rfi_entry_trim(keep);
}
