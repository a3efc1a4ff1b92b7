/* SPDX-License-Identifier: MIT
 *
 * Take and give of granule runs.
 *
 * Descriptors are written under the lock together with the bits, so that an
 * audit sees both agree.
 */
#include "mem/granule.h"

#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem/granule_run.h"
#include "mem/granule_space.h"
#include "mem/large.h"
#include "os/process.h"

static rfi_granule_space_t *const space = &rfi_granule_space;

/* Adds a segment; returns its position, where the run is its start, or the
 * number of segments when there is no memory. */
static uint32_t
grow_space(rfi_run_t *run, uint32_t align)
{
    rfi_segment_index_t *index = &space->index;

    if (!rfi_segment_index_reserve(index)) {
        return index->count;
    }
    run->segment = rfi_segment_create(run->count, align);
    if (run->segment == NULL) {
        return index->count;
    }
    run->first = 0;
    rfi_granule_add(&space->segments, 1);
    return rfi_segment_index_insert(index, run->segment);
}

/* Copies which granules of the run are dirty, for runs that `map` holds. */
static void
copy_dirty(const rfi_run_t *run, rfi_dirty_map_t *map)
{
    memset(map, 0, sizeof(*map));
    if (run->segment->dirty_count == 0) {
        return;
    }
    uint32_t end = run->first + run->count;
    uint32_t granule = run->first;

    while ((granule = rfi_bitmap_next_set(run->segment->dirty, granule, end))
           < end) {
        uint32_t stop =
            rfi_bitmap_next_clear(run->segment->dirty, granule, end);

        rfi_bitmap_set(map->words, granule - run->first, stop - granule);
        granule = stop;
    }
}

static rfi_span_t *
take_locked(uint32_t count, uint32_t align, rfi_span_kind_t kind,
            rfi_dirty_map_t *map)
{
    rfi_run_t run = {.count = count};
    uint32_t position = rfi_granule_find(&run, align);

    if (position == space->index.count) {
        position = grow_space(&run, align);
        if (position == space->index.count) {
            return NULL;
        }
    }
    if (!rfi_segment_commit(run.segment, run.first, count)) {
        return NULL;
    }
    if (map != NULL) {
        copy_dirty(&run, map);
    }
    uint32_t dirty = rfi_granule_claim(&run, position);
    rfi_span_t *head =
        rfi_directory_mark_head(rfi_run_address(&run), kind, count);

    rfi_directory_mark_secondary(rfi_run_address(&run), 1, count);
    head->flags = dirty == 0 ? RFI_SPAN_ZERO : 0;
    rfi_granule_note_fresh(space, count - dirty);
    rfi_granule_add(&space->used, count);
    rfi_granule_add(&space->takes, 1);
    return head;
}

static rfi_span_t *
take(uint32_t count, uint32_t align, rfi_span_kind_t kind,
     rfi_dirty_map_t *map)
{
    rfi_lock_acquire(&space->lock);
    rfi_span_t *head = take_locked(count, align, kind, map);

    rfi_lock_release(&space->lock);
    return head;
}

void
rfi_granule_reclaim(void)
{
    uint64_t now_ms = rfi_process_clock_ms();

    (void)rfi_huge_purge(now_ms, true);
    (void)rfi_granule_purge(now_ms, true);
}

rfi_span_t *
rfi_granule_take_mapped(uint32_t count, uint32_t align, rfi_span_kind_t kind,
                        rfi_dirty_map_t *map)
{
    rfi_assert(count != 0 && rfi_is_power_of_two(align));
    rfi_span_t *head = take(count, align, kind, map);

    if (RFI_UNLIKELY(head == NULL)) {
        rfi_granule_reclaim();
        head = take(count, align, kind, map);
    }
    return head;
}

rfi_span_t *
rfi_granule_take(uint32_t count, uint32_t align, rfi_span_kind_t kind)
{
    return rfi_granule_take_mapped(count, align, kind, NULL);
}

/* Finds the segment of a span. */
static uint32_t
locate(const rfi_span_t *head, rfi_run_t *run)
{
    uintptr_t address = (uintptr_t)rfi_directory_address(head);
    uint32_t position = rfi_segment_index_find(&space->index, address);

    rfi_assert(position < space->index.count);
    run->segment = space->index.slots[position].segment;
    run->first = (uint32_t)((address - (uintptr_t)run->segment->start)
                            >> RFI_GRANULE_SHIFT);
    run->count = head->granules;
    rfi_assert(run->first + run->count <= run->segment->granules);
    return position;
}

static void
purge_if_excessive(void)
{
    if (RFI_UNLIKELY(rfi_granule_counter(&space->dirty)
                     > rfi_granule_dirty_limit())) {
        rfi_granule_purge_excess();
    }
}

void
rfi_granule_give(rfi_span_t *head, bool clean)
{
    uint32_t now_ms = clean ? 0 : (uint32_t)rfi_process_clock_ms();
    rfi_run_t run;

    atomic_store_explicit(&head->owner_fast, NULL, memory_order_relaxed);
    rfi_lock_acquire(&space->lock);
    uint32_t position = locate(head, &run);

    rfi_directory_clear_secondary(rfi_run_address(&run), 1, run.count);
    rfi_directory_clear_head(head);
    rfi_granule_unclaim(&run, position, !clean, now_ms);
    rfi_granule_subtract(&space->used, run.count);
    rfi_lock_release(&space->lock);
    if (!clean) {
        purge_if_excessive();
    }
}

static bool
grow_locked(rfi_span_t *head, uint32_t count, bool *zero)
{
    rfi_run_t run;
    uint32_t position = locate(head, &run);
    void *start = rfi_run_address(&run);
    uint32_t end = run.first + count;

    run.first += run.count;
    run.count = count - head->granules;
    if (end > run.segment->granules
        || rfi_bitmap_next_clear(run.segment->free, run.first, end) != end
        || !rfi_segment_commit(run.segment, run.first, run.count)) {
        return false;
    }
    uint32_t dirty = rfi_granule_claim(&run, position);

    *zero = dirty == 0;
    rfi_granule_note_fresh(space, run.count - dirty);
    rfi_directory_mark_secondary(start, head->granules, count);
    head->granules = count;
    rfi_granule_add(&space->used, run.count);
    return true;
}

bool
rfi_granule_grow(rfi_span_t *head, uint32_t count, bool *zero)
{
    rfi_assert(count > head->granules);
    rfi_lock_acquire(&space->lock);
    bool grown = grow_locked(head, count, zero);

    rfi_lock_release(&space->lock);
    return grown;
}

void
rfi_granule_shrink(rfi_span_t *head, uint32_t count)
{
    rfi_assert(count != 0 && count < head->granules);
    uint32_t now_ms = (uint32_t)rfi_process_clock_ms();
    rfi_run_t run;

    rfi_lock_acquire(&space->lock);
    uint32_t position = locate(head, &run);

    rfi_directory_clear_secondary(rfi_run_address(&run), count, head->granules);
    head->granules = count;
    run.first += count;
    run.count -= count;
    rfi_granule_unclaim(&run, position, true, now_ms);
    rfi_granule_subtract(&space->used, run.count);
    rfi_lock_release(&space->lock);
    purge_if_excessive();
}

bool
rfi_granule_holds(const void *address)
{
    rfi_lock_acquire(&space->lock);
    uint32_t position =
        rfi_segment_index_find(&space->index, (uintptr_t)address);
    bool holds = false;

    if (position < space->index.count) {
        const rfi_segment_t *segment = space->index.slots[position].segment;
        uintptr_t offset = (uintptr_t)address - (uintptr_t)segment->start;

        holds = offset >> RFI_GRANULE_SHIFT < segment->granules;
    }
    rfi_lock_release(&space->lock);
    return holds;
}

void
rfi_granule_stats(rfi_granule_stats_t *stats)
{
    *stats = (rfi_granule_stats_t){
        .segments = rfi_granule_counter(&space->segments),
        .mapped_bytes = rfi_segment_mapped(),
        .used_bytes = rfi_granule_counter(&space->used) * RFI_GRANULE_SIZE,
        .dirty_bytes = rfi_granule_counter(&space->dirty) * RFI_GRANULE_SIZE,
        .purged_bytes = rfi_granule_counter(&space->purged_bytes),
        .purges = rfi_granule_counter(&space->purges),
        .takes = rfi_granule_counter(&space->takes),
    };
}
