/* SPDX-License-Identifier: MIT
 *
 * The bits of segments, the bounds in the index and the counters, kept in
 * step: every granule that changes hands passes through here.
 */
#include "mem/granule_space.h"

#include "base/bits.h"
#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem/granule.h"

rfi_granule_space_t rfi_granule_space = {
    .lock = RFI_LOCK_INIT(RFI_RANK_GRANULE),
};

static rfi_granule_space_t *const space = &rfi_granule_space;

/* The length of the hole around a run that has just become free. */
static uint32_t
hole_around(const rfi_run_t *run)
{
    const rfi_segment_t *segment = run->segment;
    uint32_t gap = rfi_bitmap_last_clear(segment->free, run->first);
    uint32_t low = gap == RFI_BITMAP_NONE ? 0 : gap + 1;

    return rfi_bitmap_next_clear(segment->free, run->first + run->count,
                                 segment->granules)
        - low;
}

uint32_t
rfi_granule_claim(const rfi_run_t *run, uint32_t position)
{
    uint32_t dirty =
        rfi_segment_take(run->segment, run->first, run->count);

    rfi_granule_subtract(&space->dirty, dirty);
    rfi_segment_index_lower(&space->index, position,
                            run->segment->free_count);
    return dirty;
}

void
rfi_granule_unclaim(const rfi_run_t *run, uint32_t position, bool dirty,
                    uint32_t now_ms)
{
    rfi_segment_give(run->segment, run->first, run->count, dirty, now_ms);
    if (dirty) {
        rfi_granule_add(&space->dirty, run->count);
    }
    rfi_segment_index_raise(&space->index, position, hole_around(run));
}

static uint32_t
position_of(const rfi_segment_t *segment)
{
    return rfi_segment_index_find(&space->index, (uintptr_t)segment->start);
}

uint32_t
rfi_granule_hold(const rfi_run_t *run)
{
    run->segment->held_count += run->count;
    rfi_granule_add(&space->held, run->count);
    return rfi_granule_claim(run, position_of(run->segment));
}

void
rfi_granule_unhold(const rfi_run_t *run, bool dirty, uint32_t now_ms)
{
    run->segment->held_count -= run->count;
    rfi_granule_subtract(&space->held, run->count);
    rfi_granule_unclaim(run, position_of(run->segment), dirty, now_ms);
}

/* ---- Fork ------------------------------------------------------------- */

void
rfi_granule_fork_prepare(void)
{
    rfi_lock_acquire(&space->lock);
}

void
rfi_granule_fork_parent(void)
{
    rfi_lock_release(&space->lock);
}

static bool
is_held(const rfi_segment_t *segment, uint32_t granule)
{
    const char *address = segment->start + granule * RFI_GRANULE_SIZE;

    return !rfi_bitmap_has(segment->free, granule)
        && rfi_directory_find(address)->kind == RFI_SPAN_NONE;
}

/* Runs that another thread was purging when the process was forked: in the
 * child nobody else will make them free. A chunk that was held as a whole
 * may or may not be accessible. */
static void
recover_held(rfi_segment_t *segment)
{
    uint32_t end;

    for (uint32_t chunk = 0; chunk < segment->granules; chunk = end) {
        rfi_run_t held = {.segment = segment, .first = chunk};

        end = (uint32_t)rfi_min(chunk + RFI_GRANULES_PER_CHUNK,
                                segment->granules);
        for (uint32_t i = chunk; i < end; i++) {
            rfi_run_t run = {.segment = segment, .first = i, .count = 1};

            if (is_held(segment, i)) {
                rfi_granule_unhold(&run, true, 0);
                held.count++;
            }
        }
        if (held.count == end - chunk && rfi_segment_is_strict()) {
            rfi_segment_note_decommit(&held);
        }
    }
}

void
rfi_granule_fork_child(void)
{
    for (uint32_t i = 0; i < space->index.count; i++) {
        rfi_segment_t *segment = space->index.slots[i].segment;

        if (segment->held_count != 0) {
            recover_held(segment);
        }
    }
    rfi_lock_reset(&space->lock);
}
