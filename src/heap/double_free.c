/* SPDX-License-Identifier: MIT
 *
 * The walk trusts no link: it stays within the span's memory and ends after
 * as many steps as the span has blocks.
 */
#include "heap/double_free.h"

#include "heap/shared_list.h"
#include "heap/span_count.h"
#include "mem/directory.h"

static bool
is_inside(const rfi_span_t *span, const rfi_block_t *block)
{
    uintptr_t start = (uintptr_t)rfi_directory_address(span);

    return (uintptr_t)block - start <
               (size_t)span->granules * RFI_GRANULE_SIZE &&
           (uintptr_t)block % RFI_BLOCK_QUANTUM == 0;
}

static bool
list_contains(const rfi_span_t *span, const rfi_block_t *list,
              const rfi_block_t *block)
{
    for (unsigned steps = 0; steps < span->capacity; steps++) {
        if (list == block) {
            return true;
        }
        if (list == NULL || !is_inside(span, list)) {
            return false;
        }
        list = list->next;
    }
    return false;
}

static bool
batch_contains(const rfi_heap_t *heap, const rfi_span_t *span,
               const rfi_block_t *block)
{
    for (unsigned i = 0; i < RFI_BATCH_SLOTS; i++) {
        const rfi_batch_t *batch = &heap->batches[i];

        if (batch->span == span &&
            list_contains(span, batch->head, block)) {
            return true;
        }
    }
    return false;
}

/* The owner may take the list while we walk; it is the truth only when the
 * word has not changed. */
static bool
shared_contains(const rfi_span_t *span, const rfi_block_t *block)
{
    uint64_t before = atomic_load_explicit(&span->shared,
                                           memory_order_acquire);
    bool found = list_contains(span, rfi_shared_head(before), block);
    uint64_t after = atomic_load_explicit(&span->shared,
                                          memory_order_acquire);

    return found && before == after;
}

bool
rfi_block_is_free(const rfi_heap_t *heap, const rfi_span_t *span,
                  const rfi_block_t *block)
{
    if (atomic_load_explicit(&span->owner, memory_order_relaxed) == heap &&
        (list_contains(span, span->local_free, block) ||
         list_contains(span, heap->cache[span->size_class], block))) {
        return true;
    }
    return batch_contains(heap, span, block) ||
           shared_contains(span, block);
}
