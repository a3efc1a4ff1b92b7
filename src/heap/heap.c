/* SPDX-License-Identifier: MIT
 *
 * The heaps that exist without memory of their own, and the thread's word.
 */
#include "heap/heap.h"

RFI_TLS rfi_heap_t *rfi_thread_heap = &rfi_heap_empty;

rfi_heap_t rfi_heap_empty;

rfi_heap_t rfi_heap_attaching = {.busy = 1};

_Atomic(rfi_block_t *) rfi_heap_deferred;

rfi_heap_t rfi_heap_orphans = {
    .shelf.lock = RFI_LOCK_INIT(RFI_RANK_SHELF),
};

void
rfi_heap_init(rfi_heap_t *heap, uint32_t number)
{
    heap->shelf.lock = (rfi_lock_t)RFI_LOCK_INIT(RFI_RANK_SHELF);
    heap->number = number;
}
