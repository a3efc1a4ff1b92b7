/* SPDX-License-Identifier: MIT
 *
 * The invariants of the granule layer. They hold whenever the lock is free.
 *
 * I1  The index is sorted by start, its segments are disjoint and mapped.
 * I2  A segment's counts are those of its bits; a dirty granule is free.
 * I3  The hints are bounds: nothing is free below `lowest`, no free run is
 *     longer than `room`, no slot below the index's `lowest` has room.
 * I4  Granules that are not free form whole spans (a head, then SECONDARY
 *     granules that name their distance to it), or are held.
 * I5  The descriptor of a granule that is free or held is all zero.
 * I6  The counters are the sums over the segments.
 * I7  A granule in a span lies in a committed chunk.
 */
#include "mem/granule.h"

#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem/granule_space.h"

static const rfi_granule_space_t *const space = &rfi_granule_space;

typedef struct sums {
    size_t used;
    size_t dirty;
    size_t held;
    size_t granules;
} sums_t;

static const rfi_span_t *
descriptor(const rfi_segment_t *segment, uint32_t granule)
{
    return rfi_directory_find(segment->start + granule * RFI_GRANULE_SIZE);
}

static bool
is_zero(const rfi_span_t *span)
{
    const uint64_t *words = (const uint64_t *)(const void *)span;
    uint64_t any = 0;

    for (size_t i = 0; i < sizeof(*span) / sizeof(*words); i++) {
        any |= words[i];
    }
    return any == 0;
}

static bool
is_sorted(const rfi_segment_index_t *index)
{
    uintptr_t end = 0;

    for (uint32_t i = 0; i < index->count; i++) {
        const rfi_segment_t *segment = index->slots[i].segment;

        if (index->slots[i].start < end || segment->granules == 0
            || index->slots[i].start != (uintptr_t)segment->start) {
            return false;
        }
        end = index->slots[i].start + segment->granules * RFI_GRANULE_SIZE;
    }
    return true;
}

static bool
has_right_counts(const rfi_segment_t *segment)
{
    for (uint32_t i = 0; i < rfi_bitmap_words(segment->granules); i++) {
        if ((segment->dirty[i] & ~segment->free[i]) != 0) {
            return false;
        }
    }
    return segment->free_count
        == rfi_bitmap_count(segment->free, 0, segment->granules)
        && segment->dirty_count
        == rfi_bitmap_count(segment->dirty, 0, segment->granules);
}

static bool
has_right_hints(uint32_t position)
{
    const rfi_segment_slot_t *slot = &space->index.slots[position];
    const rfi_segment_t *segment = slot->segment;
    uint32_t end = segment->granules;

    return (position >= space->index.lowest || slot->room == 0)
        && rfi_bitmap_next_set(segment->free, 0, end)
        >= (segment->lowest < end ? segment->lowest : end)
        && rfi_bitmap_find_run(segment->free, 0, end, slot->room + 1, 1, 0)
        == RFI_BITMAP_NONE;
}

/* Checks the span at a granule. Returns its length, or 0 when broken. */
static uint32_t
span_length(const rfi_segment_t *segment, uint32_t first)
{
    const rfi_span_t *head = descriptor(segment, first);

    if (head->kind == RFI_SPAN_SECONDARY || head->kind == RFI_SPAN_HUGE
        || head->granules == 0
        || head->granules > segment->granules - first
        || rfi_directory_address(head)
            != segment->start + first * RFI_GRANULE_SIZE) {
        return 0;
    }
    for (uint32_t i = 1; i < head->granules; i++) {
        const rfi_span_t *span = descriptor(segment, first + i);

        if (span->kind != RFI_SPAN_SECONDARY || span->head_distance != i
            || rfi_bitmap_has(segment->free, first + i)) {
            return 0;
        }
    }
    return head->granules;
}

static bool
is_committed(const rfi_segment_t *segment, uint32_t first, uint32_t count)
{
    uint32_t end =
        (first + count - 1) / (uint32_t)RFI_GRANULES_PER_CHUNK + 1;

    return rfi_bitmap_next_clear(segment->committed,
                                 first / (uint32_t)RFI_GRANULES_PER_CHUNK,
                                 end)
        == end;
}

/* I4, I5 and I7 for one segment. */
static int
audit_granules(const rfi_segment_t *segment, sums_t *sums)
{
    uint32_t held = 0;
    uint32_t used = 0;

    for (uint32_t i = 0; i < segment->granules;) {
        const rfi_span_t *span = descriptor(segment, i);
        uint32_t length = 1;

        /* Of a live span only the kind may be read: its owner is at work. */
        if (span->kind == RFI_SPAN_NONE) {
            if (!is_zero(span)) {
                return 5;
            }
            held += !rfi_bitmap_has(segment->free, i);
        } else if (rfi_bitmap_has(segment->free, i)) {
            return 5;
        } else {
            length = span_length(segment, i);
            if (length == 0) {
                return 4;
            }
            if (!is_committed(segment, i, length)) {
                return 7;
            }
            used += length;
        }
        i += length;
    }
    sums->used += used;
    return held == segment->held_count ? 0 : 4;
}

static int
audit_segment(uint32_t position, sums_t *sums)
{
    const rfi_segment_t *segment = space->index.slots[position].segment;

    if (!has_right_counts(segment)) {
        return 2;
    }
    if (!has_right_hints(position)) {
        return 3;
    }
    sums->dirty += segment->dirty_count;
    sums->held += segment->held_count;
    sums->granules += segment->granules;
    return audit_granules(segment, sums);
}

static int
audit_locked(void)
{
    sums_t sums = {0};

    if (!is_sorted(&space->index)) {
        return 1;
    }
    for (uint32_t i = 0; i < space->index.count; i++) {
        int broken = audit_segment(i, &sums);

        if (broken != 0) {
            return broken;
        }
    }
    bool right = sums.used == rfi_granule_counter(&space->used)
        && sums.dirty == rfi_granule_counter(&space->dirty)
        && sums.held == rfi_granule_counter(&space->held)
        && space->index.count == rfi_granule_counter(&space->segments)
        && sums.granules * RFI_GRANULE_SIZE <= rfi_segment_mapped();

    return right ? 0 : 6;
}

int
rfi_granule_audit(void)
{
    rfi_lock_acquire(&rfi_granule_space.lock);
    int broken = audit_locked();

    rfi_lock_release(&rfi_granule_space.lock);
    return broken;
}
