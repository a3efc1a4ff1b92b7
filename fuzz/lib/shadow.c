/* SPDX-License-Identifier: MIT
 *
 * See shadow.h. The order is a plain sorted array of slot numbers: moving
 * half of it costs less than the walk down any tree.
 */
#include "shadow.h"

#include <string.h>

#include "check.h"

void
shadow_reset(shadow_t *shadow)
{
    shadow->unused_count = 0;
    shadow->slots_used = 0;
    shadow->count = 0;
    shadow->bytes = 0;
}

bool
shadow_is_full(const shadow_t *shadow)
{
    return shadow->count == SHADOW_SLOTS;
}

/* Where a block with this start stands, or belongs, in the order. */
static uint32_t
position_of(const shadow_t *shadow, const unsigned char *start)
{
    uint32_t low = 0;
    uint32_t high = shadow->count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (shadow->slots[shadow->ordered[middle]].start < start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void
check_apart(const block_t *lower, const block_t *upper)
{
    check(lower->start + lower->usable <= upper->start,
          "blocks overlap: %p, %zu usable bytes, and %p, %zu",
          (void *)lower->start, lower->usable, (void *)upper->start,
          upper->usable);
}

static uint16_t
take_slot(shadow_t *shadow)
{
    if (shadow->unused_count != 0) {
        return shadow->unused[--shadow->unused_count];
    }
    return (uint16_t)shadow->slots_used++;
}

void
shadow_add(shadow_t *shadow, const block_t *block)
{
    check(!shadow_is_full(shadow), "the model heap is full");
    uint32_t position = position_of(shadow, block->start);
    uint16_t *place = &shadow->ordered[position];

    if (position > 0) {
        check_apart(&shadow->slots[place[-1]], block);
    }
    if (position < shadow->count) {
        check_apart(block, &shadow->slots[place[0]]);
    }
    memmove(place + 1, place, (shadow->count - position) * sizeof(*place));
    *place = take_slot(shadow);
    shadow->slots[*place] = *block;
    shadow->count++;
    shadow->bytes += block->usable;
}

block_t *
shadow_pick(shadow_t *shadow, uint32_t pick)
{
    if (shadow->count == 0) {
        return NULL;
    }
    for (uint32_t slot = pick;; slot++) {
        block_t *block = &shadow->slots[slot % shadow->slots_used];

        if (block->start != NULL) {
            return block;
        }
    }
}

void
shadow_remove(shadow_t *shadow, block_t *block)
{
    uint32_t position = position_of(shadow, block->start);
    uint16_t *place = &shadow->ordered[position];
    uint16_t slot = (uint16_t)(block - shadow->slots);

    check(position < shadow->count && *place == slot,
          "the model heap does not know %p", (void *)block->start);
    shadow->count--;
    shadow->bytes -= block->usable;
    memmove(place, place + 1, (shadow->count - position) * sizeof(*place));
    block->start = NULL;
    shadow->unused[shadow->unused_count++] = slot;
}
