/* SPDX-License-Identifier: MIT
 *
 * See tick.h.
 */
#include "heap/tick.h"

#include "heap/heap_pool.h"
#include "heap/remote.h"
#include "mem/granule.h"
#include "mem/large.h"
#include "os/process.h"

void
rfi_heap_tick_slow(rfi_heap_t *heap)
{
    uint64_t now_ms = rfi_process_clock_ms();

    if (now_ms == heap->tick_ms) {
        return;
    }
    heap->tick_ms = now_ms;
    rfi_remote_flush(heap);
    rfi_heap_sweep_step(heap);
    rfi_heap_pool_sweep(now_ms, false);
    rfi_granule_purge(now_ms, false);
    rfi_huge_purge(now_ms, false);
}
