/* SPDX-License-Identifier: MIT
 *
 * free() after a miss of the fast path: find out what the pointer is. Nothing
 * that it leads to is read before the directory has vouched for it.
 */
#include "core/fault.h"
#include "front/emergency.h"
#include "front/find.h"
#include "front/front.h"
#include "front/slow.h"
#include "front/unowned.h"
#include "heap/double_free.h"
#include "heap/remote.h"
#include "mem/large.h"

static void
report_double_free(const rfi_span_t *span, void *pointer,
                   const char *function)
{
    rfi_fault_raise(&(rfi_fault_t){
        .kind = RFI_FAULT_DOUBLE_FREE,
        .address = pointer,
        .reason = "the block is free already",
        .block = pointer,
        .block_size = span->kind == RFI_SPAN_SMALL ? span->block_size
                                                   : rfi_large_usable(span),
        .function = function,
        .knob = "abort_on_error",
    });
}

static void
free_small(rfi_heap_t *heap, rfi_span_t *span, rfi_block_t *block,
           const char *function)
{
    /* Acquire: pairs with the release in rfi_span_create() and in
     * rfi_shelf_pop(). It is ours for certain or another's for the moment;
     * both ways of freeing are right for what we then read. */
    rfi_heap_t *owner =
        atomic_load_explicit(&span->owner, memory_order_acquire);

    if (RFI_UNLIKELY(block->key == span) &&
        rfi_block_is_free(heap, span, block)) {
        report_double_free(span, block, function);
        return;
    }
    if (owner == heap) {
        rfi_heap_free_local(heap, span, block);
    } else {
        rfi_remote_free(heap, span, block);
    }
}

static void
free_block(rfi_heap_t *heap, rfi_span_t *span, void *pointer,
           const char *function)
{
    if (RFI_UNLIKELY(!rfi_heap_enter(heap))) {
        rfi_heap_defer(pointer);
        return;
    }
    if (span->kind == RFI_SPAN_SMALL) {
        free_small(heap, span, pointer, function);
    } else if (!rfi_large_free(span)) {
        rfi_unowned_report(pointer, RFI_FAULT_DOUBLE_FREE, function);
    }
    rfi_slow_leave(heap);
}

void
rfi_front_free(rfi_heap_t *heap, void *pointer, const char *function)
{
    rfi_span_t *span = rfi_find_block(pointer);

    if (RFI_UNLIKELY(span == NULL)) {
        rfi_unowned_free(pointer, function);
    } else if (RFI_UNLIKELY(span->kind == RFI_SPAN_EMERGENCY)) {
        if (!rfi_emergency_free(pointer)) {
            rfi_unowned_report(pointer, RFI_FAULT_BAD_FREE, function);
        }
    } else {
        free_block(heap, span, pointer, function);
    }
}

void
rfi_front_free_event(rfi_heap_t *heap, rfi_span_t *span)
{
    if (RFI_UNLIKELY(!rfi_heap_enter(heap))) {
        /* In a signal handler: let the next free try again. */
        span->needed++;
        span->armed++;
        return;
    }
    rfi_heap_free_event(heap, span);
    rfi_slow_leave(heap);
}

void
rfi_slow_free_deferred(rfi_heap_t *heap)
{
    rfi_block_t *block = rfi_heap_take_deferred();

    while (block != NULL) {
        rfi_block_t *next = block->next;

        rfi_front_free(heap, block, "free");
        block = next;
    }
}
