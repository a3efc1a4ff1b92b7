/* SPDX-License-Identifier: MIT
 *
 * The invariants of a heap, checked by walking it:
 *
 *   I1  a cached block lies in the current span of its class
 *   I2  current and available spans belong to the heap, in the state that
 *       their place says
 *   I3  local_free has carved - colour - out blocks (after settling)
 *   I4  every free block is a block start in its span
 *   I5  the shared list has as many blocks as its count says
 *   I6  spans on the shelf are FULL and SHELVED, and the class bit is set
 */
#include "heap/heap.h"
#include "heap/shared_list.h"
#include "heap/span_count.h"
#include "mem/directory.h"

static bool
block_fits(const rfi_span_t *span, const rfi_block_t *block)
{
    uintptr_t offset =
        (uintptr_t)block - (uintptr_t)rfi_directory_address(span);

    return offset < (size_t)rfi_span_carved(span) * span->block_size &&
           rfi_size_class_is_start(span->start_magic, (uint32_t)offset);
}

/* Length of a list, or UINT32_MAX when a block does not fit (I4). */
static uint32_t
measure(const rfi_span_t *span, const rfi_block_t *list)
{
    uint32_t length = 0;

    for (; list != NULL; list = list->next) {
        if (!block_fits(span, list) || length++ > span->capacity) {
            return UINT32_MAX;
        }
    }
    return length;
}

static int
audit_span(const rfi_heap_t *heap, const rfi_span_t *span,
           rfi_span_state_t state)
{
    if (atomic_load_explicit(&span->owner, memory_order_relaxed) != heap ||
        span->state != (uint8_t)state) {
        return 2;
    }
    uint64_t word = rfi_span_shared(span);
    uint32_t out = rfi_span_out(span) - (span->armed - span->needed);
    uint32_t local = measure(span, span->local_free);
    uint32_t shared = measure(span, rfi_shared_head(word));

    if (local == UINT32_MAX || shared == UINT32_MAX) {
        return 4;
    }
    if (local != rfi_span_carved(span) - span->colour - out) {
        return 3;
    }
    return shared != rfi_shared_count(word) ? 5 : 0;
}

static int
audit_class(const rfi_heap_t *heap, unsigned size_class)
{
    const rfi_span_t *current = heap->current[size_class];
    int broken = 0;

    if (current == NULL) {
        broken = heap->cache[size_class] != NULL ? 1 : 0;
    } else if (measure(current, heap->cache[size_class]) == UINT32_MAX) {
        broken = 1;
    } else {
        broken = audit_span(heap, current, RFI_STATE_CURRENT);
    }
    const rfi_span_t *span = heap->available[size_class].first;

    for (; span != NULL && broken == 0; span = span->next) {
        broken = audit_span(heap, span, RFI_STATE_AVAILABLE);
    }
    return broken;
}

static int
audit_shelf(const rfi_heap_t *heap, unsigned size_class)
{
    const rfi_span_t *span = heap->shelf.lists[size_class].first;
    uint64_t classes =
        atomic_load_explicit(&heap->shelf.classes, memory_order_relaxed);

    if ((span != NULL) != ((classes >> size_class & 1) != 0)) {
        return 6;
    }
    for (; span != NULL; span = span->next) {
        uint64_t flags = rfi_span_shared(span) & RFI_SHARED_FLAGS;

        if (flags != (RFI_SHARED_FULL | RFI_SHARED_SHELVED) ||
            span->state != RFI_STATE_FULL) {
            return 6;
        }
    }
    return 0;
}

int
rfi_heap_audit(const rfi_heap_t *heap)
{
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        int broken = audit_class(heap, c);

        if (broken == 0) {
            broken = audit_shelf(heap, c);
        }
        if (broken != 0) {
            return broken;
        }
    }
    return 0;
}
