/* SPDX-License-Identifier: MIT
 *
 * Returns free granules to the kernel. There is no thread for it: the heaps
 * call rfi_granule_purge() from their ticks, and a give that raises the
 * dirty share above its limit purges the excess itself.
 *
 * A pass goes from the highest address down, so that what is purged first is
 * what the search would use last. Each run is held (out of reach of
 * searches) while the kernel works on it without the lock. The cursor is an
 * address, since meanwhile segments may come and go.
 */
#include "mem/granule.h"

#include "base/bits.h"
#include "core/config.h"
#include "mem/bitmap.h"
#include "mem/granule_space.h"
#include "os/process.h"

#define CHUNK_GRANULES ((uint32_t)RFI_GRANULES_PER_CHUNK)
#define DIRTY_FLOOR (((size_t)32 << 20) / RFI_GRANULE_SIZE)
#define DIRTY_SHARE 4 /* of what is in use */
#define ALLOWANCE_SHRINK 64 /* part of it that ends with every timed pass */

/* A pass looks at all dirty granules: at most so many per delay. */
#define PASSES_PER_DELAY 8

/* After a refusal of the kernel (a seccomp filter, locked memory), gives do
 * not try again for this long. */
#define REFUSAL_MS 1000

typedef struct pass {
    uintptr_t below; /* granules from here up are done */
    uint64_t now_ms;
    uint32_t delay_ms; /* purge what has been dirty for so long */
    size_t keep;       /* stop when so few granules are dirty */
    size_t purged;     /* granules so far */
    bool is_excess; /* not asked for by time or caller */
} pass_t;

static rfi_granule_space_t *const space = &rfi_granule_space;

static _Atomic(uint64_t) next_pass_ms;
static _Atomic(uint64_t) retry_ms; /* no excess purge before */
static _Atomic(bool) purging_excess;

size_t
rfi_granule_dirty_limit(void)
{
    int64_t delay = rfi_config_get(dirty_decay_ms);

    if (RFI_UNLIKELY(delay <= 0)) {
        return delay == 0 ? 0 : SIZE_MAX;
    }
    return rfi_max(DIRTY_FLOOR,
                   rfi_granule_counter(&space->used) / DIRTY_SHARE)
        + rfi_granule_counter(&space->allowance);
}

/* ---- Which run is next ------------------------------------------------ */

static bool
is_due(const rfi_segment_t *segment, uint32_t granule, const pass_t *pass)
{
    /* Modulo 2^32: only the age counts, and no page is dirty for weeks. */
    return (uint32_t)pass->now_ms - segment->freed_ms[granule]
        >= pass->delay_ms;
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
pick_in_segment(rfi_segment_t *segment, uint32_t limit, const pass_t *pass,
                rfi_run_t *run)
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
pick(pass_t *pass, rfi_run_t *run)
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
note_purged(pass_t *pass, uint32_t granules)
{
    pass->purged += granules;
    if (pass->is_excess) {
        rfi_granule_add(&space->regrettable, granules);
    }
    rfi_granule_add(&space->purged_bytes, granules * RFI_GRANULE_SIZE);
    atomic_store_explicit(&retry_ms, 0, memory_order_relaxed);
}

static void
note_refused(const pass_t *pass)
{
    atomic_store_explicit(&retry_ms, pass->now_ms + REFUSAL_MS,
                          memory_order_relaxed);
}

/* Purges one run. Called and left with the lock held; released meanwhile. */
static bool
purge_run(pass_t *pass, rfi_run_t *run)
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
    } else {
        note_refused(pass);
    }
    rfi_granule_unhold(run, !purged, (uint32_t)pass->now_ms);
    return purged;
}

static size_t
run_pass(pass_t *pass)
{
    rfi_run_t run;

    pass->below = UINTPTR_MAX;
    rfi_lock_acquire(&space->lock);
    while (pick(pass, &run)) {
        if (!purge_run(pass, &run) && pass->is_excess) {
            break;
        }
    }
    if (pass->purged != 0) {
        rfi_granule_add(&space->purges, 1);
    }
    rfi_lock_release(&space->lock);
    return pass->purged * RFI_GRANULE_SIZE;
}

void
rfi_granule_purge_excess(void)
{
    uint64_t now_ms = rfi_process_clock_ms();

    if (now_ms
        < atomic_load_explicit(&retry_ms, memory_order_relaxed)) {
        return;
    }
    if (atomic_exchange_explicit(&purging_excess, true,
                                 memory_order_relaxed)) {
        return; /* another thread is at it */
    }
    pass_t pass = {
        .now_ms = now_ms,
        .keep = rfi_granule_dirty_limit() / 2,
        .is_excess = true,
    };

    (void)run_pass(&pass);
    atomic_store_explicit(&purging_excess, false, memory_order_relaxed);
}

/* Time has passed: what was purged before is not missed, and the allowance
 * fades. */
static void
settle_allowance(void)
{
    rfi_lock_acquire(&space->lock);
    size_t part = rfi_divide_up(rfi_granule_counter(&space->allowance),
                                ALLOWANCE_SHRINK);

    rfi_granule_subtract(&space->allowance, part);
    atomic_store_explicit(&space->regrettable, 0, memory_order_relaxed);
    rfi_lock_release(&space->lock);
}

/* ---- Segments that nobody needs --------------------------------------- */

/* Takes the highest segment that is wholly free and clean out of the index,
 * or a stranded one; NULL when there is none. */
static rfi_segment_t *
detach_idle_segment(void)
{
    rfi_segment_index_t *index = &space->index;

    for (uint32_t i = index->count; i > 0; i--) {
        rfi_segment_t *segment = index->slots[i - 1].segment;

        if (segment->free_count == segment->granules
            && segment->dirty_count == 0 && !segment->is_first) {
            rfi_segment_index_remove(index, i - 1);
            rfi_granule_subtract(&space->segments, 1);
            return segment;
        }
    }
    return rfi_segment_pop_stranded();
}

static void
unmap_idle_segments(void)
{
    rfi_segment_t *segment;
    bool is_unmapped = true;

    rfi_lock_acquire(&space->lock);
    while (is_unmapped && (segment = detach_idle_segment()) != NULL) {
        rfi_lock_release(&space->lock);
        is_unmapped = rfi_segment_unmap(segment);
        rfi_lock_acquire(&space->lock);
        rfi_segment_recycle(segment, is_unmapped);
    }
    rfi_lock_release(&space->lock);
}

/* Is a timed pass due? Then it is the caller's. */
static bool
claim_pass(uint64_t now_ms, int64_t delay)
{
    uint64_t due = atomic_load_explicit(&next_pass_ms, memory_order_relaxed);

    if (RFI_LIKELY(now_ms < due) || delay < 0
        || (rfi_granule_counter(&space->dirty) == 0
            && rfi_granule_counter(&space->segments) <= 1)) {
        return false;
    }
    uint64_t next = now_ms + (uint64_t)delay / PASSES_PER_DELAY + 1;

    return atomic_compare_exchange_strong_explicit(
        &next_pass_ms, &due, next, memory_order_relaxed,
        memory_order_relaxed);
}

size_t
rfi_granule_purge(uint64_t now_ms, bool everything)
{
    int64_t delay = rfi_config_get(dirty_decay_ms);

    if (!everything && !claim_pass(now_ms, delay)) {
        return 0;
    }
    pass_t pass = {
        .now_ms = now_ms,
        .delay_ms = everything ? 0 : (uint32_t)delay,
    };
    size_t purged = run_pass(&pass);

    settle_allowance();
    unmap_idle_segments();
    return purged;
}
