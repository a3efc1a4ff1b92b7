/* SPDX-License-Identifier: MIT
 *
 * The entry points, once: the fast path inline, the rest out of line. Both
 * api/alloc_api.c (rf_malloc ...) and interpose (malloc ...) are made of
 * these, so that they are the same code.
 */
#ifndef RINGFENCE_API_ENTRY_H
#define RINGFENCE_API_ENTRY_H

#include <stddef.h>

#include "base/compiler.h"
#include "heap/fast.h"

/* Out of line; they set errno as the public functions do. */
void *rfi_entry_alloc_slow(size_t size);
void rfi_entry_free_slow(void *pointer);
void rfi_entry_free_event(rfi_span_t *span);

void *rfi_entry_calloc(size_t count, size_t size);
void *rfi_entry_realloc(void *block, size_t size);
void *rfi_entry_reallocarray(void *block, size_t count, size_t size);
void *rfi_entry_aligned_alloc(size_t align, size_t size);
void *rfi_entry_memalign(size_t align, size_t size);
int rfi_entry_posix_memalign(void **result, size_t align, size_t size);
size_t rfi_entry_usable_size(void *block);
int rfi_entry_trim(size_t keep);

/* As rfi_entry_alloc_slow() without touching errno, for operator new. */
void *rfi_entry_alloc_quiet(size_t size);

static RFI_ALWAYS_INLINE void *
rfi_entry_malloc(size_t size)
{
    void *block = rfi_fast_alloc(size);

    if (RFI_UNLIKELY(block == NULL)) {
        return rfi_entry_alloc_slow(size);
    }
    return block;
}

static RFI_ALWAYS_INLINE void
rfi_entry_free(void *pointer)
{
    rfi_span_t *span;

    switch (rfi_fast_free(pointer, &span)) {
    case RFI_FREE_DONE:
        break;
    case RFI_FREE_EVENT:
        rfi_entry_free_event(span);
        break;
    case RFI_FREE_SLOW:
        rfi_entry_free_slow(pointer);
        break;
    }
}

#endif
