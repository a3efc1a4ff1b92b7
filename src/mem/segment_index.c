/* SPDX-License-Identifier: MIT
 *
 * The ordered array of segments; see mem/segment_index.h.
 */
#include "mem/segment_index.h"

#include <string.h>

#include "base/assert.h"
#include "mem/meta.h"

#define FIRST_CAPACITY 64

bool
rfi_segment_index_reserve(rfi_segment_index_t *index)
{
    if (index->count < index->capacity) {
        return true;
    }
    uint32_t capacity =
        index->capacity == 0 ? FIRST_CAPACITY : 2 * index->capacity;
    rfi_segment_slot_t *slots = rfi_meta_alloc(
        capacity * sizeof(*slots), _Alignof(rfi_segment_slot_t));

    if (slots == NULL) {
        return false;
    }
    if (index->count != 0) {
        memcpy(slots, index->slots, index->count * sizeof(*slots));
    }
    index->slots = slots;
    index->capacity = capacity;
    return true;
}

uint32_t
rfi_segment_index_insert(rfi_segment_index_t *index, rfi_segment_t *segment)
{
    uint32_t position = index->count;

    rfi_assert(index->count < index->capacity);
    while (position > 0
           && index->slots[position - 1].start > (uintptr_t)segment->start) {
        index->slots[position] = index->slots[position - 1];
        position--;
    }
    index->slots[position] = (rfi_segment_slot_t){
        .start = (uintptr_t)segment->start,
        .segment = segment,
        .room = segment->free_count,
    };
    index->count++;
    if (position < index->lowest) {
        index->lowest = position;
    }
    return position;
}

void
rfi_segment_index_remove(rfi_segment_index_t *index, uint32_t position)
{
    rfi_assert(position < index->count);
    index->count--;
    for (uint32_t i = position; i < index->count; i++) {
        index->slots[i] = index->slots[i + 1];
    }
    if (position < index->lowest) {
        index->lowest--;
    }
}

uint32_t
rfi_segment_index_find(const rfi_segment_index_t *index, uintptr_t address)
{
    uint32_t low = 0; /* all slots below start at or below the address */
    uint32_t high = index->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (index->slots[middle].start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? index->count : low - 1;
}

void
rfi_segment_index_raise(rfi_segment_index_t *index, uint32_t position,
                        uint32_t room)
{
    rfi_segment_slot_t *slot = &index->slots[position];

    if (slot->room < room) {
        slot->room = room;
    }
    if (position < index->lowest) {
        index->lowest = position;
    }
}

void
rfi_segment_index_lower(rfi_segment_index_t *index, uint32_t position,
                        uint32_t room)
{
    rfi_segment_slot_t *slot = &index->slots[position];

    if (slot->room > room) {
        slot->room = room;
    }
    while (index->lowest < index->count
           && index->slots[index->lowest].room == 0) {
        index->lowest++;
    }
}
