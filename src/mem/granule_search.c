/* SPDX-License-Identifier: MIT
 *
 * Where a run of granules is taken from. The search goes through the
 * segments in address order and passes over those whose longest free run is
 * known to be too short. Within a segment a run that is dirty, and so
 * resident, comes before one that is not.
 */
#include "mem/bitmap.h"
#include "mem/granule_space.h"

/* Words of the largest segment's bitmap: 256 MiB in granules of 64 KiB. */
#define SEGMENT_WORDS 64

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

uint32_t
rfi_granule_find(rfi_run_t *run, uint32_t align)
{
    rfi_segment_index_t *index = &rfi_granule_space.index;
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
