/* SPDX-License-Identifier: MIT
 *
 * The whole fast path, in reading order: malloc pops a block of the right
 * class from the thread's cache; free finds the span, sees that it is this
 * thread's, and pushes. No lock, no atomic read-modify-write, no call. Both
 * give up on anything unusual, and the caller goes the slow way: an empty
 * cache, another mode, another thread's block, a pointer that is none.
 *
 * Only api/entry.h includes this file. tests/golden counts its instructions.
 */
#ifndef RINGFENCE_HEAP_FAST_H
#define RINGFENCE_HEAP_FAST_H

#include "heap/heap.h"
#include "mem/directory.h"

/* Takes the first block of a cache; NULL when it is empty or when its link
 * leads out of the 2^shift bytes around it, which the slow path looks into. */
static RFI_ALWAYS_INLINE void *
rfi_fast_pop(rfi_heap_t *heap, unsigned size_class, unsigned shift)
{
    rfi_block_t *block = heap->cache[size_class];

    if (RFI_UNLIKELY(block == NULL)) {
        return NULL;
    }
    rfi_block_t *next = block->next;

    if (RFI_UNLIKELY(!rfi_block_is_near(next, block, shift))) {
        if (next != NULL) {
            return NULL;
        }
    }
    heap->cache[size_class] = next;
    block->key = NULL;
    return block;
}

/* A block of at least `size` bytes, or NULL: go slow. */
static RFI_ALWAYS_INLINE void *
rfi_fast_alloc(size_t size)
{
    rfi_heap_t *heap = rfi_thread_heap;

    if (RFI_UNLIKELY(size > RFI_FAST_SIZE_MAX)) {
        return NULL;
    }
    unsigned size_class =
        rfi_size_class_table[(size + 15) / RFI_BLOCK_QUANTUM];

    return rfi_fast_pop(heap, size_class, RFI_GRANULE_SHIFT);
}

typedef enum rfi_fast_free {
    RFI_FREE_DONE,
    RFI_FREE_EVENT, /* done, and the span wants rfi_heap_free_event() */
    RFI_FREE_SLOW,  /* nothing done */
} rfi_fast_free_t;

/* Frees a block of a span of this thread's heap. *span is set for EVENT. */
static RFI_ALWAYS_INLINE rfi_fast_free_t
rfi_fast_free(void *pointer, rfi_span_t **found)
{
    rfi_block_t *block = pointer;
    rfi_span_t *span = rfi_directory_find(pointer);
    uint32_t offset = (uint32_t)((uintptr_t)pointer & (RFI_GRANULE_SIZE - 1));

    if (RFI_UNLIKELY(span == NULL) ||
        RFI_UNLIKELY(atomic_load_explicit(&span->owner_fast,
                                          memory_order_relaxed) !=
                     rfi_thread_heap) ||
        RFI_UNLIKELY(!rfi_size_class_is_start(span->start_magic, offset)) ||
        RFI_UNLIKELY(block->key == span)) {
        return RFI_FREE_SLOW;
    }
    block->next = span->local_free;
    block->key = span;
    span->local_free = block;
    *found = span;
    return RFI_UNLIKELY(--span->needed == 0) ? RFI_FREE_EVENT : RFI_FREE_DONE;
}

#endif
