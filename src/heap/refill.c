/* SPDX-License-Identifier: MIT
 *
 * The slow path of malloc: the cache of a class is empty. In order: what the
 * owner and others have freed into the current span; spans that have become
 * available; what others have freed into spans we had let go of; the uncut
 * part of the current span; spans of ended threads; a new span.
 */
#include "heap/refill.h"

#include "base/assert.h"
#include "heap/shared_list.h"
#include "heap/shelf.h"
#include "heap/span_count.h"
#include "heap/span_life.h"
#include "heap/span_list.h"

/* Takes what others have freed. These blocks count as out already, so that
 * nothing else changes. */
static rfi_block_t *
take_shared(rfi_span_t *span)
{
    if (rfi_span_shared(span) == 0) {
        return NULL;
    }
    /* Acquire: pairs with rfi_remote_push(). Not FULL, so no flags. */
    return rfi_shared_head(atomic_exchange_explicit(&span->shared, 0,
                                                    memory_order_acq_rel));
}

static rfi_block_t *
take_freed(rfi_span_t *span)
{
    return span->local_free != NULL ? rfi_span_take_local(span)
                                    : take_shared(span);
}

static rfi_block_t *
cut(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_block_t *list = rfi_span_cut(span);

    if (span->flags & RFI_SPAN_ZERO) {
        heap->zero_classes |= (uint64_t)1 << span->size_class;
    }
    return list;
}

static void
make_current(rfi_heap_t *heap, unsigned size_class, rfi_span_t *span)
{
    rfi_heap_retire_current(heap, size_class);
    /* Nothing is due when it is empty: malloc will use it next. */
    rfi_span_settle(span);
    rfi_span_arm(span, 0);
    span->state = RFI_STATE_CURRENT;
    heap->current[size_class] = span;
}

/* A span of ours that has freed or uncut blocks. */
static rfi_span_t *
find_available(rfi_heap_t *heap, unsigned size_class)
{
    rfi_span_t *span = heap->available[size_class].first;

    if (span != NULL) {
        rfi_span_list_remove(&heap->available[size_class], span);
        return span;
    }
    return rfi_shelf_pop(heap, heap, size_class);
}

static rfi_block_t *
take_any(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_block_t *list = take_freed(span);

    if (list == NULL && rfi_span_has_uncut(span)) {
        list = cut(heap, span);
    }
    return list;
}

/* The first list found in the order given at the top of this file. */
static rfi_block_t *
find_blocks(rfi_heap_t *heap, unsigned size_class)
{
    rfi_span_t *current = heap->current[size_class];
    rfi_block_t *list = current != NULL ? take_freed(current) : NULL;

    if (list != NULL) {
        return list;
    }
    rfi_span_t *span = find_available(heap, size_class);

    if (span == NULL) {
        if (current != NULL && rfi_span_has_uncut(current)) {
            return cut(heap, current);
        }
        span = rfi_shelf_pop(&rfi_heap_orphans, heap, size_class);
    }
    if (span == NULL) {
        span = rfi_span_create(heap, size_class);
    }
    if (span == NULL) {
        return NULL;
    }
    make_current(heap, size_class, span);
    list = take_any(heap, span);
    rfi_assert(list != NULL);
    return list;
}

void *
rfi_heap_refill(rfi_heap_t *heap, unsigned size_class)
{
    heap->zero_classes &= ~((uint64_t)1 << size_class);
    rfi_block_t *block = find_blocks(heap, size_class);

    if (block == NULL) {
        return NULL;
    }
    heap->cache[size_class] = block->next;
    block->key = NULL;
    return block;
}
