/* SPDX-License-Identifier: MIT
 *
 * All segments in address order, with what a search needs to pass over those
 * that cannot serve it: an upper bound of each one's longest free run. Held
 * in metadata; the arrays that it outgrew stay there, in all less than the
 * current one. The caller holds the granule lock.
 */
#ifndef RINGFENCE_MEM_SEGMENT_INDEX_H
#define RINGFENCE_MEM_SEGMENT_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/segment.h"

typedef struct rfi_segment_slot {
    uintptr_t start;
    rfi_segment_t *segment;
    uint32_t room; /* no free run of the segment is longer */
} rfi_segment_slot_t;

typedef struct rfi_segment_index {
    rfi_segment_slot_t *slots; /* by rising start */
    uint32_t count;
    uint32_t capacity;
    uint32_t lowest; /* slots below have no room at all */
} rfi_segment_index_t;

/* Makes sure that one more segment fits; false when there is no memory. */
bool rfi_segment_index_reserve(rfi_segment_index_t *index);

/* Room must have been reserved. Returns the new slot's position. */
uint32_t rfi_segment_index_insert(rfi_segment_index_t *index,
                                  rfi_segment_t *segment);

void rfi_segment_index_remove(rfi_segment_index_t *index, uint32_t position);

/* The last segment that starts at or below the address: its position, or
 * `count` when there is none. */
uint32_t rfi_segment_index_find(const rfi_segment_index_t *index,
                                uintptr_t address);

/* Notes that a free run of this length has come into being, or how many
 * granules are left free. */
void rfi_segment_index_raise(rfi_segment_index_t *index, uint32_t position,
                             uint32_t room);
void rfi_segment_index_lower(rfi_segment_index_t *index, uint32_t position,
                             uint32_t room);

#endif
