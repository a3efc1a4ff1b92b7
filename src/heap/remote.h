/* SPDX-License-Identifier: MIT
 *
 * Frees of blocks whose span belongs to another thread's heap. The freeing
 * thread collects them by span in a few batches of its own heap, which costs
 * no atomic operation, and hands a whole batch to the span's shared list
 * with one. What a thread holds back is bounded: 32 blocks a batch, 32 KiB
 * in all, and not beyond the next tick.
 */
#ifndef RINGFENCE_HEAP_REMOTE_H
#define RINGFENCE_HEAP_REMOTE_H

#include "heap/heap.h"

/* Adds a block, whose start the caller has checked, to a batch of `heap`, the
 * calling thread's. */
void rfi_remote_free(rfi_heap_t *heap, rfi_span_t *span, rfi_block_t *block);

/* Hands over all batches of the heap. */
void rfi_remote_flush(rfi_heap_t *heap);

/* Pushes a list of `count` blocks onto the span's shared list, and does what
 * that makes due. `heap` is the caller's or NULL. */
void rfi_remote_push(rfi_heap_t *heap, rfi_span_t *span, rfi_block_t *head,
                     rfi_block_t *tail, uint32_t count);

#endif
