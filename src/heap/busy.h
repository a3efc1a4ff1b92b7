/* SPDX-License-Identifier: MIT
 *
 * The busy word brackets every slow path of a heap. It is written by the
 * heap's thread only and serves two readers:
 *
 *  - a signal handler on the same thread that calls malloc or free while a
 *    slow path is interrupted: it sees busy, and allocates from the
 *    emergency arena (front/emergency.h) or defers its free;
 *  - the child of fork: a heap of another thread that was busy at that moment
 *    may be half changed, and is frozen: never allocated from again.
 *
 * Both look at one moment of one thread's stores, in program order, so that
 * compiler fences are enough.
 */
#ifndef RINGFENCE_HEAP_BUSY_H
#define RINGFENCE_HEAP_BUSY_H

#include "heap/heap.h"

/* False when a slow path of this heap is already running on this thread. */
static inline bool
rfi_heap_enter(rfi_heap_t *heap)
{
    if (RFI_UNLIKELY(
            atomic_load_explicit(&heap->busy, memory_order_relaxed) != 0)) {
        return false;
    }
    atomic_store_explicit(&heap->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

static inline void
rfi_heap_leave(rfi_heap_t *heap)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&heap->busy, 0, memory_order_relaxed);
}

/* Keeps a block for later, when free() met a busy heap. Only the heap's own
 * thread pushes and takes, at different depths of signal handling; but
 * rfi_heap_attaching is every thread's, so the order is that of a queue
 * between threads. */
static inline void
rfi_heap_defer(rfi_heap_t *heap, rfi_block_t *block)
{
    rfi_block_t *first =
        atomic_load_explicit(&heap->deferred, memory_order_relaxed);

    do {
        block->next = first;
    } while (!atomic_compare_exchange_weak_explicit(
        &heap->deferred, &first, block, memory_order_release,
        memory_order_relaxed));
}

static inline rfi_block_t *
rfi_heap_take_deferred(rfi_heap_t *heap)
{
    if (RFI_LIKELY(atomic_load_explicit(&heap->deferred,
                                        memory_order_relaxed) == NULL)) {
        return NULL;
    }
    return atomic_exchange_explicit(&heap->deferred, NULL,
                                    memory_order_acquire);
}

#endif
