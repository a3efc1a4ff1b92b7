/* SPDX-License-Identifier: MIT
 *
 * Large blocks, and the decision between large and huge. Who may free a
 * block when several try is decided by one atomic exchange of `requested`
 * with 0, which no live block has.
 */
#include "mem/large.h"

#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem/granule.h"
#include "mem/granule_run.h"
#include "mem/huge.h"
#include "os/page.h"

static _Atomic(size_t) large_blocks;
static _Atomic(size_t) large_bytes;

static uint32_t
granules_for(size_t bytes)
{
    return (uint32_t)rfi_divide_up(bytes, RFI_GRANULE_SIZE);
}

static size_t
requested(const rfi_span_t *head)
{
    return atomic_load_explicit(&head->requested, memory_order_relaxed);
}

static void
count_blocks(size_t blocks, size_t bytes)
{
    atomic_fetch_add_explicit(&large_blocks, blocks, memory_order_relaxed);
    atomic_fetch_add_explicit(&large_bytes, bytes, memory_order_relaxed);
}

/* Clears those granules of a fresh block that have been used before. */
static void
zero_dirty(char *block, size_t bytes, const rfi_dirty_map_t *map)
{
    uint32_t end = granules_for(bytes);
    uint32_t granule = 0;

    while ((granule = rfi_bitmap_next_set(map->words, granule, end)) < end) {
        uint32_t stop = rfi_bitmap_next_clear(map->words, granule, end);
        size_t from = granule * RFI_GRANULE_SIZE;

        memset(block + from, 0,
               rfi_min(stop * RFI_GRANULE_SIZE, bytes) - from);
        granule = stop;
    }
}

static void *
alloc_in_granules(size_t bytes, size_t align, bool zeroed)
{
    rfi_dirty_map_t map;
    uint32_t align_granules = granules_for(align);
    rfi_span_t *head =
        rfi_granule_take_mapped(granules_for(bytes), align_granules,
                                RFI_SPAN_LARGE, zeroed ? &map : NULL);

    if (head == NULL) {
        return NULL;
    }
    char *block = rfi_directory_address(head);

    if (zeroed && (head->flags & RFI_SPAN_ZERO) == 0) {
        zero_dirty(block, bytes, &map);
    }
    atomic_store_explicit(&head->requested, bytes, memory_order_relaxed);
    count_blocks(1, bytes);
    return block;
}

void *
rfi_large_alloc(size_t size, size_t align, bool zeroed)
{
    if (size > (size_t)PTRDIFF_MAX - RFI_HUGE_MIN) {
        return NULL;
    }
    size_t bytes = rfi_align_up(rfi_max(size, 1), rfi_page_size());

    /* Runs at a chunk's start are easily found; beyond, a mapping is. */
    if (bytes >= RFI_HUGE_MIN || align > RFI_CHUNK_SIZE) {
        return rfi_huge_alloc(bytes, align, zeroed);
    }
    return alloc_in_granules(bytes, align, zeroed);
}

bool
rfi_large_free(rfi_span_t *head)
{
    /* Acquire and release order the winner after the losers, should one of
     * those be about to look at the descriptor. */
    size_t bytes =
        atomic_exchange_explicit(&head->requested, 0, memory_order_acq_rel);

    if (bytes == 0) {
        return false;
    }
    if (head->kind == RFI_SPAN_HUGE) {
        rfi_huge_free(head);
        return true;
    }
    rfi_assert(head->kind == RFI_SPAN_LARGE);
    rfi_granule_give(head, false);
    count_blocks((size_t)-1, (size_t)0 - bytes);
    return true;
}

size_t
rfi_large_usable(const rfi_span_t *head)
{
    return requested(head);
}

static bool
resize_in_granules(rfi_span_t *head, size_t bytes)
{
    uint32_t count = granules_for(bytes);
    bool zero;

    if (bytes >= RFI_HUGE_MIN) {
        return false;
    }
    if (count < head->granules) {
        rfi_granule_shrink(head, count);
    } else if (count > head->granules
               && !rfi_granule_grow(head, count, &zero)) {
        return false;
    }
    count_blocks(0, bytes - requested(head));
    atomic_store_explicit(&head->requested, bytes, memory_order_relaxed);
    return true;
}

void *
rfi_large_resize(rfi_span_t *head, size_t new_size)
{
    if (new_size > (size_t)PTRDIFF_MAX - RFI_HUGE_MIN) {
        return NULL;
    }
    size_t bytes = rfi_align_up(rfi_max(new_size, 1), rfi_page_size());

    if (head->kind == RFI_SPAN_HUGE) {
        return rfi_huge_resize(head, bytes);
    }
    return resize_in_granules(head, bytes) ? rfi_directory_address(head)
                                           : NULL;
}

void
rfi_large_stats(rfi_large_stats_t *stats)
{
    rfi_huge_stats_t huge;

    rfi_huge_stats(&huge);
    *stats = (rfi_large_stats_t){
        .large_blocks =
            atomic_load_explicit(&large_blocks, memory_order_relaxed),
        .large_bytes =
            atomic_load_explicit(&large_bytes, memory_order_relaxed),
        .huge_blocks = huge.blocks,
        .huge_bytes = huge.mapped_bytes,
        .huge_cached_bytes = huge.cached_bytes,
    };
}
