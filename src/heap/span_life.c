/* SPDX-License-Identifier: MIT
 *
 * A span's memory is cut lazily, so that a class that needs three blocks
 * makes one page resident and not sixteen, and its first block is shifted by
 * a colour, so that spans of one class do not all fight for the same cache
 * sets.
 */
#include "heap/span_life.h"

#include "heap/span_count.h"
#include "mem/directory.h"
#include "mem/granule.h"

/* Empty granules that a heap keeps before it bothers the granule lock. */
#define CACHED_GRANULES_MAX 4u

/* Bytes cut at once out of memory that is resident already. */
#define CUT_DIRTY_BYTES 16384u
#define CUT_CLEAN_BYTES 4096u

#define COLOURS 4u
#define COLOURED_BLOCK_MAX 1024u

static uint32_t
colour_of(const rfi_span_t *span, uint32_t block_size)
{
    if (block_size > COLOURED_BLOCK_MAX) {
        return 0;
    }
    return ((uint32_t)((uintptr_t)span / sizeof(*span))) % COLOURS;
}

static rfi_span_t *
take_granules(rfi_heap_t *heap, uint32_t count)
{
    rfi_span_t *span = heap->granule_cache;

    if (count != 1 || span == NULL) {
        /* Aligned to its length: links are checked against that. */
        return rfi_granule_take(count, count, RFI_SPAN_SMALL);
    }
    heap->granule_cache = span->next;
    heap->granules_cached--;
    span->kind = RFI_SPAN_SMALL;
    return span;
}

rfi_span_t *
rfi_span_create(rfi_heap_t *heap, unsigned size_class)
{
    const rfi_size_class_t *info = &rfi_size_classes[size_class];
    rfi_span_t *span = take_granules(heap, info->granules);

    if (span == NULL) {
        return NULL;
    }
    uint32_t colour = colour_of(span, info->block_size);

    span->local_free = NULL;
    span->start_magic = info->start_magic;
    span->block_size = info->block_size;
    span->size_class = (uint8_t)size_class;
    span->capacity = info->capacity;
    span->colour = colour;
    rfi_span_set_carved(span, colour);
    span->state = RFI_STATE_NEW;
    rfi_span_set_out(span, 0);
    span->next = span->previous = NULL;
    rfi_span_arm(span, 0);
    atomic_store_explicit(&span->shared, 0, memory_order_relaxed);
    /* Pairs with the acquire loads in heap/shelf.c and front/free.c: who sees
     * the owner sees the span described. */
    atomic_store_explicit(&span->owner, heap, memory_order_release);
    atomic_store_explicit(&span->owner_fast, heap, memory_order_release);
    return span;
}

rfi_block_t *
rfi_span_cut(rfi_span_t *span)
{
    uint32_t size = span->block_size;
    uint32_t budget =
        span->flags & RFI_SPAN_ZERO ? CUT_CLEAN_BYTES : CUT_DIRTY_BYTES;
    uint32_t count = (uint32_t)rfi_max(budget / size, 1);
    uint32_t carved = rfi_span_carved(span);
    uint32_t left = span->capacity - carved;

    if (count > left) {
        count = left;
    }
    char *first = (char *)rfi_directory_address(span) +
                  (size_t)carved * size;
    char *last = first + (size_t)(count - 1) * size;

    for (char *block = first; block < last; block += size) {
        ((rfi_block_t *)(void *)block)->next =
            (rfi_block_t *)(void *)(block + size);
    }
    ((rfi_block_t *)(void *)last)->next = NULL;
    rfi_span_set_carved(span, carved + count);
    rfi_span_set_out(span, rfi_span_out(span) + count);
    return (rfi_block_t *)(void *)first;
}

void
rfi_span_destroy(rfi_heap_t *heap, rfi_span_t *span)
{
    atomic_store_explicit(&span->shared, 0, memory_order_relaxed);
    if (heap == NULL || span->granules != 1 ||
        heap->granules_cached >= CACHED_GRANULES_MAX) {
        rfi_granule_give(span, false);
        return;
    }
    span->kind = RFI_SPAN_CACHED;
    span->flags = 0;
    span->next = heap->granule_cache;
    heap->granule_cache = span;
    heap->granules_cached++;
}

void
rfi_span_drop_cached(rfi_heap_t *heap)
{
    while (heap->granule_cache != NULL) {
        rfi_span_t *span = heap->granule_cache;

        heap->granule_cache = span->next;
        span->next = NULL;
        rfi_granule_give(span, false);
    }
    heap->granules_cached = 0;
}
