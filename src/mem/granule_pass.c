/* SPDX-License-Identifier: MIT
 *
 * A pass goes from the highest address down, so that what is purged first is
 * what the search would use last. Each run is held (out of reach of
 * searches) while the kernel works on it without the lock. The cursor is an
 * address, since meanwhile segments may come and go.
 */
#include "mem/granule_pass.h"

#include "base/bits.h"
#include "mem/bitmap.h"
#include "mem/granule_space.h"

#define CHUNK_GRANULES ((uint32_t)RFI_GRANULES_PER_CHUNK)

static rfi_granule_space_t *const space = &rfi_granule_space;

/* ---- Which run is next ------------------------------------------------ */

static bool
is_due(const rfi_segment_t *segment, uint32_t granule,
       const rfi_granule_pass_t *pass)
{
    /* Modulo 2^32, since no page is dirty for weeks; and signed, since a
     * granule may be given after the pass has looked at the clock. */
    int32_t age_ms =
        (int32_t)((uint32_t)pass->now_ms - segment->freed_ms[granule]);

    return pass->everything || age_ms >= (int32_t)pass->delay_ms;
}

/* Are these granules free, and none of them dirty? */
static bool
is_idle(const rfi_segment_t *segment, uint32_t first, uint32_t end)
{
    return rfi_bitmap_next_clear(segment->free, first, end) == end
        && rfi_bitmap_next_set(segment->dirty, first, end) == end;
}

/* Only whole chunks can be uncharged: extends the run over clean granules
 * of its chunks, then cuts it to whole chunks or to a part of one. Returns
 * whether it is whole chunks. */
static bool
fit_to_chunks(rfi_run_t *run)
{
    const rfi_segment_t *segment = run->segment;
    uint32_t first = run->first;
    uint32_t end = run->first + run->count;
    uint32_t low = first & ~(CHUNK_GRANULES - 1);
    uint32_t high = (end + CHUNK_GRANULES - 1) & ~(CHUNK_GRANULES - 1);

    high = (uint32_t)rfi_min(high, segment->granules);
    if (is_idle(segment, low, first)) {
        first = low;
    }
    if (is_idle(segment, end, high)) {
        end = high;
    }
    uint32_t whole = (first + CHUNK_GRANULES - 1) & ~(CHUNK_GRANULES - 1);
    uint32_t last = (end - 1) & ~(CHUNK_GRANULES - 1);
    bool is_whole = end == high && whole < end;

    if (is_whole) {
        first = whole;
    } else if (first < last) {
        first = last;
    }
    run->first = first;
    run->count = end - first;
    return is_whole;
}

/* The highest run of due granules below `limit` in a segment. */
static bool
pick_in_segment(rfi_segment_t *segment, uint32_t limit,
                const rfi_granule_pass_t *pass, rfi_run_t *run)
{
    uint32_t top = rfi_bitmap_last_set(segment->dirty, limit);

    while (top != RFI_BITMAP_NONE && !is_due(segment, top, pass)) {
        top = rfi_bitmap_last_set(segment->dirty, top);
    }
    if (top == RFI_BITMAP_NONE) {
        return false;
    }
    size_t excess = rfi_granule_counter(&space->dirty) - pass->keep;
    uint32_t first = top;

    while (first > 0 && rfi_bitmap_has(segment->dirty, first - 1)
           && is_due(segment, first - 1, pass)
           && top + 1 - first < excess) {
        first--;
    }
    run->segment = segment;
    run->first = first;
    run->count = top + 1 - first;
    return true;
}

/* Moves the cursor down to the next run; false at the end of the pass. */
static bool
pick(rfi_granule_pass_t *pass, rfi_run_t *run)
{
    while (rfi_granule_counter(&space->dirty) > pass->keep) {
        uint32_t position =
            rfi_segment_index_find(&space->index, pass->below - 1);

        if (position == space->index.count) {
            return false;
        }
        rfi_segment_t *segment = space->index.slots[position].segment;
        uintptr_t start = (uintptr_t)segment->start;
        uint32_t limit = (uint32_t)rfi_min(
            segment->granules, (pass->below - start) >> RFI_GRANULE_SHIFT);

        if (segment->dirty_count != 0
            && pick_in_segment(segment, limit, pass, run)) {
            return true;
        }
        pass->below = start;
    }
    return false;
}

/* ---- The pass --------------------------------------------------------- */

static void
note_purged(rfi_granule_pass_t *pass, uint32_t granules)
{
    pass->purged += granules;
    if (pass->is_excess) {
        rfi_granule_add(&space->regrettable, granules);
    }
    rfi_granule_add(&space->purged_bytes, granules * RFI_GRANULE_SIZE);
}

/* Purges one run. Called and left with the lock held; released meanwhile. */
static bool
purge_run(rfi_granule_pass_t *pass, rfi_run_t *run)
{
    bool decommit = rfi_segment_is_strict() && fit_to_chunks(run);
    uint32_t dirty = rfi_granule_hold(run);

    pass->below = (uintptr_t)rfi_run_address(run);
    rfi_lock_release(&space->lock);
    bool purged = rfi_segment_purge_run(run, decommit);

    rfi_lock_acquire(&space->lock);
    if (purged) {
        if (decommit) {
            rfi_segment_note_decommit(run);
        }
        note_purged(pass, dirty);
    }
    rfi_granule_unhold(run, !purged, (uint32_t)pass->now_ms);
    return purged;
}

void
rfi_granule_pass_run(rfi_granule_pass_t *pass)
{
    rfi_run_t run;

    pass->below = UINTPTR_MAX;
    rfi_lock_acquire(&space->lock);
    while (pick(pass, &run)) {
        if (!purge_run(pass, &run)) {
            pass->was_refused = true;
            if (pass->is_excess) {
                break;
            }
        }
    }
    if (pass->purged != 0) {
        rfi_granule_add(&space->purges, 1);
    }
    rfi_lock_release(&space->lock);
}
