/* SPDX-License-Identifier: MIT
 *
 * Entering and leaving a slow path from the front: heap/busy.h, plus the
 * frees that were deferred meanwhile.
 */
#ifndef RINGFENCE_FRONT_SLOW_H
#define RINGFENCE_FRONT_SLOW_H

#include "heap/busy.h"
#include "heap/tick.h"

/* Frees, for `heap`, what was freed while the heap `busy` was busy: by a
 * signal handler, or by threads that could not get a heap. */
void rfi_slow_free_deferred(rfi_heap_t *heap, rfi_heap_t *busy);

static inline void
rfi_slow_leave(rfi_heap_t *heap)
{
    rfi_heap_tick(heap);
    rfi_heap_leave(heap);
    if (RFI_UNLIKELY(atomic_load_explicit(&heap->deferred,
                                          memory_order_relaxed) != NULL)) {
        rfi_slow_free_deferred(heap, heap);
    }
}

#endif
