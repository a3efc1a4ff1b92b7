/* SPDX-License-Identifier: MIT
 *
 * Take and give of granule runs. The search goes through the segments in
 * address order and passes over those whose longest free run is known to be
 * too short; within a segment dirty runs are preferred.
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

/* Words of the largest segment's bitmap: 256 MiB in granules of 64 KiB. */
#define SEGMENT_WORDS 64

rfi_granule_space_t rfi_granule_space = {
    .lock = RFI_LOCK_INIT(RFI_RANK_GRANULE),
};

static rfi_granule_space_t *const space = &rfi_granule_space;

static void *
run_address(const rfi_run_t *run)
{
    return run->segment->start + run->first * RFI_GRANULE_SIZE;
}

/* ---- Search ----------------------------------------------------------- */

/* Free granules whose chunk is committed, so that no charge is added. */
static uint32_t
find_committed(const rfi_segment_t *segment, uint32_t count, uint32_t align,
               uint32_t phase)
{
    uint64_t ready[SEGMENT_WORDS];
    uint32_t words = rfi_bitmap_words(segment->granules);

    if (words > SEGMENT_WORDS) {
        return RFI_BITMAP_NONE;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint64_t chunk_pair = segment->committed[i / 32] >> (i % 32 * 2);
        uint64_t low = chunk_pair & 1 ? UINT32_MAX : 0;
        uint64_t high = chunk_pair & 2 ? (uint64_t)UINT32_MAX << 32 : 0;

        ready[i] = segment->free[i] & (low | high);
    }
    return rfi_bitmap_find_run(ready, segment->lowest, segment->granules,
                               count, align, phase);
}

static uint32_t
find_in_segment(const rfi_segment_t *segment, uint32_t count, uint32_t align)
{
    uint32_t phase =
        (uint32_t)((uintptr_t)segment->start >> RFI_GRANULE_SHIFT)
        & (align - 1);
    uint32_t first = RFI_BITMAP_NONE;

    if (segment->dirty_count >= count) {
        first = rfi_bitmap_find_run(segment->dirty, segment->lowest,
                                    segment->granules, count, align, phase);
    }
    if (first == RFI_BITMAP_NONE && rfi_segment_is_strict()) {
        first = find_committed(segment, count, align, phase);
    }
    if (first == RFI_BITMAP_NONE) {
        first = rfi_bitmap_find_run(segment->free, segment->lowest,
                                    segment->granules, count, align, phase);
    }
    return first;
}

/* Fills in the run's segment and start; returns its position in the index,
 * or the number of segments when the run fits nowhere. */
static uint32_t
find_run(rfi_run_t *run, uint32_t align)
{
    rfi_segment_index_t *index = &space->index;
    uint32_t position = index->lowest;

    for (; position < index->count; position++) {
        rfi_segment_slot_t *slot = &index->slots[position];

        if (slot->room < run->count) {
            continue;
        }
        run->segment = slot->segment;
        run->first = find_in_segment(slot->segment, run->count, align);
        if (run->first != RFI_BITMAP_NONE) {
            break;
        }
        if (align == 1) {
            rfi_segment_index_lower(index, position, run->count - 1);
        }
    }
    return position;
}

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

/* ---- Bits and counts -------------------------------------------------- */

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

static uint32_t
claim(const rfi_run_t *run, uint32_t position)
{
    uint32_t dirty =
        rfi_segment_take(run->segment, run->first, run->count);

    rfi_granule_subtract(&space->dirty, dirty);
    rfi_segment_index_lower(&space->index, position,
                            run->segment->free_count);
    return dirty;
}

static void
unclaim(const rfi_run_t *run, uint32_t position, bool dirty, uint32_t now_ms)
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
    return claim(run, position_of(run->segment));
}

void
rfi_granule_unhold(const rfi_run_t *run, bool dirty, uint32_t now_ms)
{
    run->segment->held_count -= run->count;
    rfi_granule_subtract(&space->held, run->count);
    unclaim(run, position_of(run->segment), dirty, now_ms);
}

/* ---- Take and give ---------------------------------------------------- */

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
    uint32_t position = find_run(&run, align);

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
    uint32_t dirty = claim(&run, position);
    rfi_span_t *head =
        rfi_directory_mark_head(run_address(&run), kind, count);

    rfi_directory_mark_secondary(run_address(&run), 1, count);
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

    rfi_directory_clear_secondary(run_address(&run), 1, run.count);
    rfi_directory_clear_head(head);
    unclaim(&run, position, !clean, now_ms);
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
    void *start = run_address(&run);
    uint32_t end = run.first + count;

    run.first += run.count;
    run.count = count - head->granules;
    if (end > run.segment->granules
        || rfi_bitmap_next_clear(run.segment->free, run.first, end) != end
        || !rfi_segment_commit(run.segment, run.first, run.count)) {
        return false;
    }
    uint32_t dirty = claim(&run, position);

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

    rfi_directory_clear_secondary(run_address(&run), count, head->granules);
    head->granules = count;
    run.first += count;
    run.count -= count;
    unclaim(&run, position, true, now_ms);
    rfi_granule_subtract(&space->used, run.count);
    rfi_lock_release(&space->lock);
    purge_if_excessive();
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
