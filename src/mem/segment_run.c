/* SPDX-License-Identifier: MIT
 *
 * Parts of segments: their bits, and the kernel calls that make them
 * accessible and take them back.
 */
#include "mem/segment.h"

#include "base/assert.h"
#include "base/bits.h"
#include "core/config.h"
#include "mem/bitmap.h"
#include "os/page.h"

#define CHUNK_GRANULES ((uint32_t)RFI_GRANULES_PER_CHUNK)

uint32_t
rfi_segment_take(rfi_segment_t *segment, uint32_t first, uint32_t count)
{
    uint32_t dirty = 0;

    if (segment->dirty_count != 0) {
        dirty = rfi_bitmap_count(segment->dirty, first, count);
        rfi_bitmap_clear(segment->dirty, first, count);
        segment->dirty_count -= dirty;
    }
    rfi_bitmap_clear(segment->free, first, count);
    segment->free_count -= count;
    if (segment->lowest == first) {
        segment->lowest = first + count;
    }
    return dirty;
}

void
rfi_segment_give(rfi_segment_t *segment, uint32_t first, uint32_t count,
                 bool dirty, uint32_t now_ms)
{
    rfi_bitmap_set(segment->free, first, count);
    segment->free_count += count;
    if (first < segment->lowest) {
        segment->lowest = first;
    }
    if (!dirty) {
        return;
    }
    rfi_bitmap_set(segment->dirty, first, count);
    segment->dirty_count += count;
    for (uint32_t i = first; i < first + count; i++) {
        segment->freed_ms[i] = now_ms;
    }
}

/* ---- Kernel calls on runs --------------------------------------------- */

/* Huge pages save most of the page faults and of the TLB misses, and make
 * whole chunks resident. That is little where a heap uses a few MiB, and most
 * of the memory where many threads use a page of a span of each class. Where
 * gigabytes of large blocks are hardly touched it could be all of the
 * machine's memory: beyond a bound the choice is the system's. */
#define WORTH_HUGE_PER_HEAP (RFI_CHUNK_SIZE / 4 * 3)
#define OURS_TO_CHOOSE ((size_t)256 << 20)

static _Atomic(size_t) heap_count;

void
rfi_segment_set_heaps(size_t count)
{
    atomic_store_explicit(&heap_count, count, memory_order_relaxed);
}

static bool
is_worth_huge(void)
{
    size_t heaps = atomic_load_explicit(&heap_count, memory_order_relaxed);

    return rfi_segment_mapped() >= heaps * WORTH_HUGE_PER_HEAP;
}

void
rfi_segment_advise_huge(void *start, size_t size, bool is_first)
{
    int64_t policy = rfi_config_get(thp);
    bool wanted = policy == RFI_THP_ALWAYS ||
                  (policy == RFI_THP_DEFAULT && !is_first && is_worth_huge());

    if (policy == RFI_THP_DEFAULT && rfi_segment_mapped() > OURS_TO_CHOOSE) {
        return;
    }
    (void)rfi_page_advise_huge(start, size, wanted);
}

/* Bytes of `count` granules from `first`, cut at the segment's end: its last
 * chunk may be a short one. */
static size_t
size_of(const rfi_segment_t *segment, uint32_t first, uint32_t count)
{
    return rfi_min(count, segment->granules - first) * RFI_GRANULE_SIZE;
}

bool
rfi_segment_commit(rfi_segment_t *segment, uint32_t first, uint32_t count)
{
    if (RFI_LIKELY(!rfi_segment_is_strict())) {
        return true;
    }
    uint32_t end = rfi_segment_chunks(first + count);
    uint32_t chunk = first / CHUNK_GRANULES;

    while ((chunk = rfi_bitmap_next_clear(segment->committed, chunk, end))
           < end) {
        uint32_t stop = rfi_bitmap_next_set(segment->committed, chunk, end);
        uint32_t granule = chunk * CHUNK_GRANULES;
        char *start = segment->start + granule * RFI_GRANULE_SIZE;
        size_t size =
            size_of(segment, granule, (stop - chunk) * CHUNK_GRANULES);

        if (rfi_page_protect(start, size, RFI_PAGE_READ_WRITE) != 0) {
            return false;
        }
        rfi_segment_advise_huge(start, size, segment->is_first);
        rfi_bitmap_set(segment->committed, chunk, stop - chunk);
        chunk = stop;
    }
    return true;
}

bool
rfi_segment_purge_run(const rfi_run_t *run, bool decommit)
{
    void *start = rfi_run_address(run);
    size_t size = run->count * RFI_GRANULE_SIZE;

    if (decommit) {
        rfi_assert(run->first % CHUNK_GRANULES == 0);
        return rfi_page_decommit(start, size) == 0;
    }
    return rfi_page_purge(start, size) == 0;
}

void
rfi_segment_note_decommit(const rfi_run_t *run)
{
    rfi_bitmap_clear(run->segment->committed, run->first / CHUNK_GRANULES,
                     rfi_segment_chunks(run->count));
}
