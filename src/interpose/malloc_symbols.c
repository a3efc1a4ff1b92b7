/* SPDX-License-Identifier: MIT
 *
 * The malloc family under libc's names, made of the same inline functions as
 * rf_malloc and its kin, so that an interposed call costs what ours does.
 *
 * All names that glibc has are here. One left out would hand out blocks of
 * libc's own heap, and they would come back to our free().
 */
#include <errno.h>
#include <stdlib.h>

#include "api/entry.h"
#include "base/bits.h"
#include "base/checked.h"
#include "interpose/libc_names.h"
#include "os/page.h"
#include "ringfence/export.h"

RF_API void *
malloc(size_t size)
{
    return rfi_entry_malloc(size);
}

RF_API void
free(void *block)
{
    rfi_entry_free(block);
}

RF_API void *
calloc(size_t count, size_t size)
{
    return rfi_entry_calloc(count, size);
}

RF_API void *
realloc(void *block, size_t size)
{
    return rfi_entry_realloc(block, size);
}

RF_API void *
reallocarray(void *block, size_t count, size_t size)
{
    return rfi_entry_reallocarray(block, count, size);
}

RF_API void *
memalign(size_t align, size_t size)
{
    return rfi_entry_memalign(align, size);
}

RF_API void *
aligned_alloc(size_t align, size_t size)
{
    return rfi_entry_aligned_alloc(align, size);
}

RF_API int
posix_memalign(void **result, size_t align, size_t size)
{
    return rfi_entry_posix_memalign(result, align, size);
}

RF_API void *
valloc(size_t size)
{
    return rfi_entry_aligned_alloc(rfi_page_size(), size);
}

/* Whole pages, and at least one. */
RF_API void *
pvalloc(size_t size)
{
    size_t page = rfi_page_size();
    size_t padded;

    if (RFI_UNLIKELY(!rfi_checked_add(size, page - 1, &padded))) {
        errno = ENOMEM;
        return NULL;
    }
    return rfi_entry_aligned_alloc(
        page, rfi_max(rfi_align_down(padded, page), page));
}

RF_API size_t
malloc_usable_size(void *block)
{
    return rfi_entry_usable_size(block);
}

RF_API void
cfree(void *block)
{
    rfi_entry_free(block);
}

RF_API void
free_sized(void *block, size_t size)
{
    (void)size;
    rfi_entry_free(block);
}

RF_API void
free_aligned_sized(void *block, size_t align, size_t size)
{
    (void)align;
    (void)size;
    rfi_entry_free(block);
}

RF_API void *
__libc_malloc(size_t size)
{
    return rfi_entry_malloc(size);
}

RF_API void
__libc_free(void *block)
{
    rfi_entry_free(block);
}

RF_API void *
__libc_calloc(size_t count, size_t size)
{
    return rfi_entry_calloc(count, size);
}

RF_API void *
__libc_realloc(void *block, size_t size)
{
    return rfi_entry_realloc(block, size);
}

RF_API void *
__libc_memalign(size_t align, size_t size)
{
    return rfi_entry_memalign(align, size);
}

RF_API void *
__libc_valloc(size_t size)
{
    return valloc(size);
}

RF_API void *
__libc_pvalloc(size_t size)
{
    return pvalloc(size);
}
