/* SPDX-License-Identifier: MIT
 *
 * Allocation after a miss of the fast path.
 */
#include <string.h>

#include "core/fault.h"
#include "front/emergency.h"
#include "front/front.h"
#include "front/slow.h"
#include "heap/refill.h"
#include "mem/large.h"

/* Pops without going slow when the cache has a block with a good link. */
static void *
pop_cached(rfi_heap_t *heap, unsigned size_class)
{
    rfi_block_t *block = heap->cache[size_class];

    if (block == NULL ||
        (block->next != NULL &&
         !rfi_block_is_near(block->next, block, RFI_WIDE_SPAN_SHIFT))) {
        return NULL;
    }
    heap->cache[size_class] = block->next;
    block->key = NULL;
    return block;
}

/* A cached link that leads out of its span: somebody wrote to a free block.
 * When the policy is to go on, the cache is given up, since nothing in it can
 * be trusted. */
static void
give_up_cache(rfi_heap_t *heap, unsigned size_class)
{
    rfi_block_t *block = heap->cache[size_class];

    heap->cache[size_class] = NULL;
    rfi_fault_raise(&(rfi_fault_t){
        .kind = RFI_FAULT_CORRUPTED_LINK,
        .address = block,
        .reason = "a free block was written to",
        .block = block,
        .block_size = rfi_size_class_bytes(size_class),
        .function = "malloc",
        .knob = "abort_on_error",
    });
}

static void *
alloc_class(rfi_heap_t *heap, unsigned size_class)
{
    if (RFI_UNLIKELY(heap->cache[size_class] != NULL)) {
        /* A signal handler may have filled it since the fast path missed. */
        void *cached = pop_cached(heap, size_class);

        if (cached != NULL) {
            return cached;
        }
        give_up_cache(heap, size_class);
    }
    void *block = rfi_heap_refill_local(heap, size_class);

    if (RFI_UNLIKELY(block == NULL)) {
        block = rfi_heap_refill(heap, size_class);
    }
    if (RFI_UNLIKELY(block == NULL)) {
        /* Give back what we keep and could do without, and try once more. */
        rfi_heap_collect(heap);
        block = rfi_heap_refill(heap, size_class);
    }
    return block;
}

/* As alloc_class, for what mem serves: the spans that the heap keeps may be
 * all that stands between two free halves of a run. */
static void *
alloc_large(rfi_heap_t *heap, size_t size, size_t align, bool zeroed)
{
    void *block = rfi_large_alloc(size, align, zeroed);

    if (RFI_UNLIKELY(block == NULL)) {
        rfi_heap_collect(heap);
        block = rfi_large_alloc(size, align, zeroed);
    }
    return block;
}

void *
rfi_front_alloc(rfi_heap_t *heap, size_t size)
{
    if (RFI_UNLIKELY(size > RFI_REQUEST_MAX)) {
        return NULL;
    }
    if (RFI_UNLIKELY(!rfi_heap_enter(heap))) {
        return rfi_emergency_alloc(size, 1);
    }
    void *block = RFI_LIKELY(size <= RFI_CLASS_SIZE_MAX)
                      ? alloc_class(heap, rfi_size_class_of(size))
                      : alloc_large(heap, size, 1, false);

    rfi_slow_leave(heap);
    return block;
}

static void *
alloc_class_zeroed(rfi_heap_t *heap, size_t size)
{
    unsigned size_class = rfi_size_class_of(size);
    bool fresh = (heap->zero_classes >> size_class & 1) != 0;
    rfi_block_t *block = pop_cached(heap, size_class);

    if (block == NULL) {
        if (RFI_UNLIKELY(!rfi_heap_enter(heap))) {
            return rfi_emergency_alloc(size, 1);
        }
        block = alloc_class(heap, size_class);
        fresh = (heap->zero_classes >> size_class & 1) != 0;
        rfi_slow_leave(heap);
    }
    if (block == NULL) {
        return NULL;
    }
    if (fresh) {
        block->next = NULL; /* the rest has never been touched */
        return block;
    }
    return memset(block, 0, size);
}

void *
rfi_front_alloc_zeroed(rfi_heap_t *heap, size_t size)
{
    if (RFI_LIKELY(size <= RFI_CLASS_SIZE_MAX)) {
        return alloc_class_zeroed(heap, size);
    }
    if (RFI_UNLIKELY(size > RFI_REQUEST_MAX)) {
        return NULL;
    }
    if (RFI_UNLIKELY(!rfi_heap_enter(heap))) {
        return rfi_emergency_alloc(size, 1);
    }
    void *block = alloc_large(heap, size, 1, true);

    rfi_slow_leave(heap);
    return block;
}

void *
rfi_front_alloc_aligned(rfi_heap_t *heap, size_t size, size_t align)
{
    if (RFI_UNLIKELY(size > RFI_REQUEST_MAX || align > RFI_REQUEST_MAX)) {
        return NULL;
    }
    unsigned size_class =
        size <= RFI_CLASS_SIZE_MAX && align <= RFI_CLASS_SIZE_MAX
            ? rfi_size_class_of_aligned(size, align)
            : RFI_CLASS_COUNT;
    void *block;

    if (size_class < RFI_CLASS_COUNT &&
        (block = pop_cached(heap, size_class)) != NULL) {
        return block;
    }
    if (RFI_UNLIKELY(!rfi_heap_enter(heap))) {
        return rfi_emergency_alloc(size, align);
    }
    if (size_class < RFI_CLASS_COUNT) {
        block = alloc_class(heap, size_class);
    } else {
        /* mem serves only sizes above the largest class. */
        block = alloc_large(heap, rfi_max(size, RFI_CLASS_SIZE_MAX + 1), align,
                            false);
    }
    rfi_slow_leave(heap);
    return block;
}
