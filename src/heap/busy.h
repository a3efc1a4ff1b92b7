/* SPDX-License-Identifier: MIT
 *
 * The bracket around every slow path of a heap. Within it the thread's heap
 * is rfi_heap_attaching, whose caches are empty and which owns nothing, and
 * the heap's busy word is set. Two look at that:
 *
 *  - a signal handler on the same thread that calls malloc or free while a
 *    slow path is interrupted: both fast paths miss, and the slow ones see a
 *    busy heap, so that it allocates from the emergency arena
 *    (front/emergency.h) and its frees are deferred;
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
    rfi_thread_heap = &rfi_heap_attaching;
    atomic_store_explicit(&heap->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

static inline void
rfi_heap_leave(rfi_heap_t *heap)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&heap->busy, 0, memory_order_relaxed);
    rfi_thread_heap = heap;
}

/* Keeps a block for later, when free() met a busy heap. The list is every
 * thread's; whoever leaves a slow path next empties it. */
static inline void
rfi_heap_defer(rfi_block_t *block)
{
    rfi_block_t *first =
        atomic_load_explicit(&rfi_heap_deferred, memory_order_relaxed);

    do {
        block->next = first;
        /* Release: pairs with the acquire in rfi_heap_take_deferred(). */
    } while (!atomic_compare_exchange_weak_explicit(
        &rfi_heap_deferred, &first, block, memory_order_release,
        memory_order_relaxed));
}

static inline bool
rfi_heap_has_deferred(void)
{
    return RFI_UNLIKELY(atomic_load_explicit(&rfi_heap_deferred,
                                             memory_order_relaxed) != NULL);
}

static inline rfi_block_t *
rfi_heap_take_deferred(void)
{
    return atomic_exchange_explicit(&rfi_heap_deferred, NULL,
                                    memory_order_acquire);
}

#endif
