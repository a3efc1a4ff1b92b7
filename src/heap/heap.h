/* SPDX-License-Identifier: MIT
 *
 * A heap: the spans and caches with which one thread allocates. A heap is
 * attached to one thread at a time; when the thread ends it goes to the pool
 * (heap/heap_pool.h) with everything it holds and the next thread continues
 * with it. Heaps are never unmapped, so that a late free by another thread
 * always finds a heap to talk to.
 *
 * States of a small span and where it is linked:
 *
 *   CURRENT    heap->current[class]; its blocks are in heap->cache[class]
 *   AVAILABLE  heap->available[class]; has free or uncut blocks
 *   FULL       linked nowhere, or on the owner's shelf (heap/shelf.h)
 *
 *              refill finds nothing           frees reach the wake count
 *   CURRENT ------------------------> FULL ---------------------------+
 *      ^                               |  every block freed by others |
 *      | refill                        +------------> released        v
 *      +------------------------------------------------- AVAILABLE --+
 *                                                             |
 *                                 every block freed           +--> released
 *
 * Accounting. `out` is the number of cut blocks that are not on the span's
 * local_free list, as of the last event; since then `armed - needed` blocks
 * have been freed by the owner. Blocks in the cache and on the shared list
 * count as out. Hence, for the owner:
 *
 *   length(local_free) = carved - colour - (out - (armed - needed))
 *   every block free  <=>  out - (armed - needed) == count(shared)
 */
#ifndef RINGFENCE_HEAP_HEAP_H
#define RINGFENCE_HEAP_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "core/lock.h"
#include "heap/block.h"
#include "heap/size_class.h"
#include "mem/span.h"

typedef enum rfi_span_state {
    RFI_STATE_NEW = 0,
    RFI_STATE_CURRENT,
    RFI_STATE_AVAILABLE,
    RFI_STATE_FULL,
} rfi_span_state_t;

/* Doubly linked through next and previous of the spans. */
typedef struct rfi_span_list {
    rfi_span_t *first;
    rfi_span_t *last;
} rfi_span_list_t;

/* Blocks of one foreign span, collected before they are handed back. */
typedef struct rfi_batch {
    rfi_span_t *span; /* NULL: the slot is free */
    rfi_block_t *head;
    rfi_block_t *tail;
    uint32_t count;
} rfi_batch_t;

#define RFI_BATCH_SLOTS 16u

/* Spans whose owner has let go of them and of which some blocks are free
 * again: see heap/shelf.h. */
typedef struct rfi_shelf {
    rfi_lock_t lock;
    _Atomic(uint64_t) classes; /* bit c: lists[c] is not empty */
    rfi_span_list_t lists[RFI_CLASS_COUNT];
    bool detached; /* no thread has this heap: shelve with the orphans */
} rfi_shelf_t;

typedef struct rfi_heap {
    /* Owner thread. */
    rfi_block_t *cache[RFI_CLASS_COUNT]; /* what malloc pops from */
    rfi_span_t *current[RFI_CLASS_COUNT];
    rfi_span_list_t available[RFI_CLASS_COUNT];
    uint64_t zero_classes; /* bit c: cache[c] is zero but for its links */
    _Atomic(uint32_t) busy; /* a slow path is running: see heap/busy.h */
    uint32_t refills;
    uint64_t tick_ms;
    uint32_t sweep_class;
    uint32_t batched_bytes;
    rfi_span_t *granule_cache; /* empty one-granule spans */
    uint32_t granules_cached;
    rfi_batch_t batches[RFI_BATCH_SLOTS];

    /* Any thread. */
    RFI_ALIGNED(64) rfi_shelf_t shelf;
    _Atomic(bool) frozen; /* of a thread that fork left behind mid-change */

    /* Heap pool, under its lock; `all` is constant after creation. */
    struct rfi_heap *pool_next;
    struct rfi_heap *all_next;
    uint64_t idle_since_ms;
    bool idle;
    bool swept;
    uint32_t number;
} rfi_heap_t;

/* The heap of the calling thread. A thread that has none has the empty heap,
 * whose caches are empty and which owns no span, so that both fast paths
 * miss without a test of their own. */
extern RFI_HIDDEN RFI_TLS rfi_heap_t *rfi_thread_heap;
extern RFI_HIDDEN rfi_heap_t rfi_heap_empty;

/* Stands in for the thread's heap while the real one is being found or is
 * busy: itself busy for ever, so that a signal handler's call is served from
 * the emergency arena. */
extern RFI_HIDDEN rfi_heap_t rfi_heap_attaching;

/* Blocks that were freed while the thread's heap was busy: heap/busy.h. */
extern RFI_HIDDEN _Atomic(rfi_block_t *) rfi_heap_deferred;

/* Owner of the spans that ended threads left behind; only its shelf is used. */
extern RFI_HIDDEN rfi_heap_t rfi_heap_orphans;

static inline bool
rfi_heap_is_attached(const rfi_heap_t *heap)
{
    return heap != &rfi_heap_empty && heap != &rfi_heap_attaching;
}

/* Prepares zeroed memory as a heap without spans. */
void rfi_heap_init(rfi_heap_t *heap, uint32_t number);

/* The current span of a class, whose cache is empty, becomes an available
 * one, or, when nothing in it is free, a full one. */
void rfi_heap_retire_current(rfi_heap_t *heap, unsigned size_class);

/* `needed` of a span of this heap has reached zero. The caller holds `busy`. */
void rfi_heap_free_event(rfi_heap_t *heap, rfi_span_t *span);

/* Frees a block of one of the heap's own spans, whose start the caller has
 * checked. The caller holds `busy`. */
void rfi_heap_free_local(rfi_heap_t *heap, rfi_span_t *span,
                         rfi_block_t *block);

/* Releases spans whose blocks other threads have freed entirely, in at most a
 * bounded number of lists (tick). The caller holds `busy`. */
void rfi_heap_sweep_step(rfi_heap_t *heap);

/* The same for all lists and with the caches given back: for trim. The
 * caller holds `busy`, or owns a detached heap. */
void rfi_heap_collect(rfi_heap_t *heap);

/* Gives everything in a detached heap back: empty spans to mem, others to
 * the orphans. */
void rfi_heap_abandon(rfi_heap_t *heap);

/* 0, or the number of the first broken invariant (heap_audit.c). Only for a
 * heap that nobody is using. */
int rfi_heap_audit(const rfi_heap_t *heap);

#endif
