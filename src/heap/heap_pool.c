/* SPDX-License-Identifier: MIT
 *
 * The pool is a stack under one lock; all heaps ever made are also chained
 * for walks. Heap memory is metadata and is never given back, so that a
 * freeing thread may look at a span's owner at any time.
 */
#include "heap/heap_pool.h"

#include "heap/remote.h"
#include "heap/shelf.h"
#include "mem/meta.h"
#include "mem/segment.h"
#include "os/page.h"
#include "os/process.h"

/* A heap without a thread keeps its memory for this long. */
#define IDLE_KEEP_MS 250u

static rfi_lock_t pool_lock = RFI_LOCK_INIT(RFI_RANK_HEAP_POOL);
static rfi_heap_t *idle_heaps;              /* last put back comes first */
static _Atomic(uint32_t) idle_unswept;      /* idle heaps with memory */
static _Atomic(rfi_heap_t *) all_heaps;     /* only ever grows at the front */
static _Atomic(uint32_t) heap_count;

static rfi_heap_t *
create_locked(void)
{
    rfi_heap_t *heap = rfi_meta_alloc(sizeof(*heap), 64);

    if (heap == NULL) {
        return NULL;
    }
    uint32_t number = atomic_load_explicit(&heap_count, memory_order_relaxed);

    rfi_heap_init(heap, number);
    heap->all_next = atomic_load_explicit(&all_heaps, memory_order_relaxed);
    /* Release: pairs with the acquire in rfi_heap_pool_walk(). */
    atomic_store_explicit(&all_heaps, heap, memory_order_release);
    atomic_store_explicit(&heap_count, number + 1, memory_order_relaxed);
    rfi_segment_set_heaps(number + 1);
    return heap;
}

static void
mark_swept_locked(rfi_heap_t *heap)
{
    if (!heap->swept) {
        heap->swept = true;
        atomic_fetch_sub_explicit(&idle_unswept, 1, memory_order_relaxed);
    }
}

rfi_heap_t *
rfi_heap_pool_take(void)
{
    rfi_lock_acquire(&pool_lock);
    rfi_heap_t *heap = idle_heaps;

    if (heap != NULL) {
        idle_heaps = heap->pool_next;
        mark_swept_locked(heap);
        heap->idle = false;
        heap->pool_next = NULL;
    } else {
        heap = create_locked();
    }
    rfi_lock_release(&pool_lock);
    if (heap != NULL) {
        rfi_shelf_set_detached(heap, false);
    }
    return heap;
}

static void
put_locked(rfi_heap_t *heap, bool swept, uint64_t now_ms)
{
    heap->idle = true;
    heap->swept = swept;
    heap->idle_since_ms = now_ms;
    heap->pool_next = idle_heaps;
    idle_heaps = heap;
    if (!swept) {
        atomic_fetch_add_explicit(&idle_unswept, 1, memory_order_relaxed);
    }
}

void
rfi_heap_pool_give(rfi_heap_t *heap)
{
    /* Busy, for a fork meanwhile must not take the heap for whole. */
    atomic_store_explicit(&heap->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    rfi_remote_flush(heap);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&heap->busy, 0, memory_order_relaxed);
    rfi_shelf_set_detached(heap, true);
    rfi_lock_acquire(&pool_lock);
    put_locked(heap, false, rfi_process_clock_ms());
    rfi_lock_release(&pool_lock);
}

/* Takes a heap that is due out of the pool; the caller owns it then. */
static rfi_heap_t *
take_due(uint64_t now_ms, bool everything)
{
    rfi_heap_t **link = &idle_heaps;

    rfi_lock_acquire(&pool_lock);
    while (*link != NULL &&
           ((*link)->swept ||
            (!everything && now_ms - (*link)->idle_since_ms < IDLE_KEEP_MS))) {
        link = &(*link)->pool_next;
    }
    rfi_heap_t *heap = *link;

    if (heap != NULL) {
        *link = heap->pool_next;
        mark_swept_locked(heap);
    }
    rfi_lock_release(&pool_lock);
    return heap;
}

/* Puts an emptied heap behind those that still hold memory. */
static void
put_back_swept(rfi_heap_t *heap)
{
    rfi_lock_acquire(&pool_lock);
    rfi_heap_t **link = &idle_heaps;

    while (*link != NULL) {
        link = &(*link)->pool_next;
    }
    heap->pool_next = NULL;
    heap->swept = true;
    heap->idle = true;
    *link = heap;
    rfi_lock_release(&pool_lock);
}

void
rfi_heap_pool_sweep(uint64_t now_ms, bool everything)
{
    rfi_heap_t *heap;

    if (atomic_load_explicit(&idle_unswept, memory_order_relaxed) == 0) {
        return;
    }
    while ((heap = take_due(now_ms, everything)) != NULL) {
        rfi_heap_abandon(heap);
        put_back_swept(heap);
        if (!everything) {
            return;
        }
    }
}

void
rfi_heap_pool_walk(void (*visit)(rfi_heap_t *heap, void *context),
                   void *context)
{
    rfi_heap_t *heap = atomic_load_explicit(&all_heaps, memory_order_acquire);

    for (; heap != NULL; heap = heap->all_next) {
        visit(heap, context);
    }
}

uint32_t
rfi_heap_pool_count(void)
{
    return atomic_load_explicit(&heap_count, memory_order_relaxed);
}

static void
lock_shelf(rfi_heap_t *heap, void *context)
{
    (void)context;
    rfi_lock_acquire_next(&heap->shelf.lock);
}

static void
unlock_shelf(rfi_heap_t *heap, void *context)
{
    (void)context;
    rfi_lock_release(&heap->shelf.lock);
}

void
rfi_heap_pool_fork_prepare(void)
{
    rfi_lock_acquire(&pool_lock);
    rfi_heap_pool_walk(lock_shelf, NULL);
    rfi_lock_acquire_next(&rfi_heap_orphans.shelf.lock);
}

void
rfi_heap_pool_fork_parent(void)
{
    rfi_lock_release(&rfi_heap_orphans.shelf.lock);
    rfi_heap_pool_walk(unlock_shelf, NULL);
    rfi_lock_release(&pool_lock);
}

/* A heap whose thread does not exist in this process. */
static void
settle_after_fork(rfi_heap_t *heap, void *context)
{
    rfi_lock_reset(&heap->shelf.lock);
    if (heap == context || heap->idle) {
        return;
    }
    if (atomic_load_explicit(&heap->busy, memory_order_relaxed) != 0) {
        atomic_store_explicit(&heap->frozen, true, memory_order_relaxed);
        return;
    }
    heap->shelf.detached = true;
    put_locked(heap, false, rfi_process_clock_ms());
}

void
rfi_heap_pool_fork_child(rfi_heap_t *mine)
{
    rfi_lock_reset(&rfi_heap_orphans.shelf.lock);
    rfi_heap_pool_walk(settle_after_fork, mine);
    rfi_lock_reset(&pool_lock);
}
