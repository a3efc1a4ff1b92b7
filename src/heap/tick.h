/* SPDX-License-Identifier: MIT
 *
 * The work that must be done now and then and has no thread of its own: hand
 * over old batches, release spans that others have emptied, empty idle
 * heaps, return pages to the kernel. Every 64th slow path looks at the clock,
 * and at most once a millisecond a thread does a bounded piece of it.
 */
#ifndef RINGFENCE_HEAP_TICK_H
#define RINGFENCE_HEAP_TICK_H

#include "heap/heap.h"

#define RFI_TICK_REFILLS 64u

void rfi_heap_tick_slow(rfi_heap_t *heap);

/* Called at the end of slow paths; the caller holds `busy`. */
static inline void
rfi_heap_tick(rfi_heap_t *heap)
{
    if (RFI_UNLIKELY(++heap->refills % RFI_TICK_REFILLS == 0)) {
        rfi_heap_tick_slow(heap);
    }
}

#endif
