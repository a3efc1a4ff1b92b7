/* SPDX-License-Identifier: MIT
 *
 * Where a span goes when it ceases to be the current one. The slow path of a
 * free by the owner: a countdown has ended, so that a full span has blocks
 * again or an available one is empty. And the sweeps, which find what has
 * become empty by other threads' frees.
 */
#include "heap/heap.h"
#include "heap/remote.h"
#include "heap/shared_list.h"
#include "heap/shelf.h"
#include "heap/span_count.h"
#include "heap/span_life.h"
#include "heap/span_list.h"

/* Spans looked at in one step of a sweep. */
#define SWEEP_STEP_SPANS 16u

/* An available span: released when empty, else its countdown starts anew. */
static bool
release_if_empty(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_span_settle(span);
    if (!rfi_span_is_empty(span)) {
        rfi_span_arm(span, rfi_span_out(span));
        return false;
    }
    rfi_span_list_remove(&heap->available[span->size_class], span);
    rfi_shelf_disown(heap, span);
    rfi_span_destroy(heap, span);
    return true;
}

/* A full span of which the owner has freed its share: it can serve again. */
static void
wake(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_shelf_reclaim(heap, span);
    span->state = RFI_STATE_AVAILABLE;
    rfi_span_list_push_first(&heap->available[span->size_class], span);
    release_if_empty(heap, span);
}

void
rfi_heap_free_event(rfi_heap_t *heap, rfi_span_t *span)
{
    switch ((rfi_span_state_t)span->state) {
    case RFI_STATE_FULL:
        wake(heap, span);
        break;
    case RFI_STATE_AVAILABLE:
        release_if_empty(heap, span);
        break;
    case RFI_STATE_CURRENT:
    case RFI_STATE_NEW:
        /* 2^32 frees: it stays, for it is what malloc will use next. */
        rfi_span_settle(span);
        rfi_span_arm(span, 0);
        break;
    }
}

void
rfi_heap_free_local(rfi_heap_t *heap, rfi_span_t *span, rfi_block_t *block)
{
    block->next = span->local_free;
    block->key = span;
    span->local_free = block;
    if (--span->needed == 0) {
        rfi_heap_free_event(heap, span);
    }
}

void
rfi_heap_retire_current(rfi_heap_t *heap, unsigned size_class)
{
    rfi_span_t *span = heap->current[size_class];

    if (span == NULL) {
        return;
    }
    heap->current[size_class] = NULL;
    rfi_span_settle(span);
    if (span->local_free == NULL && !rfi_span_has_uncut(span)) {
        rfi_span_arm(span, rfi_span_wake_count(rfi_span_out(span)));
        if (rfi_shelf_let_go(span)) {
            return;
        }
    }
    rfi_span_arm(span, rfi_span_out(span));
    span->state = RFI_STATE_AVAILABLE;
    rfi_span_list_push_last(&heap->available[size_class], span);
}

static void
sweep_list(rfi_heap_t *heap, unsigned size_class, unsigned limit)
{
    rfi_span_list_t *list = &heap->available[size_class];
    rfi_span_t *last = list->last;
    rfi_span_t *span = list->first;

    while (span != NULL && limit-- != 0) {
        bool end = span == last;

        if (!release_if_empty(heap, span)) {
            /* To the end, so that the next step looks at others. */
            rfi_span_list_remove(list, span);
            rfi_span_list_push_last(list, span);
        }
        span = end ? NULL : list->first;
    }
}

/* What stands on the shelf joins the available spans. */
static void
clear_shelf(rfi_heap_t *heap, unsigned size_class)
{
    rfi_span_t *span;

    while ((span = rfi_shelf_pop(heap, heap, size_class)) != NULL) {
        span->state = RFI_STATE_AVAILABLE;
        rfi_span_list_push_last(&heap->available[size_class], span);
    }
}

void
rfi_heap_sweep_step(rfi_heap_t *heap)
{
    heap->sweep_class = (heap->sweep_class + 1) % RFI_CLASS_COUNT;
    clear_shelf(heap, heap->sweep_class);
    sweep_list(heap, heap->sweep_class, SWEEP_STEP_SPANS);
}

/* Puts the cached blocks of a class back into their span, the current one. */
static void
return_cache(rfi_heap_t *heap, unsigned size_class)
{
    rfi_span_t *span = heap->current[size_class];
    rfi_block_t *block = heap->cache[size_class];
    uint32_t returned = 0;

    heap->cache[size_class] = NULL;
    while (block != NULL) {
        rfi_block_t *next = block->next;

        block->next = span->local_free;
        block->key = span;
        span->local_free = block;
        block = next;
        returned++;
    }
    if (span != NULL) {
        rfi_span_set_out(span, rfi_span_settle(span) - returned);
        rfi_span_arm(span, rfi_span_out(span));
    }
}

void
rfi_heap_collect(rfi_heap_t *heap)
{
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        return_cache(heap, c);
        rfi_heap_retire_current(heap, c);
        clear_shelf(heap, c);
        sweep_list(heap, c, UINT32_MAX);
    }
    heap->zero_classes = 0;
    rfi_span_drop_cached(heap);
}

void
rfi_heap_abandon(rfi_heap_t *heap)
{
    rfi_remote_flush(heap);
    rfi_heap_collect(heap);
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        rfi_span_list_t *list = &heap->available[c];

        while (list->first != NULL) {
            rfi_span_t *span = list->first;

            rfi_span_list_remove(list, span);
            rfi_span_settle(span);
            rfi_shelf_orphan(span);
        }
    }
    rfi_shelf_orphan_all(heap);
}
