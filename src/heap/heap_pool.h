/* SPDX-License-Identifier: MIT
 *
 * The pool of heaps. A thread's first slow operation takes a heap, its end
 * puts it back with everything it holds, in constant time; the next thread
 * gets the heap that was put back last, whose memory is the warmest. Heaps
 * that stay idle are emptied by whoever ticks.
 */
#ifndef RINGFENCE_HEAP_HEAP_POOL_H
#define RINGFENCE_HEAP_HEAP_POOL_H

#include "heap/heap.h"

/* A heap for the calling thread, or NULL when out of memory. */
rfi_heap_t *rfi_heap_pool_take(void);

/* The thread is done with the heap. Its batches are handed over. */
void rfi_heap_pool_give(rfi_heap_t *heap);

/* Empties at most one heap that has been idle for a while, or, with
 * `everything`, all idle ones. */
void rfi_heap_pool_sweep(uint64_t now_ms, bool everything);

/* Calls visit for every heap ever made, attached or not. */
void rfi_heap_pool_walk(void (*visit)(rfi_heap_t *heap, void *context),
                        void *context);

/* Number of heaps ever made. */
uint32_t rfi_heap_pool_count(void);

/* Around fork. In the child every heap but `mine` has lost its thread: those
 * that were in a slow path are frozen, the others go to the pool. */
void rfi_heap_pool_fork_prepare(void);
void rfi_heap_pool_fork_parent(void);
void rfi_heap_pool_fork_child(rfi_heap_t *mine);

#endif
