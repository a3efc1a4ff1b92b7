/* SPDX-License-Identifier: MIT
 *
 * See remote.h. Pushing is safe at any time while the pusher holds a block
 * of the span: the span cannot go away before that block is back.
 */
#include "heap/remote.h"

#include "heap/shared_list.h"
#include "heap/shelf.h"
#include "heap/span_count.h"

#define BATCH_BLOCKS_MAX 32u
#define BATCHED_BYTES_MAX 32768u

/* Neighbouring descriptors go to different slots. */
static rfi_batch_t *
slot_of(rfi_heap_t *heap, const rfi_span_t *span)
{
    uintptr_t number = (uintptr_t)span / sizeof(*span);

    return &heap->batches[(number ^ (number >> 4)) % RFI_BATCH_SLOTS];
}

static bool
owner_is_frozen(const rfi_span_t *span)
{
    rfi_heap_t *owner =
        atomic_load_explicit(&span->owner, memory_order_acquire);

    return owner != NULL &&
           atomic_load_explicit(&owner->frozen, memory_order_relaxed);
}

void
rfi_remote_push(rfi_heap_t *heap, rfi_span_t *span, rfi_block_t *head,
                rfi_block_t *tail, uint32_t count)
{
    if (RFI_UNLIKELY(owner_is_frozen(span))) {
        return; /* left behind by fork: the blocks are dropped */
    }
    uint64_t word = rfi_shared_push(span, head, tail, count, 0);

    if (word & RFI_SHARED_FULL) {
        rfi_shelf_notify(heap, span, rfi_shared_count(word));
    }
}

static void
flush(rfi_heap_t *heap, rfi_batch_t *batch)
{
    rfi_span_t *span = batch->span;
    uint32_t count = batch->count;

    if (span == NULL) {
        return;
    }
    heap->batched_bytes -= count * span->block_size;
    batch->span = NULL;
    rfi_remote_push(heap, span, batch->head, batch->tail, count);
}

void
rfi_remote_flush(rfi_heap_t *heap)
{
    for (unsigned i = 0; i < RFI_BATCH_SLOTS; i++) {
        flush(heap, &heap->batches[i]);
    }
}

void
rfi_remote_free(rfi_heap_t *heap, rfi_span_t *span, rfi_block_t *block)
{
    rfi_batch_t *batch = slot_of(heap, span);

    block->key = span;
    if (batch->span != span) {
        flush(heap, batch);
        batch->span = span;
        batch->head = NULL;
        batch->tail = block;
        batch->count = 0;
    }
    block->next = batch->head;
    batch->head = block;
    batch->count++;
    heap->batched_bytes += span->block_size;
    if (batch->count == BATCH_BLOCKS_MAX) {
        flush(heap, batch);
    } else if (heap->batched_bytes > BATCHED_BYTES_MAX) {
        rfi_remote_flush(heap);
    }
}
