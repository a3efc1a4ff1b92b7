/* SPDX-License-Identifier: MIT
 *
 * Filling the cache of a size class that has run empty.
 */
#ifndef RINGFENCE_HEAP_REFILL_H
#define RINGFENCE_HEAP_REFILL_H

#include "heap/heap.h"
#include "heap/span_count.h"

/* Slow path of malloc for one class: fills the cache and pops a block. NULL
 * when out of memory. The caller holds `busy`. */
void *rfi_heap_refill(rfi_heap_t *heap, unsigned size_class);

/* Takes the owner's frees of a current span as a list; they count as out
 * again, and the countdown, which ends in nothing here, starts anew. */
static inline rfi_block_t *
rfi_span_take_local(rfi_span_t *span)
{
    rfi_block_t *list = span->local_free;

    span->local_free = NULL;
    rfi_span_set_out(span, rfi_span_carved(span) - span->colour);
    rfi_span_arm(span, 0);
    return list;
}

/* The commonest refill, inline: the owner has freed blocks of the current
 * span. NULL when it has not. The caller holds `busy`. */
static inline void *
rfi_heap_refill_local(rfi_heap_t *heap, unsigned size_class)
{
    rfi_span_t *span = heap->current[size_class];

    if (span == NULL || span->local_free == NULL) {
        return NULL;
    }
    rfi_block_t *block = rfi_span_take_local(span);

    heap->zero_classes &= ~((uint64_t)1 << size_class);
    heap->cache[size_class] = block->next;
    block->key = NULL;
    return block;
}

#endif
