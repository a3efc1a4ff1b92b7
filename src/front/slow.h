/* SPDX-License-Identifier: MIT
 *
 * Entering and leaving a slow path from the front: heap/busy.h, plus the
 * frees that were deferred meanwhile.
 */
#ifndef RINGFENCE_FRONT_SLOW_H
#define RINGFENCE_FRONT_SLOW_H

#include "heap/busy.h"
#include "heap/tick.h"

/* Frees what was deferred, by a signal handler that met a busy heap or by a
 * thread that could not get one. */
void rfi_slow_free_deferred(rfi_heap_t *heap);

static inline void
rfi_slow_leave(rfi_heap_t *heap)
{
    rfi_heap_tick(heap);
    rfi_heap_leave(heap);
    if (rfi_heap_has_deferred()) {
        rfi_slow_free_deferred(heap);
    }
}

#endif
