/* SPDX-License-Identifier: MIT
 *
 * Collects by looking at each span descriptor. Their owners change them while
 * we look, without atomics, so that counting costs malloc and free nothing.
 * What we read may be of two moments; every figure derived from it is
 * clamped to what is possible.
 */
#include "inspect/stats.h"

#include <assert.h>
#include <string.h>

#include "core/lock.h"
#include "heap/heap_pool.h"
#include "heap/span_count.h"
#include "mem/directory.h"
#include "mem/granule.h"
#include "mem/large.h"
#include "mem/meta.h"
#include "os/page.h"

static_assert(RFI_CLASS_COUNT <= RF_STATS_CLASSES, "all classes fit");

/* Reads what the owner writes, on purpose: see above. */
#define RACY __attribute__((no_sanitize("thread")))

/* Blocks of a small span that are in use, or cached by a heap. */
RACY static size_t
blocks_out(const rfi_span_t *span, size_t cut)
{
    uint32_t freed_by_owner = span->armed - span->needed;
    uint32_t freed_by_others = rfi_shared_count(rfi_span_shared(span));
    int64_t out =
        (int64_t)rfi_span_out(span) - freed_by_owner - freed_by_others;

    return out < 0 ? 0 : rfi_min((size_t)out, cut);
}

RACY static void
add_small_span(rf_stats_t *stats, const rfi_span_t *span)
{
    unsigned size_class = span->size_class % RFI_CLASS_COUNT;
    rf_class_stats_t *class_stats = &stats->classes[size_class];
    size_t bytes = span->granules * RFI_GRANULE_SIZE;
    size_t touched = rfi_align_up(
        rfi_span_carved(span) * class_stats->block_bytes, rfi_page_size());
    size_t carved = rfi_span_carved(span);
    size_t cut = carved - rfi_min(span->colour, carved);
    size_t live = blocks_out(span, cut);

    class_stats->spans++;
    class_stats->span_bytes += bytes;
    class_stats->cut_blocks += cut;
    class_stats->live_blocks += live;
    if (live != 0) {
        stats->active_bytes += rfi_min(touched, bytes);
    } else {
        stats->idle_span_bytes += rfi_min(touched, bytes);
    }
}

RACY static void
add_span(rfi_span_t *span, void *context)
{
    rf_stats_t *stats = context;

    switch ((rfi_span_kind_t)span->kind) {
    case RFI_SPAN_SMALL:
        add_small_span(stats, span);
        break;
    case RFI_SPAN_CACHED:
        stats->idle_span_bytes += span->granules * RFI_GRANULE_SIZE;
        break;
    case RFI_SPAN_LARGE:
    case RFI_SPAN_HUGE:
    case RFI_SPAN_EMERGENCY:
    case RFI_SPAN_SECONDARY:
    case RFI_SPAN_NONE:
        break;
    }
}

RACY static void
add_heap(rfi_heap_t *heap, void *context)
{
    rf_stats_t *stats = context;

    stats->heaps++;
    stats->heaps_idle += heap->idle;
}

/* Blocks that malloc will hand out next on this thread. A bound on the walk,
 * and a look at each link before it is followed: somebody may have written
 * to a free block. */
static size_t
cached_blocks(const rfi_heap_t *heap, unsigned size_class)
{
    const rfi_block_t *block = heap->cache[size_class];
    size_t count = 0;

    while (block != NULL && count < rfi_size_classes[size_class].capacity) {
        const rfi_block_t *next = block->next;

        count++;
        if (!rfi_block_is_near(next, block, RFI_CHUNK_SHIFT)) {
            break;
        }
        block = next;
    }
    return count;
}

static void
add_classes(rf_stats_t *stats)
{
    stats->class_count = RFI_CLASS_COUNT;
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        stats->classes[c].block_bytes = rfi_size_class_bytes(c);
    }
    rfi_directory_walk(add_span, stats);
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        rf_class_stats_t *class_stats = &stats->classes[c];

        class_stats->live_blocks -= rfi_min(
            cached_blocks(rfi_thread_heap, c), class_stats->live_blocks);
        stats->small_blocks += class_stats->live_blocks;
        stats->small_bytes +=
            class_stats->live_blocks * class_stats->block_bytes;
    }
}

static void
add_large(rf_stats_t *stats)
{
    rfi_large_stats_t large;

    rfi_large_stats(&large);
    stats->large_blocks = large.large_blocks;
    stats->large_bytes = large.large_bytes;
    stats->huge_blocks = large.huge_blocks;
    stats->huge_bytes = large.huge_bytes;
    stats->huge_cached_bytes = large.huge_cached_bytes;
    stats->active_bytes += large.large_bytes + large.huge_bytes;
}

static void
add_granules(rf_stats_t *stats)
{
    rfi_granule_stats_t granules;

    rfi_granule_stats(&granules);
    stats->segments = granules.segments;
    stats->mapped_bytes = granules.mapped_bytes + stats->huge_bytes +
                          stats->huge_cached_bytes;
    stats->dirty_bytes = granules.dirty_bytes;
    stats->purged_bytes = granules.purged_bytes;
    stats->purges = granules.purges;
}

void
rfi_stats_collect(rf_stats_t *stats)
{
    memset(stats, 0, sizeof(*stats));
    stats->size = sizeof(*stats);
    add_classes(stats);
    add_large(stats);
    add_granules(stats);
    rfi_heap_pool_walk(add_heap, stats);
    stats->live_bytes =
        stats->small_bytes + stats->large_bytes + stats->huge_bytes;
    stats->cached_bytes = stats->idle_span_bytes + stats->dirty_bytes +
                          stats->huge_cached_bytes;
    stats->metadata_bytes = rfi_meta_mapped();
    stats->directory_bytes = rfi_directory_mapped();
    stats->lock_waits = rfi_lock_waits();
}
