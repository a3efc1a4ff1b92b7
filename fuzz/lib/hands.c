/* SPDX-License-Identifier: MIT
 *
 * See hands.h.
 */
#include "hands.h"

bool
hands_are_full(const hands_t *hands)
{
    return hands->count == HANDS_BLOCKS;
}

void
hands_add(hands_t *hands, const block_t *block)
{
    hands->blocks[hands->count++] = *block;
}

block_t *
hands_pick(hands_t *hands, uint32_t pick)
{
    return hands->count == 0 ? NULL : &hands->blocks[pick % hands->count];
}

void
hands_drop(hands_t *hands, block_t *block)
{
    *block = hands->blocks[--hands->count];
}

bool
hands_post(hands_t *hands, const block_t *block)
{
    pthread_mutex_lock(&hands->lock);
    bool fits = hands->inbox_count < HANDS_INBOX;

    if (fits) {
        hands->inbox[hands->inbox_count++] = *block;
    }
    pthread_mutex_unlock(&hands->lock);
    return fits;
}

bool
hands_receive(hands_t *hands, block_t *block)
{
    pthread_mutex_lock(&hands->lock);
    bool found = hands->inbox_count != 0;

    if (found) {
        *block = hands->inbox[--hands->inbox_count];
    }
    pthread_mutex_unlock(&hands->lock);
    return found;
}
